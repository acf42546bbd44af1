/** What is behind each button: made here, read here. A value from Slack is checked like anything from outside. */
import type { DecisionView } from "../../api/api.ts";

export type Click =
  /** Answers with the option of this number. */
  | { type: "option"; id: string; number: number; sawAll: boolean }
  /** The same by its key, where numbers are answers to questions. */
  | { type: "key"; id: string; key: string; sawAll: boolean }
  /** Opens a modal: for words with an option or alone, for a choice with a reason, for all questions. */
  | { type: "words"; id: string; number: number | null; sawAll: boolean }
  | { type: "reason"; id: string; sawAll: boolean }
  | { type: "form"; id: string; sawAll: boolean }
  /** Shows the rule that approving would become, and how long it may count. */
  | { type: "remember"; id: string; sawAll: boolean }
  | { type: "claim"; id: string }
  /** Shows the whole card, to whoever asked for it. */
  | { type: "show"; id: string }
  /** A link: Slack tells of it, and there is nothing to do. */
  | { type: "open" };

const PREFIX = "oj:";

/** As Slack carries it. Buttons of one row need different ids. */
export function buttonOf(click: Click): { action_id: string; value: string } {
  const { type, ...rest } = click;
  const at = "number" in click ? `:${click.number ?? ""}` : "key" in click ? `:${click.key}` : "";
  return { action_id: `${PREFIX}${type}${at}`.slice(0, 255), value: JSON.stringify(rest) };
}

/** Null: no button of ours. */
export function clickIn(action_id: unknown, value: unknown): Click | null {
  if (typeof action_id !== "string" || !action_id.startsWith(PREFIX)) return null;
  const type = action_id.slice(PREFIX.length).split(":", 1)[0];
  if (type === "open") return { type };
  const given = parsed(value);
  const id = idIn(given.id);
  if (id === null) return null;
  const sawAll = given.sawAll === true;
  const number = Number.isInteger(given.number) ? (given.number as number) : null;
  switch (type) {
    case "option":
      return number === null ? null : { type, id, number, sawAll };
    case "key":
      return typeof given.key === "string" ? { type, id, key: given.key, sawAll } : null;
    case "words":
      return { type, id, number, sawAll };
    case "reason":
    case "form":
    case "remember":
      return { type, id, sawAll };
    case "claim":
    case "show":
      return { type, id };
    default:
      return null;
  }
}

export function parsed(json: unknown): Record<string, unknown> {
  try {
    const value: unknown = typeof json === "string" ? JSON.parse(json) : null;
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A whole id, never a beginning that could mean another decision. */
export function idIn(value: unknown): DecisionView["id"] | null {
  return typeof value === "string" && /^dec-[a-z0-9]{1,40}$/.test(value)
    ? (value as DecisionView["id"])
    : null;
}
