/** Single keys from a terminal: what the bytes mean, and a keyboard that can be waited for. */

export type Key =
  | { type: "text"; text: string }
  /** Text that came all at once: it may fill a line, but never counts as key presses. */
  | { type: "paste"; text: string }
  /** Arrows and the like, by name. */
  | { type: "move"; name: Move }
  | { type: "enter" | "escape" | "backspace" | "clear" | "interrupt" | "end" | "other" };

export type Move =
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "page-up"
  | "page-down"
  | "tab"
  | "shift+tab";

const ESCAPE = "\u001b";
const PASTE_BEGINS = `${ESCAPE}[200~`;
const PASTE_ENDS = `${ESCAPE}[201~`;
/** What a terminal sends for arrows, function keys and the like: CSI and SS3 sequences, and Alt with a key. */
const SEQUENCE = new RegExp(`^${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|O.|[^\\[O])`, "su");

const MOVES: Readonly<Record<string, Move>> = {
  "[A": "up",
  OA: "up",
  "[B": "down",
  OB: "down",
  "[C": "right",
  OC: "right",
  "[D": "left",
  OD: "left",
  "[H": "home",
  OH: "home",
  "[1~": "home",
  "[F": "end",
  OF: "end",
  "[4~": "end",
  "[5~": "page-up",
  "[6~": "page-down",
  "[Z": "shift+tab",
};

const CONTROLS: Readonly<Record<string, Exclude<Key["type"], "text" | "paste" | "move">>> = {
  "\r": "enter",
  "\n": "enter",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0015": "clear",
  "\u0003": "interrupt",
  "\u0004": "end",
  [ESCAPE]: "escape",
};

/** Cuts what arrived into keys; `rest` is the beginning of a paste that is not complete yet. */
export function keysOf(input: string): { keys: Key[]; rest: string } {
  const keys: Key[] = [];
  let rest = input;
  while (rest !== "") {
    if (rest.startsWith(PASTE_BEGINS)) {
      const end = rest.indexOf(PASTE_ENDS);
      if (end < 0) return { keys, rest };
      keys.push({ type: "paste", text: rest.slice(PASTE_BEGINS.length, end) });
      rest = rest.slice(end + PASTE_ENDS.length);
      continue;
    }
    const sequence = SEQUENCE.exec(rest)?.[0];
    const key = sequence ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
    keys.push(sequence === undefined ? keyOf(key) : moveOf(sequence));
    rest = rest.slice(key.length);
  }
  return { keys, rest };
}

function moveOf(sequence: string): Key {
  const name = MOVES[sequence.slice(1)];
  return name ? { type: "move", name } : { type: "other" };
}

function keyOf(character: string): Key {
  if (character === "\t") return { type: "move", name: "tab" };
  const control = CONTROLS[character];
  if (control) return { type: control };
  return /\p{Cc}/u.test(character) ? { type: "other" } : { type: "text", text: character };
}

export interface Keyboard {
  /** Waits for a key. Rejects when the signal is aborted. */
  next(abort: AbortSignal): Promise<Key>;
  /** Drops what was typed ahead: nobody may answer a question that was not on the screen yet. */
  forget(): void;
  close(): void;
}

/** Switches the terminal to single keys until it is closed. */
export function openKeyboard(stdin: NodeJS.ReadStream, writeControl: (text: string) => void): Keyboard {
  let keys: Key[] = [];
  let rest = "";
  let wake: () => void = () => {};
  const onData = (part: string) => {
    const found = keysOf(rest + part);
    keys.push(...found.keys);
    rest = found.rest;
    wake();
  };
  const onEnd = () => {
    keys.push({ type: "end" });
    wake();
  };
  const restore = () => writeControl(`${ESCAPE}[?2004l`);
  stdin.setEncoding("utf8").on("data", onData).on("end", onEnd);
  stdin.setRawMode(true).resume();
  writeControl(`${ESCAPE}[?2004h`);
  process.once("exit", restore);

  return {
    async next(abort) {
      for (;;) {
        abort.throwIfAborted();
        const key = keys.shift();
        if (key) return key;
        await new Promise<void>((resolve) => {
          wake = () => {
            abort.removeEventListener("abort", wake);
            resolve();
          };
          abort.addEventListener("abort", wake);
        });
      }
    },
    forget() {
      keys = keys.filter((key) => key.type === "interrupt" || key.type === "end");
    },
    close() {
      process.off("exit", restore);
      restore();
      stdin.off("data", onData).off("end", onEnd);
      stdin.setRawMode(false).pause();
    },
  };
}

/** What the keys make of a line that is being typed. */
export function edit(line: string, key: Key): string {
  switch (key.type) {
    case "text":
      return line + key.text;
    case "paste":
      return line + key.text.replace(/\s*[\r\n]+\s*/g, " ").replace(/\p{Cc}/gu, "");
    case "backspace":
      return [...line].slice(0, -1).join("");
    case "clear":
      return "";
    default:
      return line;
  }
}
