/** Code with its colours, wrapped so that nothing of it is lost: where a line goes on, a mark says so. */
import type { Kind } from "../../text/coloured.ts";
import { coloured } from "../../text/coloured.ts";
import { breakLine, expandTabs, widthOf } from "../../text/layout.ts";
import type { Style } from "../../text/style.ts";
import type { Fence } from "./fence.ts";

const GOES_ON = "↪ ";

/** Takes safe text. `width` is that of the card: the bar takes four columns of it. */
export function codeLines(language: string, text: string, { style, width }: Fence): string[] {
  const room = Math.max(10, width - 4);
  const looks = LOOKS(style);
  const spaced = text.split("\n").map(expandTabs).join("\n");
  return linesOf(coloured(language, spaced)).flatMap((pieces) => {
    const line = pieces.map((it) => it.text).join("");
    const parts = widthOf(line) <= room ? [line] : breakLine(line, room - GOES_ON.length);
    let from = 0;
    return parts.map((part, at) => {
      const painted = between(pieces, from, from + part.length).map(({ kind, text: it }) => looks[kind](it));
      from += part.length;
      return `${at === 0 ? "" : style.dim(GOES_ON)}${painted.join("")}`;
    });
  });
}

interface Piece {
  kind: Kind;
  text: string;
}

function linesOf(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const { kind, text } of pieces)
    for (const [at, part] of text.split("\n").entries()) {
      if (at > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ kind, text: part });
    }
  return lines;
}

/** The pieces of a line from one column to another. */
function between(pieces: readonly Piece[], from: number, to: number): Piece[] {
  let at = 0;
  return pieces.flatMap(({ kind, text }) => {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += text.length;
    return part === "" ? [] : [{ kind, text: part }];
  });
}

const same = (text: string) => text;

/** Weight for what runs, colour for what it is given. A comment stays as bright as the rest: it might not be one. */
const LOOKS = (style: Style): Record<Kind, (text: string) => string> => ({
  plain: same,
  word: style.bold,
  operator: style.bold,
  flag: style.cyan,
  variable: style.cyan,
  name: style.cyan,
  string: style.green,
  comment: same,
});
