/** The version of opencode that we are tested with. */
export const TESTED_VERSION = "1.18.33";
