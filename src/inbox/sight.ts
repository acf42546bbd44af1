/**
 * What of each decision has been on screen. An answer that lets somebody act is not sent before all of it has; the
 * surfaces report what they have shown.
 */
import type { DecisionView } from "../api/api.ts";
import { count } from "./card/words.ts";
import type { Inbox } from "./model.ts";

/** The surface has shown this decision, and `rest` more screens of what it is about have not been on screen yet. */
export function saw(inbox: Inbox, id: string, rest: number): Inbox {
  const before = inbox.seen.get(id);
  if (!inbox.details.has(id) || before === 0 || before === rest) return inbox;
  const isMet = inbox.notice?.kind === "warning" && inbox.notice.key === ON;
  return { ...inbox, seen: new Map(inbox.seen).set(id, rest), notice: isMet ? null : inbox.notice };
}

/** The key that shows the next screen. */
const ON = "J";

/** Whether all that these decisions are about has been on screen. */
export function haveSeen({ seen }: Inbox, ids: readonly string[]): boolean {
  return ids.every((id) => seen.get(id) === 0);
}

/** Says what is missing before these decisions can be answered so that somebody acts: "2 more screens", and the key. */
export function withMissing(inbox: Inbox, ids: readonly string[], at_ms: number): Inbox {
  const rest = Math.max(...ids.map((id) => inbox.seen.get(id) ?? 0));
  const text = rest > 0 ? count(rest, "more screen") : "not all of it has been on screen yet";
  return { ...inbox, notice: { kind: "warning", text, ...(rest > 0 ? { key: ON } : {}), at_ms } };
}

/** Whether both say the same to a person: what was seen of the one was seen of the other. */
export function isSameText(one: DecisionView, other: DecisionView): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ title, context, fields, questions, action, options }: DecisionView): string {
  return JSON.stringify([title, context, fields, questions, action, options]);
}
