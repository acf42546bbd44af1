/** Whoever takes part: `oj`, or what people would use instead. */

/** What is measured of each of them, as far as it has such a thing. */
export const WORKS = ["version", "list", "start", "recover", "memory", "question", "job", "many"] as const;

export type Work = (typeof WORKS)[number];

export interface Contestant {
  /** With its version. */
  name: string;
  /** What is missing here, it does not have. */
  works: Partial<Record<Work, Way>>;
}

export interface Way {
  /** The command lines, as a person would type them. */
  words: string;
  /** Prepares it in a new folder, where everything that it starts has to be. */
  begin(dir: string): Promise<Once>;
}

/** Does the work once: how long it took in ms; of `memory`, how many bytes. */
export type Once = () => Promise<number>;

/** How much of it there is. */
export interface Amounts {
  /** Entries of a list. */
  pending: number;
  /** Jobs that had ended before a daemon was killed. */
  finished: number;
  /** Jobs that `callers` start in all, each one after the other. */
  jobs: number;
  callers: number;
}
