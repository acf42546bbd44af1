/** What every surface shows of a decision, as data. `describe.ts` makes it; surfaces only lay it out. */
import type { DiffLine } from "../../core/text/diff.ts";

/**
 * What a card says about a decision, in the order in which every surface shows it: what is asked, what it is about, why,
 * then (after the options) who and where, and the agent's screen, folded.
 */
export interface Card {
  /** What is asked. Its words may come from outside. */
  title: string;
  /** What the person decides about: the exact action, the failure, the plan or the questions. Never folded. */
  matter: readonly Block[];
  /** Why it came to this: the agent's own words, its task, what was tried. */
  why: readonly Block[];
  /** Who, where, since when, ids. */
  facts: readonly Fact[];
  /** What the agent changed since the last attempt, folded: `why` has the numbers. */
  changes: readonly Block[];
  /** The last lines of the agent's screen, without its own dialog. */
  screen: Block | null;
}

export type Block =
  /** Our own sentence. */
  | { type: "ours"; text: string }
  /** Somebody's words: Markdown, behind a bar. `by` says whose. */
  | { type: "said"; by: string; text: string }
  /** What a program printed: always preformatted, never Markdown. */
  | { type: "printed"; label: string; text: string }
  /** A part of the exact action, word for word. */
  | { type: "code"; label: string | null; language: Language; text: string }
  | { type: "diff"; path: string | null; lines: readonly DiffLine[] }
  /** Named values that came with a request. */
  | { type: "fields"; by: string; fields: Readonly<Record<string, unknown>> };

export type Language = "shell" | "json" | "text";

export interface Fact {
  name: string;
  text: string;
  /** The decision, job or crew it names, for surfaces that can link to it. */
  id: string | null;
}
