/** Which Claude Code we are tested with. An older one may lack what we rely on; a newer one may have changed it. */
export const TESTED_VERSION = "2.1.325";
