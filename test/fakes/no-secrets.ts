import type { Hider } from "../../src/daemon/secrets/known.ts";

/** A daemon that knows no secret by its value. */
export const noSecrets: Hider = async () => (value) => value;
