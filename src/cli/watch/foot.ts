/** The two lines at the bottom: what just happened or is being typed, and the keys that help now. */

import { wordsSuffice } from "../../inbox/answer.ts";
import { isRememberable } from "../../inbox/card/rule.ts";
import { saidWords } from "../../inbox/card/said.ts";
import { answerWords, count, deliveryWords, standing } from "../../inbox/card/words.ts";
import { hearsWords, isFailure } from "../../inbox/failed.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, isOpen, wordsIn } from "../../inbox/model.ts";
import { haveSeen } from "../../inbox/sight.ts";
import { truncate, widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { fleetHints } from "../fleet/pane.ts";
import type { Look, View } from "./pane.ts";

export function foot(inbox: Inbox, view: View, width: number, look: Look): [string, string] {
  return [first(inbox, view, width, look), look.style.dim(fitting(hints(inbox, view, look.now), width))];
}

/** As many hints as fit, none of them cut: those that come first matter most. */
function fitting([first = "", ...more]: readonly string[], width: number): string {
  let line = truncate(first, width);
  for (const it of more) {
    if (widthOf(line) + 2 + widthOf(it) > width) break;
    line += `  ${it}`;
  }
  return line;
}

function first(inbox: Inbox, { fleet }: View, width: number, { style, now }: Look): string {
  const { mode, notice, selected } = inbox;
  if (fleet?.doing?.type === "send")
    return typing(`to ${fleet.doing.agent_id}: `, fleet.doing.text, width, style.cyan);
  if (fleet && (notice?.at_ms ?? 0) < fleet.since_ms) return "";
  if (mode.type === "write" && selected !== null) {
    const name = mode.field === "text" ? "your words" : "why";
    return typing(`${name}: `, wordsIn(formOf(inbox, selected), mode.field), width, style.cyan);
  }
  if (mode.type === "filter") return typing("/", inbox.filter.text, width, style.cyan);
  if (notice) {
    const colour = { info: style.cyan, warning: style.yellow, error: style.red }[notice.kind];
    const key = notice.key === undefined ? "" : `: ${notice.key}`;
    return colour(truncate(`${safeLine(notice.text)}${key}`, width));
  }
  return lastAnswer(inbox, width, { style, now });
}

/** What became of the last answer: accepted, going out, delivered, received. Long words never hide what can be done. */
function lastAnswer(inbox: Inbox, width: number, { style, now }: Look): string {
  const id = inbox.answered.at(-1);
  const decision = id === undefined ? undefined : inbox.details.get(id);
  if (!decision) return "";
  const { held } = decision;
  const said = decision.state === "pending" && !held ? saidWords(decision) : null;
  if (said !== null) return style.yellow(truncate(`${decision.id}: ${said}`, width));
  if (!held && !decision.answer)
    return style.yellow(truncate(`${decision.id}: ${standing(decision, now)}`, width)); // it ended before that went out
  const batch = inbox.undoable.find((it) => it.includes(decision.id))?.length ?? 1;
  const name = batch > 1 ? count(batch, "decision") : decision.id;
  const what = answerWords(held ? { answer: held.answer } : decision);
  const after = held
    ? `, ${batch > 1 ? "go" : "goes"} out in ${secondsTo(held.release_at_ms, now)} s`
    : `. ${deliveryWords(decision) ?? ""}`;
  const room = Math.max(8, width - widthOf(name) - widthOf(after) - 2);
  const text = truncate(`${name}: ${truncate(what, room)}${after}`, width);
  return held ? style.yellow(text) : style.green(text);
}

/** Shows the end of what is typed, because that is where the person is looking. */
function typing(label: string, text: string, width: number, colour: (text: string) => string): string {
  const shown = safeLine(text);
  const room = Math.max(4, width - widthOf(label) - 2);
  let end = shown;
  while (widthOf(end) > room) end = [...end].slice(1).join("");
  return `${colour(label)}${end === shown ? "" : "…"}${end}▏`;
}

function hints(inbox: Inbox, view: View, now: number): string[] {
  const { mode, marked } = inbox;
  switch (mode.type) {
    case "write":
      return ["Enter send", "Esc back (your text is kept)"];
    case "filter":
      return ["type to filter", "Enter done", "Esc show all"];
    case "confirm":
      return [`Enter yes${mode.ids.length > 1 ? `, all ${mode.ids.length}` : ""}`, "Esc no", "J/K scroll"];
    case "remember":
      return [mode.found?.rule ? "1-3 choose" : "1 choose", "Enter accept", "Esc back", "J/K scroll"];
    case "suggestion":
      return [
        "1-2 choose",
        "Enter accept",
        "Esc not now",
        "J/K scroll",
        ...(inbox.suggestions.length > 1 ? ["j/k next"] : []),
      ];
    case "help":
    case "peek":
      return ["Esc or q back", "J/K scroll"];
    default:
      if (view.starting)
        return view.starting.given === null
          ? ["j/k move", "Enter start it", "Esc back"]
          : ["Enter next", "Esc back"];
      if (view.fleet) return fleetHints(view.fleet, now);
      if (view.isWhole) return ["e, Esc or q back", "J/K scroll"];
      return [
        ...undoHint(inbox, now),
        ...(marked.size > 0
          ? [`${marked.size} marked: 1-9 choose, Enter answers them`, "m unmark", "Esc unmark all", "? help"]
          : usual(inbox)),
      ];
  }
}

/** The first thing on the line, so that nothing pushes it out. */
function undoHint({ undoable, details }: Inbox, now: number): string[] {
  const batch = undoable.at(-1);
  const held = batch?.[0] === undefined ? null : details.get(batch[0])?.held;
  if (!batch || !held) return [];
  const what = batch.length > 1 ? `take ${batch.length} answers back` : "take it back";
  return [`u ${what} (${secondsTo(held.release_at_ms, now)} s)`];
}

function usual(inbox: Inbox): string[] {
  const { selected, details } = inbox;
  const decision = selected === null ? undefined : details.get(selected);
  if (selected === null || !decision || !isOpen(inbox, selected))
    return inbox.items.size === 0
      ? ["? help", "f fleet", "c start", "q quit"]
      : ["? help", "j/k move", "/ filter", "f fleet", "c start", "q quit"];
  return [
    "? help",
    "1-9 choose",
    "Enter send",
    ...(haveSeen(inbox, [selected]) ? [] : ["J read on"]),
    ...(isRememberable(decision) ? ["R remember"] : []),
    ...(hearsWords(decision) ? [wordsSuffice(decision) ? "t reply" : "r why"] : []),
    "j/k move",
    ...(decision.agent_id === null || isFailure(selected) ? [] : ["p peek"]),
    "e whole text",
    ...(isFailure(selected) ? [] : ["d dismiss"]),
    "q quit",
    "f fleet",
  ];
}

function secondsTo(ms: number, now: number): number {
  return Math.max(0, Math.ceil((ms - now) / 1000));
}
