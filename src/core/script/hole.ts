/** A hole: a place in a script where a value will go. */

/** Marks a place in a script where a value will be expanded. No script can contain a real NUL. */
export const HOLE = "\0";

/** What surrounds a hole: unquoted text that may become several words, or only one; quotes of some kind; a comment. */
export type Place = "words" | "word" | "double" | "single" | "ansi" | "comment" | "outside";

/** What a value must look like where not every value is safe; core/script/needs.ts says which values are. */
export type Need = "integer" | "operand" | "plain" | "word" | "undashed" | "scalar";

export interface Hole {
  type: "hole";
  start: number;
  end: number;
  place: Place;
  /** Everything that a value here must be. */
  needs: Set<Need>;
  /** Why no value at all is allowed here. */
  fault?: Fault | undefined;
}

/** Why a value is not allowed where it is, and what to write instead. */
export interface Fault {
  sentence: string;
  hint: string;
}
