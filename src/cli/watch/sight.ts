/** What of a text has been on the screen, as the person scrolls through it. */

/** A text that is being shown: its lines, and which of them are on the screen now. */
export interface Sight {
  /** The decisions that the text is about. */
  ids: readonly string[];
  /** The lines that must be seen. */
  lines: readonly string[];
  /** The lines on the screen: from this one, up to but without that one. */
  from: number;
  to: number;
  /** How many lines a key scrolls. */
  step: number;
}

/** How much of which text has been seen: all lines before this one. */
export interface Looked {
  text: string;
  before: number;
}

/** What has been seen after this, and how many more screens there are. Lines that were skipped are not seen. */
export function look(earlier: Looked, { ids, lines, from, to, step }: Sight): Looked & { rest: number } {
  const text = [...ids, ...lines].join("\n");
  const known = earlier.text === text ? earlier.before : 0;
  const before = from <= known ? Math.max(known, Math.min(to, lines.length)) : known;
  return { text, before, rest: Math.ceil((lines.length - before) / Math.max(1, step)) };
}
