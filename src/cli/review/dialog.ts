/** How a person answers in `review`: with single keys at a terminal, or with lines from a pipe. */
import type { DecisionView } from "../../api/api.ts";
import type { Choice } from "../../inbox/answer.ts";
import type { ScopeChoice } from "../../inbox/card/rule.ts";
import { truncate, widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import type { Key, Keyboard } from "../base/keys.ts";
import { edit } from "../base/keys.ts";
import type { Left, Reader, Reply } from "./answering.ts";
import { answering } from "./answering.ts";
import { actsAtOnce, readCommand, takesWords } from "./command-line.ts";
import { pickScope } from "./remember.ts";

export type { Reply } from "./answering.ts";

export interface Dialog {
  /** Asks about the decision that was just shown. Rejects if `closed` is aborted: somebody else settled it. */
  ask(decision: DecisionView, closed: AbortSignal): Promise<Reply>;
  /** Asks how long an approval is remembered; null: the person went back. */
  pick<S extends string>(
    choices: readonly ScopeChoice<S>[],
    closed: AbortSignal,
  ): Promise<ScopeChoice<S> | Left | null>;
  /** Lets the person notice before the next card comes, so that no key hits the wrong one. */
  notice(abort: AbortSignal): Promise<Reply | null>;
}

interface Look {
  style: Style;
  width: number;
  /** Writes to the terminal without ending the line. */
  write(text: string): void;
  hasSuggestion?(): boolean;
}

export function keyDialog(keyboard: Keyboard, look: Look): Dialog {
  return {
    async ask(decision, closed) {
      keyboard.forget();
      return answering(keyReader(keyboard, closed, look), decision, look);
    },
    pick: (choices, closed) => pickScope(keyReader(keyboard, closed, look), choices, look.write),
    async notice(abort) {
      keyboard.forget();
      look.write(look.style.dim("press any key to continue "));
      const key = await keyboard.next(abort);
      look.write("\n");
      return key.type === "interrupt" ? { type: "interrupt" } : key.type === "end" ? { type: "quit" } : null;
    },
  };
}

/** A key that is a command acts at once. Any other begins a line, which is read as a whole when Enter comes. */
function keyReader(keyboard: Keyboard, closed: AbortSignal, look: Look): Reader {
  const { style, write } = look;
  return {
    async command(prompt, place, decision) {
      let line = "";
      for (;;) {
        draw(prompt, line, look);
        const key = await keyboard.next(closed);
        if (key.type === "interrupt") return echo(write, "^C", { type: "interrupt" });
        if (key.type === "end") return echo(write, "", { type: "quit" });
        if (key.type === "escape" && line === "") return echo(write, "", { type: "back" });
        if (key.type === "escape") line = "";
        const isWhole = line === "" && key.type === "text" && actsAtOnce(key.text, place, decision);
        if (isWhole || (key.type === "enter" && line.trim() !== "")) {
          write(isWhole ? `${keyText(key)}\n` : "\n");
          const command = readCommand(isWhole ? keyText(key) : line, place, decision);
          if (command) return command;
          write(`${noneOfThese(line, place, decision)}\n`);
          line = "";
        } else if (line !== "" || keyText(key).trim() !== "") line = edit(line, key);
      }
    },
    async field(label, needed, begun) {
      let line = begun;
      const keys = needed ? "(Enter: continue, Esc: choose again)" : "(Enter: none, Esc: choose again)";
      for (;;) {
        draw(`${style.bold(label)} ${style.dim(keys)} `, line, look);
        const key = await keyboard.next(closed);
        if (key.type === "escape") return echo(write, "", { type: "back" });
        if (key.type === "interrupt" || key.type === "end") return echo(write, "", { type: "interrupt" });
        if (key.type !== "enter") line = edit(line, key);
        else if (!needed || line.trim() !== "") return echo(write, "", { type: "text", text: line });
        else write("\ntype an answer, or press Esc to choose again\n");
      }
    },
  };
}

function keyText(key: Key): string {
  return key.type === "text" || key.type === "paste" ? key.text : "";
}

function draw(label: string, line: string, { width, write }: Look): void {
  write(`\r\u001b[K${label}${tail(safeLine(line), width - widthOf(label) - 1)}`);
}

/** One line for each choice, the next for its text or the message. The end of the input counts as `q`, or as no message. */
export function lineDialog(lines: AsyncIterator<string>, look: Look): Dialog {
  const next = async () => {
    const line = await lines.next();
    return line.done ? null : line.value;
  };
  const reader: Reader = {
    async command(prompt, place, decision) {
      for (;;) {
        look.write(`${prompt}\n`);
        const line = await next();
        if (line === null) return { type: "quit" };
        const command = readCommand(line, place, decision);
        // Text comes on a line of its own, after `t` or Other: an extra line must not become an answer.
        if (command && (command.type !== "words" || command.text === "")) return command;
        look.write(`${noneOfThese(line, place, decision)}\n`);
      }
    },
    async field(label, needed) {
      for (;;) {
        look.write(`${label} (${needed ? "one line" : "an empty line for none"}):\n`);
        const line = await next();
        if (line === null && needed) return { type: "quit" };
        if (!needed || (line ?? "").trim() !== "") return { type: "text", text: line ?? "" };
      }
    },
  };
  return {
    ask: (decision) => answering(reader, decision, look),
    pick: (choices) => pickScope(reader, choices, look.write),
    notice: async () => null,
  };
}

function noneOfThese(line: string, place: Choice, decision: DecisionView): string {
  const range = `1-${place.options.length}`;
  const why =
    decision.questions.length <= 1 && !takesWords(place, decision)
      ? ` Answer this with a choice: ${range}.`
      : ` Choose ${range}${takesWords(place, decision) ? ", t for your own words," : ""} or ? for help.`;
  return `"${safeLine(line)}" is not one of the choices.${why}`;
}

/** The end of a line that is longer than its space. */
function tail(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const reversed = [...text].reverse().join("");
  return [...truncate(reversed, width)].reverse().join("");
}

function echo<T>(write: (text: string) => void, text: string, value: T): T {
  write(`${text}\n`);
  return value;
}
