/**
 * Splits shell and JSON into pieces of a kind, for colours. The pieces joined are the text itself: colours help to
 * read, they never hide or change anything.
 */

export type Kind = "plain" | "word" | "string" | "flag" | "operator" | "variable" | "comment" | "name";

export interface Coloured {
  kind: Kind;
  text: string;
}

/** Longer text is not coloured: nobody reads it by its colours. */
const LONGEST = 50_000;

const RULES = {
  shell:
    /(?<comment>(?<![^\s;&|()])#[^\n]*)|(?<string>\$?'[^']*'|"(?:\\.|[^"\\])*")|(?<variable>\$(?:\{[^}\n]*\}|\w+|[?@#*!$-]))|(?<operator>\\\n|&&|\|\||[|;&<>()]+)|(?<break>\n)|(?<flag>(?<=\s)--?[A-Za-z][\w-]*)|(?<text>[^\s'"$|;&<>()\\#]+|\\[^\n]|.)/gs,
  json: /(?<name>"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\])*")|(?<variable>-?\b\d[\d.eE+-]*\b|\b(?:true|false|null)\b)|(?<text>[^"\w-]+|\w+|.)/gs,
} as const;

export function coloured(language: string, text: string): Coloured[] {
  if ((language !== "shell" && language !== "json") || text.length > LONGEST)
    return [{ kind: "plain", text }];
  const found: Coloured[] = [];
  /** Whether the next word is the command's name: at the start, and after whatever ends a command. */
  let isFirst = language === "shell";
  for (const { 0: piece, groups = {} } of text.matchAll(RULES[language])) {
    const kind = kindOf(groups);
    if (kind === "operator" || groups.break !== undefined)
      isFirst = groups.break !== undefined || /[|;&(]/.test(piece);
    const isWord = isFirst && kind === "plain" && /[^\s=]$/.test(piece) && groups.break === undefined;
    push(found, isWord ? "word" : kind, piece);
    if (isWord) isFirst = false;
  }
  return found;
}

function kindOf(groups: Record<string, string | undefined>): Kind {
  for (const kind of ["comment", "string", "flag", "operator", "variable", "name"] as const)
    if (groups[kind] !== undefined) return kind;
  return "plain";
}

function push(found: Coloured[], kind: Kind, text: string): void {
  const last = found.at(-1);
  if (last?.kind === kind) last.text += text;
  else found.push({ kind, text });
}
