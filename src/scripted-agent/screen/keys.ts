/** What the terminal sends → keys. Pure: bytes that may still become a longer sequence are kept for the next call. */

export type Key =
  /** One character. */
  | { type: "char"; char: string }
  /** Text between the marks of a bracketed paste: never keys, whatever is in it. */
  | { type: "paste"; text: string }
  | { type: NamedKey };

export type NamedKey =
  | "enter"
  | "newline"
  | "tab"
  | "back-tab"
  | "escape"
  | "up"
  | "down"
  | "left"
  | "right"
  | "backspace"
  | "ctrl-c"
  | "ctrl-d"
  | "ctrl-u"
  | "other";

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";

const CONTROL: Readonly<Record<string, NamedKey>> = {
  "\r": "enter",
  "\n": "newline",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0003": "ctrl-c",
  "\u0004": "ctrl-d",
  "\u0015": "ctrl-u",
};

const SEQUENCES: Readonly<Record<string, NamedKey>> = {
  "\u001b[A": "up",
  "\u001b[B": "down",
  "\u001b[C": "right",
  "\u001b[D": "left",
  "\u001bOA": "up",
  "\u001bOB": "down",
  "\u001bOC": "right",
  "\u001bOD": "left",
  "\u001b[Z": "back-tab",
  "\u001b\r": "newline",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const SEQUENCE = /^\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z]|\r)/;

/** `rest` is what can't be decided yet: a lone escape is the key if nothing follows it soon. */
export function readKeys(input: string): { keys: Key[]; rest: string } {
  const keys: Key[] = [];
  let text = input;
  while (text !== "") {
    if (text.startsWith(PASTE_START)) {
      const end = text.indexOf(PASTE_END);
      if (end < 0) break;
      keys.push({ type: "paste", text: text.slice(PASTE_START.length, end).replace(/\r\n?/g, "\n") });
      text = text.slice(end + PASTE_END.length);
      continue;
    }
    if (text.startsWith("\u001b")) {
      const [sequence] = SEQUENCE.exec(text) ?? [];
      if (sequence === undefined && couldGrow(text)) break;
      keys.push({ type: sequence === undefined ? "escape" : (SEQUENCES[sequence] ?? "other") });
      text = text.slice(sequence?.length ?? 1);
      continue;
    }
    const char = String.fromCodePoint(text.codePointAt(0) ?? 0);
    const named = CONTROL[char] ?? (char < " " ? "other" : undefined);
    keys.push(named === undefined ? { type: "char", char } : { type: named });
    text = text.slice(char.length);
  }
  return { keys, rest: text };
}

function couldGrow(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  return /^\u001b(?:\[[0-9;?]*|O)?$/.test(text);
}
