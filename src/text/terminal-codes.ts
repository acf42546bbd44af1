/** Cuts what a program sends to its terminal into text and the codes that move or erase. Everything else is dropped. */

export type Code =
  | { type: "text"; text: string }
  /** A single control character, such as a line feed. */
  | { type: "control"; control: string }
  /** `ESC [ … final`; `mark` is what comes before the numbers, such as `?`. */
  | { type: "csi"; mark: string; numbers: number[]; final: string }
  /** `ESC final`. */
  | { type: "escape"; final: string };

const ESC = "\u001b";
/** A title or a picture may have this many characters before its end; then it is taken for cut off. */
const LONGEST_STRING = 100_000;

const CSI = new RegExp(`^${ESC}\\[([<-?]?)([0-9;:]*)[ -/]*([@-~])`);
/** OSC, DCS, SOS, PM and APC: strings for the terminal itself, up to their end. */
const STRING = new RegExp(`^${ESC}[\\]PX^_][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)`);
const STRING_BEGINS = new RegExp(`^${ESC}[\\]PX^_][^\\u0007${ESC}]*${ESC}?$`);
/** A character set, or another escape of one letter. */
const ESCAPE = new RegExp(`^${ESC}(?:[ #%(-/].|([0-Z\\\\-~]))`, "s");
/** Whatever of a sequence may still become one. */
const UNFINISHED = new RegExp(`^${ESC}(?:\\[[0-?]*[ -/]*|[ #%(-/])?$`);

/** `rest` is a sequence whose end has not arrived yet. */
export function codesOf(input: string): { codes: Code[]; rest: string } {
  const codes: Code[] = [];
  let at = 0;
  while (at < input.length) {
    const end = controlAt(input, at);
    if (end > at) {
      codes.push({ type: "text", text: input.slice(at, end) });
      at = end;
      continue;
    }
    if (input[at] !== ESC) {
      codes.push({ type: "control", control: input[at] ?? "" });
      at += 1;
      continue;
    }
    const from = input.slice(at, at + LONGEST_STRING);
    const [csi, mark = "", numbers = "", final = ""] = CSI.exec(from) ?? [];
    if (csi !== undefined) {
      codes.push({ type: "csi", mark, numbers: numbersIn(numbers), final });
      at += csi.length;
      continue;
    }
    const string = STRING.exec(from)?.[0];
    if (UNFINISHED.test(from) || (STRING_BEGINS.test(from) && from.length < LONGEST_STRING))
      return { codes, rest: input.slice(at) };
    const [short, letter] = string === undefined ? (ESCAPE.exec(from) ?? []) : [];
    if (letter !== undefined) codes.push({ type: "escape", final: letter });
    at += (string ?? short ?? ESC).length;
  }
  return { codes, rest: "" };
}

/** Where the next control character is; the end if there is none. */
function controlAt(input: string, from: number): number {
  let at = from;
  for (; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) break;
  }
  return at;
}

function numbersIn(text: string): number[] {
  return text === "" ? [] : text.split(/[;:]/).map((it) => Math.min(Number(it || 0), 9999));
}
