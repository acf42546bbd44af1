/** Sending an answer: to the decision in focus, to those marked, or to the whole group that is in focus. */
import type { Reading } from "./answer.ts";
import { choicesOf, dismissal, read } from "./answer.ts";
import { isFailure } from "./failed.ts";
import type { Command } from "./keys.ts";
import type { Effect, Inbox, Step } from "./model.ts";
import { formOf, isOpen, MAX_TOGETHER, only, withForm, withNotice } from "./model.ts";
import { isListed, rowOf, rows } from "./order.ts";
import { select } from "./select.ts";
import { haveSeen, withMissing } from "./sight.ts";

/**
 * The decisions that an answer goes to, the one in focus first: those marked, else all of the row in focus. Null if
 * others are marked and the one in focus is not.
 */
export function addressees(inbox: Inbox): readonly string[] | null {
  const { selected: id, marked } = inbox;
  if (id === null) return [];
  if (marked.size > 0 && !marked.has(id)) return null;
  const all = marked.size > 0 ? [...marked] : rowOf(inbox, id);
  const others = all.filter((it) => it !== id && isOpen(inbox, it) && isListed(inbox, it));
  return [id, ...others.slice(0, MAX_TOGETHER - 1)];
}

/** Those that this answer goes to: a change is for the one that it was made to. */
export function recipients(inbox: Inbox, reading: Reading): readonly string[] | null {
  const isChange = reading.type === "ready" && reading.body.input !== undefined;
  return isChange && inbox.selected !== null ? [inbox.selected] : addressees(inbox);
}

export function send(inbox: Inbox, now: number): Step {
  const { selected: id } = inbox;
  if (id === null) return only(inbox);
  const decision = inbox.details.get(id);
  if (!decision || !isOpen(inbox, id))
    return only(withNotice(inbox, "warning", `${id} no longer takes an answer`, now));
  const reading = read(decision, formOf(inbox, id));
  if (reading.type === "missing")
    return only(withNotice(withForm(inbox, id, { at: reading.at }), "info", reading.why, now));
  if (reading.type === "words")
    return only(
      withForm({ ...inbox, mode: { type: "write", field: reading.field } }, id, { at: reading.at }),
    );
  const last = choicesOf(decision).length - 1;
  if (last > 0 && reading.body.option && formOf(inbox, id).at !== last)
    return only(
      withNotice(withForm(inbox, id, { at: last }), "warning", `${reading.words}? Enter sends it`, now),
    );
  const ids = recipients(inbox, reading);
  if (ids === null || ids.length > 1) return together(inbox, ids, now);
  if (reading.acts && !haveSeen(inbox, ids)) return only(withMissing(inbox, ids, now));
  return sent(inbox, [id], { type: "resolve", id, body: reading.body });
}

/** Asks before one answer goes to several, and loads those that were not looked at yet. */
function together(inbox: Inbox, ids: readonly string[] | null, now: number): Step {
  if (ids === null)
    return only(withNotice(inbox, "warning", "this one is not marked: m marks it, Esc unmarks all", now));
  if (!areAlike(inbox, ids)) return only(withNotice(inbox, "warning", NOT_ALIKE, now));
  const missing = ids.filter((it) => !inbox.details.has(it));
  const loads = missing.map((it): Effect => ({ type: "load", id: it }));
  return only({ ...inbox, mode: { type: "confirm", what: "together", ids }, notice: null }, ...loads);
}

export function onConfirm(inbox: Inbox, command: Command, now: number): Step {
  const { mode, selected: id } = inbox;
  const back: Inbox = { ...inbox, mode: { type: "list" }, notice: null };
  if (mode.type !== "confirm" || id === null) return only(back);
  if (command !== "send") return command === "back" || command === "quit" ? only(back) : only(inbox);
  const decision = inbox.details.get(id);
  if (!decision || !isOpen(inbox, id))
    return only(withNotice(back, "warning", `${id} no longer takes an answer`, now));
  const ids = mode.ids.filter((it) => isOpen(inbox, it));
  if (mode.what === "dismiss") return sent(back, ids, effectOf(ids, dismissal(formOf(inbox, id))));
  const reading = read(decision, formOf(inbox, id));
  if (reading.type !== "ready") return only(back);
  if (!areAlike(inbox, ids)) return only(withNotice(back, "warning", NOT_ALIKE, now));
  if (ids.some((it) => !inbox.details.has(it)))
    return only(withNotice(inbox, "info", "some of them are still loading", now));
  if (reading.acts && !haveSeen(inbox, ids)) return only(withMissing(inbox, ids, now));
  return sent(back, ids, effectOf(ids, reading.body));
}

const NOT_ALIKE = "only those with the same action can be answered together";

function areAlike({ items }: Inbox, ids: readonly string[]): boolean {
  return new Set(ids.map((it) => items.get(it)?.group)).size <= 1;
}

function effectOf(ids: readonly string[], body: Extract<Effect, { type: "resolve" }>["body"]): Effect {
  const [id] = ids;
  return ids.length === 1 && id !== undefined
    ? { type: "resolve", id, body }
    : { type: "resolve-all", ids, body };
}

/** Notes that they are on their way; the focus moves to the next pending decision. */
export function sent(inbox: Inbox, ids: readonly string[], effect: Effect): Step {
  const sending = new Set([...inbox.sending, ...ids]);
  const order = rows(inbox);
  const at = order.findIndex((it) => it.item.id === inbox.selected);
  const left = { ...inbox, sending, marked: new Set(inbox.marked) };
  for (const id of ids) left.marked.delete(id);
  const open = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at))].find((it) =>
    isOpen(left, it.item.id),
  );
  const step = select(left, open?.item.id ?? inbox.selected);
  return only(step.inbox, effect, ...step.effects);
}

export function undo(inbox: Inbox, now: number): Step {
  const { selected, undoable, items } = inbox;
  const item = selected === null ? undefined : items.get(selected);
  const isSaid = item !== undefined && (item.held !== null || (item.said?.length ?? 0) > 0);
  const ids = undoable.at(-1) ?? (selected !== null && isSaid ? [selected] : []);
  if (ids.length === 0) return only(withNotice(inbox, "info", "there is no answer to take back", now));
  return takeBack(inbox, ids);
}

/** "I'm on it", or no longer: whoever has claimed or snoozed it. */
export function claim(inbox: Inbox, id: string | null, now: number): Step {
  const decision = id === null ? undefined : inbox.details.get(id);
  if (decision?.state !== "pending" || decision.held || isFailure(decision.id))
    return only(withNotice(inbox, "info", "there is nothing to claim", now));
  const isOver = decision.claimed !== null || decision.snoozed !== null;
  return only(inbox, { type: "claim", id: decision.id, isOver });
}

/** Takes the answer to this decision back, and with it the same answer to all that were answered together with it. */
export function takeBackOf(inbox: Inbox, id: string): Step {
  return takeBack(inbox, inbox.undoable.find((it) => it.includes(id)) ?? [id]);
}

function takeBack(inbox: Inbox, ids: readonly string[]): Step {
  return only({ ...inbox, sending: new Set([...inbox.sending, ...ids]) }, { type: "undo", ids });
}
