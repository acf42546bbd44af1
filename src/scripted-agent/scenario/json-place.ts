/** Where a text stops being JSON: Node reports it only in some versions and for some mistakes. Pure. */

const TOKEN =
  /\s*(?:("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)\b|(true|false|null)\b|([{}[\],:]))/uy;

interface Reader {
  source: string;
  at: number;
}

class Misplaced extends Error {
  readonly at: number;
  constructor(at: number) {
    super();
    this.at = at;
  }
}

/** Line and column, both from 1, of the first thing that does not belong. */
export function placeOfMistake(source: string): { line: number; column: number } {
  const before = source.slice(0, mistakeIn(source)).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function mistakeIn(source: string): number {
  const reader = { source, at: 0 };
  try {
    value(reader);
    return afterBlanks(reader);
  } catch (error) {
    if (error instanceof Misplaced) return error.at;
    throw error;
  }
}

function value(reader: Reader): void {
  const token = next(reader, /^["\-\dtfn[{]/);
  if (token === "[" && !skip(reader, "]")) list(reader, "]", () => value(reader));
  if (token === "{" && !skip(reader, "}"))
    list(reader, "}", () => {
      next(reader, /^"/);
      next(reader, /^:/);
      value(reader);
    });
}

function list(reader: Reader, end: string, item: () => void): void {
  do item();
  while (next(reader, end === "]" ? /^[,\]]/ : /^[,}]/) === ",");
}

function next(reader: Reader, allowed: RegExp): string {
  const at = afterBlanks(reader);
  TOKEN.lastIndex = reader.at;
  const token = TOKEN.exec(reader.source)?.[0].trimStart() ?? "";
  if (!allowed.test(token)) throw new Misplaced(at);
  reader.at = TOKEN.lastIndex;
  return token;
}

function skip(reader: Reader, token: string): boolean {
  const at = afterBlanks(reader);
  if (reader.source[at] !== token) return false;
  reader.at = at + 1;
  return true;
}

function afterBlanks({ source, at }: Reader): number {
  const blanks = /\s*/y;
  blanks.lastIndex = at;
  return at + (blanks.exec(source)?.[0].length ?? 0);
}
