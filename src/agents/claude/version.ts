/** The version of Claude Code that we are tested with. */
import { olderThan } from "../tested-version.ts";

export const TESTED_VERSION = "2.1.325";

export function olderThanTested(version: string | null): string | null {
  return olderThan("Claude Code", TESTED_VERSION, version);
}
