/** What a key does. A key that answers carries the id that is in focus when it is pressed, and nothing else. */
import type { DecisionView } from "../api/api.ts";
import { choicesOf, choose, wordsNeeded } from "./answer.ts";
import { editText, whyAsIs } from "./edit.ts";
import { hearsWords, isFailure } from "./failed.ts";
import type { Command, Pressed } from "./keys.ts";
import type { Inbox, Step } from "./model.ts";
import { formOf, GUARD_MS, isOpen, only, TYPING_MS, withForm, withNotice } from "./model.ts";
import { neighbour, rowOf, rows, similarTo } from "./order.ts";
import { onRememberKey, openRemember } from "./remember.ts";
import { filtered, select } from "./select.ts";
import { addressees, claim, onConfirm, send, undo } from "./send.ts";
import { haveSeen, withMissing } from "./sight.ts";
import { onSuggestionKey, openSuggestion } from "./suggestion.ts";

export function onKey(inbox: Inbox, key: Pressed, now: number): Step {
  const { mode } = inbox;
  if ("command" in key && key.command === "leave") return only(inbox, { type: "quit" });
  const typing = typingOn(inbox, now);
  if (typing) return only(typing);
  if ("command" in key && key.command === "quit" && mode.type === "list")
    return only(inbox, { type: "quit" });
  if (now < inbox.guarded_until_ms) return only(inbox);
  if (mode.type === "remember") return onRememberKey(inbox, mode, key, now);
  if (mode.type === "suggestion") return onSuggestionKey(inbox, mode, key, now);
  if ("choose" in key) return mode.type === "list" ? onNumber(inbox, key.choose, now) : only(inbox);
  const { command } = key;
  if (mode.type === "confirm") return onConfirm(inbox, command, now);
  if (mode.type === "write" && command === "send") return send({ ...inbox, mode: { type: "list" } }, now);
  if (mode.type === "filter" && command === "back")
    return filtered({ ...inbox, mode: { type: "list" } }, { text: "" });
  if (mode.type !== "list")
    return ["back", "send", "quit"].includes(command) || isToggleOf(mode.type, command)
      ? only({ ...inbox, mode: { type: "list" } })
      : only(inbox);
  return onCommand(inbox, command, now);
}

/** Whoever was typing words as the screen changed goes on for a moment: keys pause until the fingers do. Null: nobody was. */
export function typingOn(inbox: Inbox, now: number): Inbox | null {
  if (now >= inbox.guarded_until_ms || now - inbox.typed_at_ms >= TYPING_MS) return null;
  return { ...inbox, guarded_until_ms: now + GUARD_MS, typed_at_ms: now };
}

function onCommand(inbox: Inbox, command: Command, now: number): Step {
  const { selected } = inbox;
  switch (command) {
    case "down":
      return select(inbox, neighbour(rows(inbox), selected, 1));
    case "up":
      return select(inbox, neighbour(rows(inbox), selected, -1));
    case "first":
      return select(inbox, rows(inbox)[0]?.item.id ?? null);
    case "last":
      return select(inbox, rows(inbox).at(-1)?.item.id ?? null);
    case "high":
      return filtered(inbox, { high: true });
    case "all":
      return filtered(inbox, { high: false, text: "" });
    case "filter":
      return only({ ...inbox, mode: { type: "filter" } });
    case "help":
      return only({ ...inbox, mode: { type: "help" } });
    case "back":
      return only(inbox.marked.size > 0 ? { ...inbox, marked: new Set(), notice: null } : folded(inbox));
    case "suggestion":
      return openSuggestion(inbox, now);
    case "undo":
      return undo(inbox, now);
    case "claim":
      return claim(inbox, selected, now);
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
  if (command === "mark") return only({ ...inbox, marked: toggled(inbox.marked, rowOf(inbox, id)) });
  if (command === "mark-similar") return unfold(inbox, id, now);
  const decision = inbox.details.get(id);
  if (!decision) return only(withNotice(inbox, "info", `${id} is still loading`, now), { type: "load", id });
  return onLoaded(inbox, decision, command, now);
}

/** The commands that need the whole decision. */
function onLoaded(inbox: Inbox, decision: DecisionView, command: Command, now: number): Step {
  const { id } = decision;
  const form = formOf(inbox, id);
  const places = choicesOf(decision);
  const options = places[form.at]?.options ?? [];
  if ((command === "message" || command === "text") && !hearsWords(decision))
    return only(
      withNotice(inbox, "info", "a script failed, and would not hear words: Retry runs it again", now),
    );
  switch (command) {
    case "message":
      return only({ ...inbox, mode: { type: "write", field: "message" } });
    case "text": {
      // If there are several questions, the one in focus is answered with Other.
      const other = places.length > 1 ? options.find((it) => it.needs === "text") : undefined;
      const chosen = other ? withForm(inbox, id, choose(decision, form, other.number)) : inbox;
      if (other || (places.length === 1 && !decision.questions[0]?.closed))
        return only({ ...chosen, mode: { type: "write", field: "text" } });
      const why = decision.questions[places.length > 1 ? form.at : 0]?.closed
        ? "own words are no answer here: choose one of the options"
        : "go to the question you want to answer in your own words";
      return only(withNotice(inbox, "info", why, now));
    }
    case "edit": {
      const { text, ending } = editText(decision) ?? { text: null, ending: "" };
      if (text === null)
        return only(withNotice(inbox, "info", `nothing to change here: ${whyAsIs(decision)}`, now));
      return only(inbox, { type: "edit", id, text: form.edit ?? text, ending });
    }
    case "remember":
      return openRemember(inbox, decision, now);
    case "dismiss":
      return only({ ...inbox, mode: { type: "confirm", what: "dismiss", ids: addressees(inbox) ?? [id] } });
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
  if (needs !== null) return only({ ...next, mode: { type: "write", field: needs } });
  const acts = choicesOf(decision)[before.at]?.options.find((it) => it.number === number)?.acts;
  return only(acts && !haveSeen(next, [id]) ? withMissing(next, [id], now) : next);
}

/** Shows the group of the one in focus one by one, each of them marked; or folds it again. */
function unfold(inbox: Inbox, id: string, now: number): Step {
  const group = inbox.items.get(id)?.group ?? "";
  if (inbox.unfolded.has(group)) return only(folded({ ...inbox, marked: new Set() }));
  const alike = similarTo(inbox, id);
  if (alike.length === 1)
    return only(withNotice(inbox, "info", "nothing else in the list has the same action", now));
  return only({ ...inbox, unfolded: new Set([group]), marked: new Set(alike), notice: null });
}

function folded(inbox: Inbox): Inbox {
  return { ...inbox, unfolded: new Set(), notice: null };
}

function peek(inbox: Inbox, id: string, now: number): Step {
  const agent_id = (inbox.items.get(id) ?? inbox.details.get(id))?.agent_id ?? null;
  if (agent_id === null || isFailure(id))
    return only(withNotice(inbox, "info", `${id} does not come from an agent of ours`, now));
  return only({ ...inbox, mode: { type: "peek", agent_id } });
}

function isToggleOf(mode: Inbox["mode"]["type"], command: Command): boolean {
  return (mode === "help" && command === "help") || (mode === "peek" && command === "peek");
}

/** All of them get a mark; if all had one, none does. */
export function toggled(marked: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  const next = new Set(marked);
  const had = ids.every((id) => marked.has(id));
  for (const id of ids) had ? next.delete(id) : next.add(id);
  return next;
}
