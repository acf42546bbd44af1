/** What tells two runs apart: of each step, and of each byte that was written. */
import { createHash } from "node:crypto";

/** These are drawn anew each time, whatever the seed is. */
const DRAIN = /"drain_id":"[^"]*"/g;

export function printOf(steps: number, written: readonly string[]): string {
  const log = createHash("sha256").update(written.join("\n").replaceAll(DRAIN, "")).digest("hex");
  return `${steps.toString(16).padStart(8, "0")}-${log.slice(0, 16)}`;
}
