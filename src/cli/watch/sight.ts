/** What of a text has been on the screen, as the person scrolls through it. */

/** A text that is being shown, and which of its lines are on the screen now. */
export interface Sight {
  /** The decisions that the text is about. */
  ids: readonly string[];
  /** The lines that must be seen. */
  lines: readonly string[];
  /** The lines on the screen: from this one, up to but without that one. */
  from: number;
  to: number;
  /** It is the rule that the decision would become. */
  isRule?: true;
  /** It fills the screen, without the options: what was seen of the card is not forgotten meanwhile. */
  isWhole?: true;
  /** Some of the text is cut, and the person has not opened it yet. */
  isCut: boolean;
}

/** Which lines of which text have been seen. */
export interface Looked {
  text: string;
  seen: ReadonlySet<number>;
}

export const NOTHING: Looked = { text: "", seen: new Set() };

/** What has been seen after this. A text that is laid out anew, or another one, has not been seen at all. */
export function look(earlier: Looked, { ids, lines, from, to }: Sight): Looked {
  const text = [...ids, ...lines].join("\n");
  const seen = new Set(earlier.text === text ? earlier.seen : []);
  for (let at = Math.max(0, from); at < Math.min(to, lines.length); at += 1) seen.add(at);
  return { text, seen };
}

/** How many more screens there are, if a key scrolls by this many lines. What is cut is one more, until it is opened. */
export function restOf({ seen }: Looked, { lines, isCut }: Sight, step: number): number {
  return Math.ceil((lines.length - seen.size) / Math.max(1, step)) + (isCut ? 1 : 0);
}
