/** A state that skipped events would be wrong in ways that nobody could see, so it is refused. */
import { Refusal } from "../../core/model/errors.ts";

export function missed(seq: number, next: number): Refusal {
  const message = `Events ${seq + 1} to ${next - 1} were compacted before this daemon had seen them.`;
  return new Refusal("store.failed", message, "oj daemon restart");
}
