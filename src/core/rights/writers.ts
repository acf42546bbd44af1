/**
 * Which events an older oj must not write after: it would not heed them. The stores raise what a writer has to know
 * with the first such event, in the same commit, and an older daemon may only read from then on.
 */
import type { Event } from "../model/events.ts";

/** A rule would be passed over, and a rotated token would count for as long as it first did. */
export function takesNewWriter(event: Event): boolean {
  if (event.type === "decision:created") return event.rule !== undefined;
  return event.type === "person:rotated";
}

/** The same of an event or a state as it is written. Where that can't be told apart from other text, it is true. */
export function textTakesNewWriter(text: string): boolean {
  return text.includes('"rule":{') || text.includes('"person:rotated"') || text.includes('"replaced_by":');
}
