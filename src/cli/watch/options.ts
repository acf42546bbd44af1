/** The options of the decision in focus, which stay in place while its text scrolls. */
import type { DecisionView } from "../../api/api.ts";
import type { Choice, ChoiceOption } from "../../inbox/answer.ts";
import { choicesOf } from "../../inbox/answer.ts";
import { isRememberable } from "../../inbox/card/rule.ts";
import { changeIn } from "../../inbox/edit.ts";
import type { AnswerForm } from "../../inbox/model.ts";
import { wordsIn } from "../../inbox/model.ts";
import { hang, pad, truncate, widthOf, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Look } from "./pane.ts";

export interface Answering {
  lines: string[];
  /** With several questions: the lines of all of them, and which are on the screen. */
  asked: { lines: string[]; from: number; to: number; isCut: boolean } | null;
}

/** In full, with a line for each, or as short as can be; `room` is for the question above them. */
export type Form = "full" | "lines" | "labels";
export const FORMS: readonly Form[] = ["full", "lines", "labels"];

export function answering(
  decision: DecisionView,
  form: AnswerForm,
  { width, room, how }: { width: number; room: number; how: Form },
  look: Look,
): Answering {
  const places = choicesOf(decision);
  const place = places[form.at];
  if (!place) return { lines: [], asked: null };
  const asked = places.length > 1 ? questionLines(places, form.at, width, room) : null;
  const question = (asked?.lines.slice(asked.from, asked.to) ?? []).map((it) => look.style.bold(it));
  const cut = asked?.isCut ? [look.style.dim("… e opens the whole question")] : [];
  const text = wordsIn(form, "text");
  const words = [
    ...(text === "" ? [] : [`  words: ${truncate(safeLine(text), width - 10)}`]),
    ...(changeIn(decision, form) === null
      ? []
      : [`  changed: ${truncate(safeLine((form.edit ?? "").trimEnd()), width - 12)}`]),
    ...(form.message === "" ? [] : [`  why: ${truncate(safeLine(form.message), width - 8)}`]),
  ];
  const options = optionLines(place, form, width, look, how);
  const tabs = places.length > 1 ? [tabLine(places, form, width, look)] : [];
  const kept = how !== "labels" && isRememberable(decision) ? [rememberLine(width, look)] : [];
  return { lines: [...tabs, ...question, ...cut, ...options, ...kept, ...words], asked };
}

function rememberLine(width: number, { style }: Look): string {
  return style.dim(truncate(" R   Remember this: for this job, or always here", width));
}

/** The lines of all questions; those of the one in focus are shown, as many as there is room for. */
function questionLines(
  places: readonly Choice[],
  at: number,
  width: number,
  room: number,
): NonNullable<Answering["asked"]> {
  const each = places.map((it) => (it.title === null ? [] : wrap(safe(it.title), width)));
  const from = each.slice(0, at).flat().length;
  const own = each[at]?.length ?? 0;
  const shown = own <= room ? own : Math.max(1, room - 1);
  const lines = each.flat().map((it) => truncate(it, width));
  return { lines, from, to: from + shown, isCut: shown < own };
}

/** Send is a place too, but no question. */
function tabLine(places: readonly Choice[], form: AnswerForm, width: number, { style }: Look): string {
  const names = places.map((it, at) => {
    const done = (form.choices[at] ?? []).length > 0 ? "✓" : " ";
    return `${done}${truncate(safeLine(it.header ?? it.title ?? String(at + 1)), 16)}`;
  });
  const count = places.length - 1;
  const short = form.at < count ? `question ${form.at + 1} of ${count}` : `all ${count} questions: send`;
  if (names.reduce((sum, it) => sum + widthOf(it) + 3, 0) > width) return style.bold(short);
  return names
    .map((name, at) => (at === form.at ? style.bold(style.cyan(`[${name}]`)) : ` ${name} `))
    .join(" ");
}

function optionLines(place: Choice, form: AnswerForm, width: number, look: Look, how: Form): string[] {
  const says = (it: ChoiceOption) => {
    const isCommon = place.options.every((one) => one.effect === it.effect); // then the effect says nothing
    return safeLine(it.description ?? (isCommon ? "" : it.effect));
  };
  const column = Math.min(
    Math.max(...place.options.map((it) => widthOf(labelOf(it)))),
    Math.floor(width / 2),
  );
  return place.options.flatMap((it) => {
    const chosen = (form.choices[form.at] ?? []).includes(it.number);
    const box = place.multiple ? (chosen ? "[✓]" : "[ ]") : chosen ? "●" : " ";
    const focus = form.cursor === it.number - 1 ? "›" : " ";
    const head = `${focus}${it.number} ${box} `;
    const paint = (text: string) => (chosen ? look.style.bold(look.style.cyan(text)) : look.style.bold(text));
    const label = labelOf(it);
    const room = width - widthOf(head);
    const rest = how === "labels" ? "" : says(it);
    if (widthOf(label) <= column && column + 2 + widthOf(rest) <= room)
      return [
        rest === ""
          ? paint(`${head}${label}`)
          : `${paint(`${head}${pad(label, column)}`)}  ${look.style.dim(rest)}`,
      ];
    const beside = room - column - 2;
    if (how === "full" && widthOf(label) <= column && beside >= LEAST_BESIDE) {
      const [first = "", ...more] = wrap(rest, beside).map(look.style.dim);
      const under = " ".repeat(widthOf(head) + column + 2);
      return [`${paint(`${head}${pad(label, column)}`)}  ${first}`, ...more.map((line) => `${under}${line}`)];
    }
    if (how === "full" && rest !== "")
      return [
        ...hang(head, label, width).map(paint),
        ...wrap(rest, room).map((line) => look.style.dim(`${" ".repeat(widthOf(head))}${line}`)),
      ];
    if (widthOf(label) > room) return shortened(hang(head, label, width), width).map(paint);
    const shown = beside < LEAST_CUT ? label : pad(label, column); // in one column, unless nothing would be left
    const left = room - widthOf(shown) - 2;
    const short = left < LEAST_CUT || rest === "" ? "" : `  ${look.style.dim(truncate(rest, left))}`;
    return [`${paint(`${head}${shown}`)}${short}`.trimEnd()];
  });
}

/** Narrower than this, what an option does stands below its label. */
const LEAST_BESIDE = 24;
/** Narrower than this, a part of what it does says nothing. */
const LEAST_CUT = 12;

function labelOf({ label, recommended }: ChoiceOption): string {
  return `${safeLine(label)}${recommended ? " ★" : ""}`;
}

/** A label is shown in two lines at most; all of it is in the whole text. */
function shortened([first = "", second, ...more]: readonly string[], width: number): string[] {
  if (second === undefined) return [first];
  return [first, more.length === 0 ? second : truncate(`${second} …`.padEnd(width + 1, "…"), width)];
}
