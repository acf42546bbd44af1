/** One decision, asked place by place: its options, or one question after the other; then text where it is needed, then a message. */
import type { DecisionView, OptionView, ResolveBody } from "../../api/api.ts";
import { never } from "../../core/model/errors.ts";
import type { Choice } from "../../inbox/answer.ts";
import { choicesOf, read } from "../../inbox/answer.ts";
import { isRememberable } from "../../inbox/card/rule.ts";
import type { AnswerForm } from "../../inbox/model.ts";
import { widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { questionLines } from "../card/questions.ts";
import type { Command } from "./command-line.ts";
import { otherOf, takesWords } from "./command-line.ts";

export type Reply =
  | { type: "answer"; body: ResolveBody }
  | { type: "remember" }
  | { type: "suggestion" }
  | { type: "skip" }
  | { type: "quit" }
  | { type: "interrupt" };

/** Where the person's input comes from: keys in a terminal, or lines from a pipe. */
export interface Reader {
  /** Asks until it has a command; `back` goes to the previous place. */
  command(prompt: string, place: Choice, decision: DecisionView): Promise<Command | Left | { type: "back" }>;
  /** One line of text. If it is required, nothing empty comes back. */
  field(label: string, needed: boolean, begun: string): Promise<Field | Left>;
}

export type Left = { type: "quit" } | { type: "interrupt" };
export type Field = { type: "text"; text: string } | { type: "back" };

interface Look {
  style: Style;
  width: number;
  write(text: string): void;
  /** Whether answers suggest a rule now. */
  hasSuggestion?(): boolean;
}

const EMPTY: AnswerForm = { at: 0, cursor: 0, choices: [], texts: [], message: "" };

export async function answering(reader: Reader, decision: DecisionView, look: Look): Promise<Reply> {
  const several = decision.questions.length > 1;
  const places = several ? choicesOf(decision).slice(0, -1) : choicesOf(decision);
  let form = EMPTY;
  let at = 0;
  for (;;) {
    const place = places[at];
    if (!place) {
      if (several) look.write(`${chosenWords(places, form, look.style)}\n`);
      const message = await reader.field("message", needsMessage(places, form), form.message);
      if (message.type === "back") at -= 1;
      else if (message.type !== "text") return message;
      else return answerOf(decision, { ...form, message: message.text });
      continue;
    }
    if (several && at > 0) look.write(`\n${questionText(decision, at, look)}\n`);
    const command = await reader.command(prompt(place, decision, look), place, decision);
    switch (command.type) {
      case "help":
        look.write(`${help(place, decision, look.hasSuggestion?.() ?? false)}\n`);
        break;
      case "back":
        at = Math.max(0, at - 1);
        break;
      case "named": {
        const message = await reader.field("message", false, form.message);
        if (message.type === "text") return named(command.key, message.text);
        if (message.type !== "back") return message;
        break;
      }
      case "numbers": {
        look.write(command.numbers.map((it) => `${chosen(place, it)}\n`).join(""));
        const words = await wordsFor(reader, place, command.numbers);
        if (words.type === "quit" || words.type === "interrupt") return words;
        if (words.type === "back") break;
        form = withAnswer(form, at, command.numbers, words.text);
        at += 1;
        break;
      }
      case "words": {
        const words = await reader.field("your words", true, command.text);
        if (words.type === "quit" || words.type === "interrupt") return words;
        if (words.type === "back") break;
        const other = otherOf(place);
        form = withAnswer(form, at, other === null ? [] : [other], words.text);
        if (other === null) return answerOf(decision, form);
        at += 1;
        break;
      }
      case "remember":
      case "suggestion":
      case "skip":
      case "quit":
      case "interrupt":
        return command;
      default:
        return never(command);
    }
  }
}

/** Text that an option asks for, in a field of its own. */
async function wordsFor(reader: Reader, { options }: Choice, numbers: number[]): Promise<Field | Left> {
  const isNeeded = options.some((it) => numbers.includes(it.number) && it.needs === "text");
  return isNeeded ? reader.field("your words", true, "") : { type: "text", text: "" };
}

function needsMessage(places: readonly Choice[], { choices }: AnswerForm): boolean {
  return places.some(({ options }, at) =>
    options.some((it) => it.needs === "message" && choices[at]?.includes(it.number)),
  );
}

function withAnswer(form: AnswerForm, at: number, numbers: number[], text: string): AnswerForm {
  const put = <T>(list: readonly T[], value: T, empty: T) =>
    Array.from({ length: Math.max(list.length, at + 1) }, (_, n) => (n === at ? value : (list[n] ?? empty)));
  return {
    ...form,
    choices: put<readonly number[]>(form.choices, numbers, []),
    texts: put(form.texts, text, ""),
  };
}

function answerOf(decision: DecisionView, form: AnswerForm): Reply {
  const reading = read(decision, form);
  if (reading.type !== "ready")
    throw new Error(`everything was asked for, but the answer is incomplete: ${reading.why}`);
  return { type: "answer", body: reading.body };
}

function named(key: string, message: string): Reply {
  return {
    type: "answer",
    body: { option: key, text: null, message: message.trim() === "" ? null : message },
  };
}

function questionText(decision: DecisionView, at: number, look: Look): string {
  const question = decision.questions[at];
  return question ? questionLines(question, at, decision, look).join("\n") : "";
}

/** The keys, with what they do if there is room for that beside what is typed. */
function prompt(place: Choice, decision: DecisionView, { style, width, hasSuggestion }: Look): string {
  const last = place.options.length;
  const range = last === 1 ? "1" : `1-${last}`;
  const keys: [key: string, does: string][] = [
    [place.multiple ? `${range} (1,2 for several)` : range, " choose"],
    ...(isRememberable(decision) ? [["R", " remember this"] as [string, string]] : []),
    ...(hasSuggestion?.() ? [["P", " suggested rule"] as [string, string]] : []),
    ["s", " skip"],
    ["q", " quit"],
    ...(decision.questions.length > 1 ? decision.options.map(keyOf) : []),
    ...(takesWords(place, decision) ? [["t", " your own words"] as [string, string]] : []),
    ["?", " help"],
  ];
  const long = `${keys.map(([key, does]) => `${style.bold(key)}${does}`).join(", ")}: `;
  return widthOf(long) + ROOM_TO_TYPE <= width
    ? long
    : `${keys.map(([key]) => style.bold(key)).join(", ")}: `;
}

const ROOM_TO_TYPE = 6;

function keyOf({ key }: OptionView): [string, string] {
  return [safeLine(key), ""];
}

function help(place: Choice, decision: DecisionView, hasSuggestion: boolean): string {
  const several = decision.questions.length > 1;
  return [
    several
      ? `  1-${place.options.length}  answer this question; the next one follows, then a message if you like`
      : `  1-${place.options.length}  choose that option, add a message if you like, and press Enter to answer`,
    ...(place.multiple ? ["  1,2  choose several, then Enter"] : []),
    ...(several
      ? decision.options.map((it) => `  ${safeLine(it.key)}  ${safeLine(it.description ?? it.effect)}`)
      : []),
    ...(takesWords(place, decision)
      ? ["  t    then Enter: answer in your own words; or just type them and press Enter"]
      : []),
    ...(isRememberable(decision)
      ? ["  R    remember this: see the rule it would become, for this job or always in this project"]
      : []),
    ...(hasSuggestion ? ["  P    look at the rule that your answers suggest; you come back to this"] : []),
    "  s    skip: it stays pending, and the next one is shown",
    "  q    quit: whatever is not answered stays pending",
    `  For more: oj decision resolve ${decision.id} --help`,
  ].join("\n");
}

function chosen({ options }: Choice, number: number): string {
  const option = options[number - 1];
  return `→ ${number} ${safeLine(option?.label ?? "")}${option?.effect ? `: ${safeLine(option.effect)}` : ""}`;
}

/** All answers once more, before they are sent. */
function chosenWords(places: readonly Choice[], { choices, texts }: AnswerForm, style: Style): string {
  const lines = places.map((place, at) => {
    const labels = (choices[at] ?? []).map((number) => {
      const option = place.options[number - 1];
      return option?.needs === "text" ? `"${texts[at] ?? ""}"` : (option?.label ?? "");
    });
    return `  ${style.dim(safeLine(place.header ?? place.title ?? ""))}  ${safeLine(labels.join(", "))}`;
  });
  return ["", "your answers:", ...lines].join("\n");
}
