/** The version of Gemini CLI that we are tested with. */
export const TESTED_VERSION = "0.61.0";
