/** Which words of a decision are its texts, and what stands in their place once they were erased. */
import type { Option } from "../decision-types.ts";

export const ERASED = "[erased]";

/** What stays: who, when, through which door, what was chosen, and by which rule or policy. */
const KEPT = new Set([
  ...["type", "id", "project", "machine", "source", "state", "urgency", "kind", "tool", "mode", "step"],
  ...["owner", "job_id", "agent_id", "decision_id", "parcel_id", "prompt_key", "asked_in", "run_id"],
  ...["requested_by", "session", "claimed_session", "recipient", "template", "successor", "root", "bead"],
  ...["parent", "parent_bead", "predecessor", "supersedes", "superseded_by", "blocks", "on_cancel"],
  ...["by", "who", "via", "from", "credential", "nonce", "number", "policy", "rule", "sponsor"],
  ...["shows", "key", "repeats", "erased"],
]);

/** These hold an object whose very names may be texts. */
const EMPTIED = new Set(["fields", "input"]);
/** These hold the key of an option. */
const CHOSEN = new Set(["default", "option", "choice"]);

/** The keys of options are made from their labels. They stay different from each other. */
export function keysOf(options: readonly Pick<Option, "key">[]): ReadonlyMap<string, string> {
  return new Map(options.map((it, n) => [it.key, numbered(n)]));
}

/** A copy without texts. Doing it again changes nothing. */
export function withoutTexts<T>(value: T, keys: ReadonlyMap<string, string>): T {
  return walk(value, keys) as T;
}

function walk(value: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return value === "" ? "" : ERASED;
  if (Array.isArray(value)) return value.map((it) => walk(it, keys));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, inside(name, it, keys)]));
}

function inside(name: string, value: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (KEPT.has(name)) return value;
  if (name === "reach") return withoutFaces(value);
  if (name === "escalation") return withoutDefault(value, keys);
  if (EMPTIED.has(name) && typeof value === "object" && value !== null) return {};
  if (CHOSEN.has(name) && typeof value === "string") return chosen(value, keys);
  if (name === "options" && Array.isArray(value))
    return value.map((it, n) => {
      const option = walk(it, keys) as object;
      return "key" in option ? { ...option, key: numbered(n) } : option; // those of a question have none
    });
  return walk(value, keys);
}

const numbered = (n: number) => `option-${n + 1}`;

function chosen(key: string, keys: ReadonlyMap<string, string>): string {
  return keys.get(key) ?? (/^option-\d+$/.test(key) ? key : ERASED);
}

/** An escalation names the option that its deadline chooses, and has no other texts. */
export function withoutDefault<T>(value: T, keys: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(value, (name, it: unknown) =>
    name === "default" && typeof it === "string" ? chosen(it, keys) : it,
  );
  return (text === undefined ? value : JSON.parse(text)) as T;
}

/** What messages showed names the labels that several people have chosen so far: `pending ana=Yes`. */
export function withoutFaces<T>(value: T): T {
  const text = JSON.stringify(value, (name, it: unknown) =>
    ["shows", "face", "gave_up"].includes(name) && typeof it === "string" ? it.replace(/ \S*=.*$/s, "") : it,
  );
  return (text === undefined ? value : JSON.parse(text)) as T;
}

/** Whether words that an agent said are part of what the card showed. */
export function isSaid(context: string, words: string): boolean {
  return words.trim().length > 0 && words !== ERASED && context.includes(words.trim());
}
