/** A place in a script where a value will stand. */

/** Stands in a script where a value will be expanded. No script can hold a real NUL. */
export const HOLE = "\0";

/** What stands around a hole: open text that may become several words, or one only; quotes of some kind; a comment. */
export type Place = "words" | "word" | "double" | "single" | "ansi" | "comment" | "outside";

/** What a value must look like where not every one is safe; core/script/needs.ts says which values may stand there. */
export type Need = "integer" | "operand" | "plain" | "word" | "undashed" | "scalar";

export interface Hole {
  type: "hole";
  start: number;
  end: number;
  place: Place;
  /** All that a value here must be. */
  needs: Set<Need>;
  /** Why no value at all may stand here. */
  fault?: Fault | undefined;
}

/** Why a value may not stand where it does, and what to write instead. */
export interface Fault {
  sentence: string;
  hint: string;
}
