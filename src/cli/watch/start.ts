/** Starting a command or a crew from the inbox: choose one of what `oj run` offers, and give its arguments one by one. */
import type { CommandView } from "../../api/api.ts";
import type { Key } from "../base/keys.ts";
import { edit } from "../base/keys.ts";
import { nameOf } from "./keys.ts";

export interface Start {
  /** Null while they are being asked for. */
  commands: readonly CommandView[] | null;
  cursor: number;
  /** The arguments of the chosen one given so far, and the one that is being typed; null while choosing. */
  given: readonly string[] | null;
  text: string;
}

export interface Param {
  name: string;
  kind: "value" | "flag";
  isRequired: boolean;
}

export interface Run {
  command: string;
  argv: string[];
  named: Record<string, string>;
}

export const STARTING: Start = { commands: null, cursor: 0, given: null, text: "" };

/** The next step; null: the person left it. A run: all is given. */
export function startKey(start: Start, key: Key): { start: Start | null; run: Run | null } {
  const stays = (next: Start | null) => ({ start: next, run: null });
  const name = nameOf(key);
  const { commands, cursor, given } = start;
  if (key.type === "interrupt") return stays(null);
  if (given !== null) {
    if (key.type === "escape") return stays({ ...start, given: null, text: "" });
    if (key.type !== "enter") return stays({ ...start, text: edit(start.text, key) });
    return next(start, given);
  }
  if (name === "escape" || name === "q" || name === "c") return stays(null);
  const last = Math.max(0, (commands?.length ?? 0) - 1);
  if (name === "j" || name === "down") return stays({ ...start, cursor: Math.min(last, cursor + 1) });
  if (name === "k" || name === "up") return stays({ ...start, cursor: Math.max(0, cursor - 1) });
  if (name === "enter" && commands?.[cursor]) return asked({ ...start, given: [], text: "" });
  return stays(start);
}

/** Takes the argument that was typed, if it may be empty or is not. */
function next(start: Start, given: readonly string[]): { start: Start | null; run: Run | null } {
  const param = paramsOf(chosen(start))[given.length];
  if (param?.isRequired && start.text.trim() === "") return { start, run: null };
  return asked({ ...start, given: [...given, start.text.trim()], text: "" });
}

/** Runs it once every argument was asked for. */
function asked(start: Start): { start: Start | null; run: Run | null } {
  const command = chosen(start);
  const params = paramsOf(command);
  const given = start.given ?? [];
  if (!command || given.length < params.length) return { start, run: null };
  const named: Record<string, string> = {};
  const argv: string[] = [];
  for (const [at, { name, kind }] of params.entries()) {
    const value = given[at] ?? "";
    if (value === "") continue;
    if (kind === "value") named[name] = value;
    else if (/^y(es)?$/i.test(value)) argv.push(`--${name}`);
  }
  return { start: null, run: { command: command.name, argv, named } };
}

/** What to ask for, read from a usage such as `<name> [base] [--draft] --to <branch>`. */
export function paramsOf(command: CommandView | undefined): Param[] {
  const words = command?.usage.match(/\[[^\]]*\]|<[^>]*>|-\S*(?: +<[^>]*>)?|\S+/g) ?? [];
  return words.map((word) => {
    const flag = /--([\w-]+)/.exec(word)?.[1];
    const hasValue = flag === undefined || word.includes("<");
    return {
      name: flag ?? word.replace(/[<>[\].]/g, ""),
      kind: hasValue ? "value" : "flag",
      isRequired: hasValue && !word.startsWith("["),
    };
  });
}

export function chosen({ commands, cursor }: Start): CommandView | undefined {
  return commands?.[cursor];
}
