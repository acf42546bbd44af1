/** What a key does. A key that answers carries the id that is in focus when it is pressed, and nothing else. */
import { choicesOf, choose, dismissal, read, wordsNeeded } from "./answer.ts";
import type { Command, Pressed } from "./keys.ts";
import type { Effect, Inbox, Step } from "./model.ts";
import { formOf, isOpen, MAX_TOGETHER, withForm, withNotice } from "./model.ts";
import { listed, neighbour, similarTo } from "./order.ts";

export function onKey(inbox: Inbox, key: Pressed, now: number): Step {
  if (now < inbox.guarded_until_ms && !("command" in key && key.command === "quit")) return only(inbox);
  const { mode } = inbox;
  if ("choose" in key) return mode.type === "list" ? onNumber(inbox, key.choose, now) : only(inbox);
  const { command } = key;
  if (command === "quit") return only(inbox, { type: "quit" });
  if (mode.type === "confirm") return onConfirm(inbox, command, now);
  if (mode.type === "write" && command === "send") return send({ ...inbox, mode: { type: "list" } }, now);
  if (mode.type !== "list")
    return command === "back" || command === "send" || isToggleOf(mode.type, command)
      ? only({ ...inbox, mode: { type: "list" } })
      : only(inbox);
  return onCommand(inbox, command, now);
}

function onCommand(inbox: Inbox, command: Command, now: number): Step {
  const { selected } = inbox;
  switch (command) {
    case "down":
      return select(inbox, neighbour(listed(inbox), selected, 1));
    case "up":
      return select(inbox, neighbour(listed(inbox), selected, -1));
    case "first":
      return select(inbox, listed(inbox)[0]?.id ?? null);
    case "last":
      return select(inbox, listed(inbox).at(-1)?.id ?? null);
    case "high":
      return only({ ...inbox, filter: { ...inbox.filter, high: true } });
    case "all":
      return only({ ...inbox, filter: { high: false, text: "" } });
    case "filter":
      return only({ ...inbox, mode: { type: "filter" } });
    case "help":
      return only({ ...inbox, mode: { type: "help" } });
    case "back":
      return only({ ...inbox, marked: new Set(), notice: null });
    case "undo":
      return undo(inbox, now);
    case "send":
      return send(inbox, now);
    default:
      return onSelected(inbox, command, now);
  }
}

/**
 * The person pointed at an option: as if they had pressed its number there. Ignored if the decision is no longer in
 * focus.
 */
export function onPointed(
  inbox: Inbox,
  { id, at, number }: { id: string; at: number; number: number },
  now: number,
): Step {
  if (id !== inbox.selected || now < inbox.guarded_until_ms) return only(inbox);
  return onNumber(withForm({ ...inbox, mode: { type: "list" } }, id, { at }), number, now);
}

/** The commands that need a decision in focus. */
function onSelected(inbox: Inbox, command: Command, now: number): Step {
  const { selected: id } = inbox;
  if (id === null) return only(inbox);
  if (command === "open") return only(inbox, { type: "open", id });
  if (command === "peek") return peek(inbox, id, now);
  if (!isOpen(inbox, id)) return only(withNotice(inbox, "warning", `${id} no longer takes an answer`, now));
  if (command === "mark") return only({ ...inbox, marked: toggled(inbox.marked, id) });
  if (command === "mark-similar") return only({ ...inbox, marked: new Set(similarTo(inbox, id)) });
  const decision = inbox.details.get(id);
  if (!decision) return only(withNotice(inbox, "info", `${id} is still loading`, now), { type: "load", id });
  const form = formOf(inbox, id);
  const places = choicesOf(decision);
  const options = places[form.at]?.options ?? [];
  switch (command) {
    case "message":
      return only({ ...inbox, mode: { type: "write", field: "message" } });
    case "text": {
      // If there are several questions, the one in focus is answered with Other.
      const other = places.length > 1 ? options.find((it) => it.needs === "text") : undefined;
      const chosen = other ? withForm(inbox, id, choose(decision, form, other.number)) : inbox;
      return other || places.length === 1
        ? only({ ...chosen, mode: { type: "write", field: "text" } })
        : only(withNotice(inbox, "info", "go to the question you want to answer in your own words", now));
    }
    case "dismiss":
      return only({ ...inbox, mode: { type: "confirm", what: "dismiss" } });
    case "left":
      return only(withForm(inbox, id, { cursor: Math.max(0, form.cursor - 1) }));
    case "right":
      return only(withForm(inbox, id, { cursor: Math.min(options.length - 1, form.cursor + 1) }));
    case "next":
      return only(withForm(inbox, id, { at: (form.at + 1) % places.length, cursor: 0 }));
    case "previous":
      return only(withForm(inbox, id, { at: (form.at + places.length - 1) % places.length, cursor: 0 }));
    case "toggle":
      return onNumber(inbox, options[form.cursor]?.number ?? 0, now);
    default:
      return only(inbox);
  }
}

