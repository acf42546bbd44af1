/** What a person changed in a call before it ran, as the agent is told. */
import { canonical } from "../text/hash.ts";
import { clipped } from "../text/words.ts";

const LONGEST = 4000;

/** `A person changed the command before it ran: npm test`. An accepted plan comes with its text already. */
export function changedWords(before: unknown, after: unknown): string {
  const { what, text } = changeIn(before, after);
  if (what === "plan") return "A person changed your plan before accepting it.";
  return `A person changed the ${what} before it ran:${text}`;
}

/** For an agent that is no longer at the call: it has to make it again, so it needs all of it. */
export function changeWanted(before: unknown, after: unknown): string {
  const { what, text } = changeIn(before, after, Number.POSITIVE_INFINITY);
  return `Use this ${what} instead:${text}`;
}

/** The command or the plan if nothing else was changed, otherwise each changed value below its key. */
function changeIn(
  before: unknown,
  after: unknown,
  most = LONGEST,
): { what: "command" | "plan" | "call"; text: string } {
  const changed = changesIn(before, after);
  const [only] = changed;
  if (only && changed.length === 1 && only.key === "plan") return { what: "plan", text: `\n\n${only.text}` };
  if (only && changed.length === 1 && only.key === "command")
    return { what: "command", text: ` ${clipped(only.text, most)}` };
  return {
    what: "call",
    text: changed.map(({ key, text }) => `\n${key}: ${clipped(text, most)}`).join(""),
  };
}

function changesIn(before: unknown, after: unknown): { key: string; text: string }[] {
  const old = (before ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries((after ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([key, value]) => canonical(value) !== canonical(old[key]))
    .map(([key, value]) => ({
      key,
      text: typeof value === "string" ? value : JSON.stringify(value, null, 2),
    }));
}
