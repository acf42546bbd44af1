/**
 * Other people's words within our text: each of their lines begins
 * with a mark that none of ours has, so nobody can pass for us.
 */

const MARK = ">";

/** What a quote is, so that nobody has to guess from its label how to show it. */
export type QuoteKind =
  /** Somebody's own words. */
  | "said"
  /** What a program printed. */
  | "printed"
  /** A script that ran. */
  | "ran"
  /** Earlier attempts, and how each ended. */
  | "tried"
  /** Which files changed, and by how much. */
  | "changed"
  /** The changes themselves, as a unified diff. */
  | "diff"
  /** The questions of a dialog, which the decision has as data too. */
  | "asked"
  /** What the agent will be told later. */
  | "told"
  /** The end of the agent's terminal. */
  | "screen";

/** Every quote in a context that we write. Labels are recorded with it: a new wording is a new entry. */
const QUOTES = {
  signal: { label: "What it says", kind: "said" },
  error: { label: "What its client says about it", kind: "printed" },
  gate: { label: "What the gate printed", kind: "printed" },
  script: { label: "The gate's script", kind: "ran" },
  attempts: { label: "Earlier attempts", kind: "tried" },
  changed: { label: "What changed since the last attempt", kind: "changed" },
  changes: { label: "The changes themselves", kind: "diff" },
  told: { label: "What it will be told once this is answered", kind: "told" },
  questions: { label: "What it asks", kind: "asked" },
  message: { label: "Its last message", kind: "said" },
  task: { label: "Its task", kind: "said" },
  printed: { label: "What it printed", kind: "printed" },
  screen: { label: "The last lines of its output", kind: "screen" },
} as const satisfies Record<string, { label: string; kind: QuoteKind }>;

export type QuoteName = keyof typeof QUOTES;

/** The label with the marked text below it, or nothing if there is no text. */
export function quoted(name: QuoteName, text: string): string {
  const lines = text
    .trimEnd()
    .replace(/\r\n?/g, "\n")
    .replace(/^\s*\n/, "")
    .split("\n");
  if (lines.every((it) => it.trim() === "")) return "";
  return `${QUOTES[name].label}:\n${lines.map((it) => `${MARK} ${it}`.trimEnd()).join("\n")}`;
}

/** The text in pieces, alternately ours and quoted, without the marks. */
export function pieces(text: string): { quoted: boolean; text: string }[] {
  const found: { quoted: boolean; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const isQuoted = line.startsWith(MARK);
    const last = found.at(-1);
    const own = isQuoted ? line.slice(MARK.length).replace(/^ /, "") : line;
    if (last?.quoted === isQuoted) last.lines.push(own);
    else found.push({ quoted: isQuoted, lines: [own] });
  }
  return found.map(({ quoted, lines }) => ({ quoted, text: lines.join("\n").replace(/^\n+|\s+$/g, "") }));
}

export type ContextPart =
  /** Our own words: what happened, what was tried. */
  | { kind: "ours"; text: string }
  /** `Agent builder (agt-1), step "build" of …`: what the decision's own fields say as well. */
  | { kind: "who"; text: string }
  | { kind: QuoteKind; name: QuoteName | null; label: string; text: string };

/**
 * Takes apart a context that we wrote for an agent's decision, in order. A quote under a label that this version
 * doesn't know counts as printed. Not for the context of a request or a step, which is somebody's own text.
 */
export function contextParts(context: string): ContextPart[] {
  const found: ContextPart[] = [];
  let label = "";
  for (const piece of pieces(context)) {
    if (piece.quoted) {
      found.push({ ...quoteOf(label), text: piece.text });
      label = "";
      continue;
    }
    const lines = piece.text.split("\n");
    label = /:$/.test(lines.at(-1) ?? "") ? (lines.pop()?.slice(0, -1) ?? "") : "";
    found.push(...ownParts(lines));
  }
  return found;
}

function quoteOf(label: string): { kind: QuoteKind; name: QuoteName | null; label: string } {
  const known = Object.entries(QUOTES).find(([, it]) => it.label === label);
  return known
    ? { kind: known[1].kind, name: known[0] as QuoteName, label }
    : { kind: "printed", name: null, label };
}

const WHO = /^Agent .* \(agt-[^)]*\), (?:step|crew) /;

function ownParts(lines: readonly string[]): ContextPart[] {
  const who = lines.findIndex((it) => WHO.test(it));
  const cut = who === -1 ? lines.length : who;
  const parts: ContextPart[] = [
    { kind: "ours", text: lines.slice(0, cut).join("\n") },
    { kind: "who", text: lines[who] ?? "" },
    { kind: "ours", text: lines.slice(cut + 1).join("\n") },
  ];
  return parts.map((it) => ({ ...it, text: it.text.trim() })).filter((it) => it.text !== "");
}
