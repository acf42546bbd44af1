/** What people are told about a client whose hooks don't arrive: what is switched off, and what that costs. */
import type { Silence } from "../model/agent-types.ts";

/** A line for a list. */
export function silentBriefly({ off, by }: Silence): string {
  return `${off === "all" ? "its hooks are off" : "its HTTP hooks are off"} (${by ?? "for an unknown reason"})`;
}

/** What a person should know about an agent whose client does not report. */
export function silentWords(silence: Silence): string {
  const { off, by } = silence;
  const what = off === "all" ? "Its client runs no hooks" : "Its client sends no reports over HTTP";
  const why =
    by === null
      ? "no settings file that oj knows of says why; it may be a company policy"
      : `switched off by ${by}`;
  return `${what}: ${why}. oj reads its screen and its conversation file instead, so what it asks is noticed a few seconds late and answered with keystrokes. Nothing checks that an approved call runs as it was shown, and the agent gets the output of \`prime\` only if this was known before it started; with -p, the client itself denies what it is not allowed to do.`;
}

/** What a person should know about an agent that runs a program to report each hook. */
export function commandNote(by: string): string {
  return `HTTP hooks are switched off by ${by}: it reports with curl, which adds about 20 ms to each hook of a tool call`;
}