/** A number chooses; it never sends. An option that needs text asks for it. */
function onNumber(inbox: Inbox, number: number, now: number): Step {
  const { selected: id } = inbox;
  if (id === null || !isOpen(inbox, id)) return only(inbox);
  const decision = inbox.details.get(id);
  if (!decision) return only(withNotice(inbox, "info", `${id} is still loading`, now), { type: "load", id });
  const before = formOf(inbox, id);
  const form = choose(decision, before, number);
  if (form === before) return only(withNotice(inbox, "warning", `there is no option ${number} here`, now));
  const next = withForm({ ...inbox, notice: null }, id, form);
  const needs = wordsNeeded(decision, form, before.at);
  return only(needs === null ? next : { ...next, mode: { type: "write", field: needs } });
}

function send(inbox: Inbox, now: number): Step {
  const { selected: id, marked } = inbox;
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
  const together = [...marked].filter((it) => it !== id && isOpen(inbox, it)).slice(0, MAX_TOGETHER - 1);
  if (together.length > 0) {
    const ids = [id, ...together];
    const alike = new Set(ids.map((it) => inbox.items.get(it)?.group));
    if (alike.size > 1)
      return only(withNotice(inbox, "warning", "only similar decisions can be answered together", now));
    const unseen = ids.filter((it) => !inbox.details.has(it));
    const loads = unseen.map((it): Effect => ({ type: "load", id: it }));
    return only({ ...inbox, mode: { type: "confirm", what: "together", ids } }, ...loads);
  }
  return sent(inbox, [id], { type: "resolve", id, body: reading.body });
}

function onConfirm(inbox: Inbox, command: Command, now: number): Step {
  const { mode, selected: id } = inbox;
  const back: Inbox = { ...inbox, mode: { type: "list" } };
  if (command !== "send" || mode.type !== "confirm" || id === null) return only(back);
  const decision = inbox.details.get(id);
  if (!decision || !isOpen(inbox, id))
    return only(withNotice(back, "warning", `${id} no longer takes an answer`, now));
  if (mode.what === "dismiss") {
    return sent(back, [id], { type: "resolve", id, body: dismissal(formOf(inbox, id)) });
  }
  const reading = read(decision, formOf(inbox, id));
  const ids = mode.ids.filter((it) => isOpen(inbox, it));
  if (reading.type !== "ready") return only(back);
  if (ids.some((it) => !inbox.details.has(it)))
    return only(withNotice(inbox, "info", "some of them are still loading", now));
  return sent({ ...back, marked: new Set() }, ids, { type: "resolve-all", ids, body: reading.body });
}

/** Marks them as being sent; the focus moves to the next pending decision. */
function sent(inbox: Inbox, ids: readonly string[], effect: Effect): Step {
  const sending = new Set([...inbox.sending, ...ids]);
  const order = listed(inbox);
  const at = order.findIndex((it) => it.id === inbox.selected);
  const left = { ...inbox, sending };
  const open = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at))].find((it) => isOpen(left, it.id));
  const step = select(left, open?.id ?? inbox.selected);
  return { inbox: step.inbox, effects: [effect, ...step.effects] };
}

function undo(inbox: Inbox, now: number): Step {
  const { selected, undoable, items } = inbox;
  const id = undoable.at(-1) ?? (selected !== null && items.get(selected)?.held ? selected : null);
  if (id === null) return only(withNotice(inbox, "info", "there is no answer to take back", now));
  return takeBack(inbox, id);
}

export function takeBack(inbox: Inbox, id: string): Step {
  return only({ ...inbox, sending: new Set([...inbox.sending, id]) }, { type: "undo", id });
}

function peek(inbox: Inbox, id: string, now: number): Step {
  const agent_id = (inbox.items.get(id) ?? inbox.details.get(id))?.agent_id ?? null;
  if (agent_id === null)
    return only(withNotice(inbox, "info", `${id} does not come from an agent of ours`, now));
  return only({ ...inbox, mode: { type: "peek", agent_id } });
}

/** Moves the focus, and loads the whole decision. */
export function select(inbox: Inbox, id: string | null): Step {
  if (id === null) return only({ ...inbox, selected: null });
  const next: Inbox = { ...inbox, selected: id, notice: id === inbox.selected ? inbox.notice : null };
  return inbox.details.has(id) ? only(next) : only(next, { type: "load", id });
}

function isToggleOf(mode: Inbox["mode"]["type"], command: Command): boolean {
  return (mode === "help" && command === "help") || (mode === "peek" && command === "peek");
}

export function toggled(ids: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

function only(inbox: Inbox, ...effects: Effect[]): Step {
  return { inbox, effects };
}
