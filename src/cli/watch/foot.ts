/** The two lines at the bottom: what just happened or is being typed, and the keys that help now. */

import { dismissalWords } from "../../inbox/answer.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, wordsIn } from "../../inbox/model.ts";
import { answerWords, deliveryWords } from "../../inbox/words.ts";
import { truncate, widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Look } from "./list-pane.ts";

export function foot(inbox: Inbox, width: number, look: Look): [string, string] {
  return [first(inbox, width, look), look.style.dim(truncate(hints(inbox), width))];
}

function first(inbox: Inbox, width: number, { style, now }: Look): string {
  const { mode, notice, selected } = inbox;
  if (mode.type === "write" && selected !== null) {
    const name = mode.field === "text" ? "your words" : "why";
    return typing(`${name}: `, wordsIn(formOf(inbox, selected), mode.field), width, style.cyan);
  }
  if (mode.type === "filter") return typing("/", inbox.filter.text, width, style.cyan);
  if (mode.type === "confirm") {
    const what =
      mode.what === "dismiss"
        ? dismissing(inbox)
        : `answer ${mode.ids.length} decisions the same way: ${mode.ids.join(" ")}?`;
    return style.bold(style.yellow(truncate(`${what}  Enter: yes, Esc: no`, width)));
  }
  if (notice) {
    const colour = { info: style.cyan, warning: style.yellow, error: style.red }[notice.kind];
    return colour(truncate(safeLine(notice.text), width));
  }
  return lastAnswer(inbox, width, { style, now });
}

function dismissing({ selected, details }: Inbox): string {
  const decision = selected === null ? undefined : details.get(selected);
  return `dismiss ${selected}?${decision ? ` ${safeLine(dismissalWords(decision))}` : ""}`;
}

/** What became of the last answer: accepted, going out, delivered, received. */
function lastAnswer(inbox: Inbox, width: number, { style, now }: Look): string {
  const id = inbox.answered.at(-1);
  const decision = id === undefined ? undefined : inbox.details.get(id);
  if (!decision) return "";
  const { held } = decision;
  if (held) {
    const seconds = Math.max(0, Math.ceil((held.release_at_ms - now) / 1000));
    const text = `${decision.id}: ${answerWords({ answer: held.answer })}, goes out in ${seconds} s (u takes it back)`;
    return style.yellow(truncate(text, width));
  }
  const text = `${decision.id}: ${answerWords(decision)}. ${deliveryWords(decision) ?? ""}`;
  return style.green(truncate(text, width));
}

/** Shows the end of what is typed, because that is where the person is looking. */
function typing(label: string, text: string, width: number, colour: (text: string) => string): string {
  const shown = safeLine(text);
  const room = Math.max(4, width - widthOf(label) - 2);
  let end = shown;
  while (widthOf(end) > room) end = [...end].slice(1).join("");
  return `${colour(label)}${end === shown ? "" : "…"}${end}▏`;
}

function hints({ mode, marked }: Inbox): string {
  switch (mode.type) {
    case "write":
      return "Enter send  Esc back (your text is kept)";
    case "filter":
      return "type to filter  Enter done  Esc done";
    case "confirm":
      return "Enter yes  Esc no";
    case "help":
    case "peek":
      return "Esc back";
    default:
      return marked.size > 0
        ? `${marked.size} marked: 1-9 choose, Enter answers all of them  Esc unmark  ? help`
        : "? help  1-9 choose  Enter send  j/k move  t own words  r why  p peek  u undo  d dismiss  q quit";
  }
}
