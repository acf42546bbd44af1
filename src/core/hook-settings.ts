/** A client whose hooks do not come: what is switched off, and what that costs, in words for people. */

/** What is switched off: all hooks, or those over HTTP; and by what, where that is known. */
export interface Silence {
  off: "all" | "http";
  by: string | null;
}

/** A line for a list. */
export function silentBriefly({ off, by }: Silence): string {
  return `${off === "all" ? "its hooks are off" : "its HTTP hooks are off"} (${by ?? "by what is not known"})`;
}

/** What a person should know of an agent whose client does not report. */
export function silentWords(silence: Silence): string {
  const { off, by } = silence;
  const what = off === "all" ? "Its client runs no hooks" : "Its client sends no reports over HTTP";
  const why =
    by === null ? "no settings file that oj knows says why; a company's policy may" : `switched off by ${by}`;
  return `${what}: ${why}. oj reads its screen and its conversation's file instead, so what it asks is noticed some seconds later and answered by keys. Nobody checks that an approved call runs as it was shown, and what \`prime\` prints is told only where this was known beforehand; with -p, the client denies by itself what it may not do.`;
}

/** What a person should know of an agent that reports by a program for each hook. */
export function commandNote(by: string): string {
  return `HTTP hooks are switched off by ${by}: it reports by curl, which costs some 20 ms for each hook of a tool call`;
}
