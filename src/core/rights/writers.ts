/**
 * Which events an older oj must not write after: it would not heed them, or take them for forged. The stores raise what
 * a writer has to know with the first such event, in the same commit, and an older daemon may only read from then on,
 * or not even that.
 */
import type { Event } from "../model/events.ts";

/** What a writer has to know: nothing in particular; rules and passkeys; that texts may be erased; that people leave. */
export type Knows = 0 | 1 | 2 | 3;

/**
 * An answer by a door that an older oj does not know counts there as a person's: as a precedent, for what is suggested,
 * against what policies answer in a row. Where that is wrong, as with a new kind of answer that no person gave, the
 * event has to be named here. A rule would be passed over, a rotated token would count for as long as it first did, a
 * token that rests on another would outlive it, a passkey would be forgotten, what is left of an erased event would look
 * forged, and whoever left could go on answering by mail or in a chat.
 */
export function writerKnows(event: Event): Knows {
  if (event.type === "person:removed") return 3;
  if (isErasing(event)) return 2;
  if (event.type === "decision:created") return event.rule === undefined ? 0 : 1;
  if (event.type === "person:trusted") return event.parent === undefined ? 0 : 1;
  return event.type === "person:rotated" || event.type === "person:keyed" ? 1 : 0;
}

/** Whether texts are erased with this event, or were in it. */
export function isErasing(event: Event): boolean {
  return event.type === "audit:erased" || event.erased === true;
}

export function allKnow(events: readonly Event[]): Knows {
  return most(events.map(writerKnows));
}

export function most(needs: readonly Knows[]): Knows {
  return needs.reduce<Knows>((a, b) => (b > a ? b : a), 0);
}

/** How these show in a text; a decision has a parent, too, which is another decision. */
const RULES = /"rule":\{|"person:rotated"|"replaced_by":|"parent":"(?!dec-)|"person:keyed"|"passkeys":\[/;
const REMOVED = /"person:removed"|"removed":\[\{"id":/;
const ERASED = /"audit:erased"|"erased":(?:true|\{)/;

/** The same of an event or a state as it is written. Where that can't be told apart from other text, it is more. */
export function textKnows(text: string): Knows {
  if (REMOVED.test(text)) return 3;
  if (ERASED.test(text)) return 2;
  return RULES.test(text) ? 1 : 0;
}
