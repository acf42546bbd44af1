/** How a person answers in `review`: by single keys at a terminal, or by lines from a pipe. */
import type { DecisionView } from "../../api.ts";
import type { Style } from "../command.ts";
import type { Keyboard } from "../keys.ts";
import { edit } from "../keys.ts";
import { truncate, widthOf } from "../layout.ts";
import { safeLine } from "../safe.ts";

export type Reply =
  | { type: "choice"; number: number; message: string | null }
  | { type: "skip" }
  | { type: "quit" }
  | { type: "interrupt" };

export interface Dialog {
  /** Asks about the decision that was just shown. Rejects when `closed` is aborted: somebody else settled it. */
  ask(decision: DecisionView, closed: AbortSignal): Promise<Reply>;
  /** Lets the person take notice before the next card comes, so that no key hits the wrong one. */
  notice(abort: AbortSignal): Promise<Reply | null>;
}

interface Look {
  style: Style;
  width: number;
  /** Writes to the terminal without ending the line. */
  write(text: string): void;
}

export function keyDialog(keyboard: Keyboard, look: Look): Dialog {
  const { style, write } = look;
  return {
    async ask(decision, closed) {
      keyboard.forget();
      write(prompt(decision, style));
      for (;;) {
        const key = await keyboard.next(closed);
        if (key.type === "interrupt") return echo(write, "^C", { type: "interrupt" });
        if (key.type === "end") return echo(write, "", { type: "quit" });
        if (key.type !== "text") continue;
        const reply = readReply(key.text, decision);
        if (reply?.type === "choice") {
          write(`${key.text}\n`);
          const message = await askMessage(keyboard, closed, decision, reply.number, look);
          if (message === "interrupt") return { type: "interrupt" };
          if (message !== "back") return { ...reply, message: message.text };
          write(prompt(decision, style));
        } else if (reply) {
          return echo(write, key.text, reply);
        } else if (key.text === "?") {
          write(`?\n${help(decision)}\n${prompt(decision, style)}`);
        }
      }
    },
    async notice(abort) {
      keyboard.forget();
      write(style.dim("any key goes on "));
      const key = await keyboard.next(abort);
      write("\n");
      return key.type === "interrupt" ? { type: "interrupt" } : key.type === "end" ? { type: "quit" } : null;
    },
  };
}

/** One line for the choice, the next for the message. The end of the input is `q`, or no message. */
export function lineDialog(lines: AsyncIterator<string>, look: Look): Dialog {
  const next = async () => {
    const line = await lines.next();
    return line.done ? null : line.value;
  };
  return {
    async ask(decision) {
      for (;;) {
        look.write(`${prompt(decision, look.style)}\n`);
        const line = await next();
        if (line === null) return { type: "quit" };
        const reply = readReply(line.trim(), decision);
        if (reply?.type === "choice") {
          look.write(`${chosen(decision, reply.number)}\nmessage (an empty line for none):\n`);
          return { ...reply, message: (await next()) || null };
        }
        if (reply) return reply;
        look.write(
          `${line.trim() === "?" ? "" : `"${safeLine(line)}" is none of these. `}${help(decision)}\n`,
        );
      }
    },
    notice: async () => null,
  };
}

function readReply(text: string, decision: DecisionView): Reply | null {
  if (text === "s") return { type: "skip" };
  if (text === "q") return { type: "quit" };
  const number = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= decision.options.length ? { type: "choice", number, message: null } : null;
}

/** The line is typed below what was chosen; Enter sends it, Esc takes the choice back. */
async function askMessage(
  keyboard: Keyboard,
  closed: AbortSignal,
  decision: DecisionView,
  number: number,
  { style, width, write }: Look,
): Promise<{ text: string | null } | "back" | "interrupt"> {
  write(`${chosen(decision, number)}\n`);
  const label = `${style.bold("message")} ${style.dim("(Enter: none, Esc: choose again)")} `;
  let line = "";
  for (;;) {
    write(`\r\u001b[K${label}${tail(safeLine(line), width - widthOf(label) - 1)}`);
    const key = await keyboard.next(closed);
    if (key.type === "enter") return echo(write, "", { text: line.trim() === "" ? null : line });
    if (key.type === "escape") return echo(write, "", "back");
    if (key.type === "interrupt" || key.type === "end") return echo(write, "", "interrupt");
    line = edit(line, key);
  }
}

function prompt({ options }: DecisionView, style: Style): string {
  const range = options.length === 1 ? "1" : `1-${options.length}`;
  return `${style.bold(range)} choose, ${style.bold("s")} skip, ${style.bold("q")} quit, ${style.bold("?")} help: `;
}

function help({ id, options }: DecisionView): string {
  return [
    `  1-${options.length}  choose that option; then a message may follow, and Enter answers`,
    "  s    skip: it stays pending, the next one is shown",
    "  q    quit: everything not answered stays pending",
    `  More than review can do: oj decision resolve ${id} --help`,
  ].join("\n");
}

function chosen({ options }: DecisionView, number: number): string {
  const option = options[number - 1];
  return `→ ${number} ${safeLine(option?.label ?? "")}${option?.effect ? `: ${safeLine(option.effect)}` : ""}`;
}

/** The end of a line that is longer than its place. */
function tail(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const reversed = [...text].reverse().join("");
  return [...truncate(reversed, width)].reverse().join("");
}

function echo<T>(write: (text: string) => void, text: string, value: T): T {
  write(`${text}\n`);
  return value;
}
