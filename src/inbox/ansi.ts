/**
 * Splits a terminal's screen into pieces with colours. Only colours and attributes survive: every other control
 * sequence is dropped.
 */

export interface Piece {
  text: string;
  look: Look;
}

export interface Look {
  /** A palette number from 0 to 255, or "#rrggbb"; null is the default. */
  colour: number | string | null;
  background: number | string | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

const PLAIN: Look = {
  colour: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

const ESC = "\u001b";
const STRING_END = `(?:\u0007|\u009c|${ESC}\\\\)`;

/** Control sequences: CSI; OSC and other strings; two-character sequences; single control characters. */
const CONTROL = new RegExp(
  [
    `${ESC}\\[([0-9:;<=>?]*)[ -/]*([@-~])`,
    `${ESC}[\\]PX^_][^${ESC}\u0007\u009c]*${STRING_END}?`,
    `${ESC}[ -/]*[0-~]`,
    "[^\\P{Cc}\\n\\t]",
  ].join("|"),
  "gu",
);

export function screenLines(text: string): Piece[][] {
  let look = PLAIN;
  return text.split("\n").map((line) => {
    const pieces: Piece[] = [];
    let from = 0;
    const take = (to: number) => {
      if (to > from) pieces.push({ text: line.slice(from, to), look });
    };
    for (const match of line.matchAll(CONTROL)) {
      take(match.index);
      from = match.index + match[0].length;
      if (match[2] === "m") look = after(look, match[1] ?? "");
    }
    take(line.length);
    return pieces;
  });
}

function after(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map((it) => Number(it || 0));
  let next = look;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(i + 1));
      i += used;
      if (colour !== null) next = { ...next, [code === 38 ? "colour" : "background"]: colour };
    } else next = { ...next, ...simple(code) };
  }
  return next;
}

function extended([mode, a, b, c]: number[]): { colour: number | string | null; used: number } {
  if (mode === 5 && isByte(a)) return { colour: a, used: 2 };
  if (mode === 2 && isByte(a) && isByte(b) && isByte(c))
    return { colour: `#${[a, b, c].map((it) => it.toString(16).padStart(2, "0")).join("")}`, used: 4 };
  return { colour: null, used: mode === 2 ? 4 : 2 };
}

function isByte(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}

function simple(code: number): Partial<Look> {
  if (code === 0) return PLAIN;
  if (code >= 30 && code <= 37) return { colour: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { colour: code - 82 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  return SIMPLE[code] ?? {};
}

const SIMPLE: Record<number, Partial<Look>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { colour: null },
  49: { background: null },
};
