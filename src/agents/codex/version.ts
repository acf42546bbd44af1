/** The version of Codex that we are tested with. */
import { olderThan } from "../tested-version.ts";

export const TESTED_VERSION = "0.166.0";

export function olderThanTested(version: string | null): string | null {
  return olderThan("Codex", TESTED_VERSION, version);
}
