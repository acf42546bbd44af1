/**
 * Which events an older oj must not write after: it would not heed them. The stores raise what a writer has to know
 * with the first such event, in the same commit, and an older daemon may only read from then on.
 */
import type { Event } from "../model/events.ts";

/**
 * A rule would be passed over, a rotated token would count for as long as it first did, a token that rests on another
 * would outlive it, and a passkey would be forgotten.
 */
export function takesNewWriter(event: Event): boolean {
  if (event.type === "decision:created") return event.rule !== undefined;
  if (event.type === "person:trusted") return event.parent !== undefined;
  return event.type === "person:rotated" || event.type === "person:keyed";
}

/** How these show in a text; a decision has a parent, too, which is another decision. */
const MARK = /"rule":\{|"person:rotated"|"replaced_by":|"parent":"(?!dec-)|"person:keyed"|"passkeys":\[/;

/** The same of an event or a state as it is written. Where that can't be told apart from other text, it is true. */
export function textTakesNewWriter(text: string): boolean {
  return MARK.test(text);
}
