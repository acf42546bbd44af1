/** Collects what is wrong with a config file, so that all of it is told at once, and reads values that may be wrong. */
import { unsafeIn } from "../core/text/safe-text.ts";
import { suggest } from "../core/text/suggest.ts";

export type Table = Readonly<Record<string, unknown>>;

export interface Problems {
  readonly found: readonly string[];
  add(key: string, problem: string): void;
  /** An empty table in place of anything else. */
  table(key: string, value: unknown): Table;
  /** Null if it is absent or wrong. */
  text(key: string, value: unknown): string | null;
  /** A text or several; null if it is absent or wrong. */
  texts(key: string, value: unknown): string[] | null;
  /** Complains of every key that is not known. */
  keys(key: string, table: Table, known: readonly string[]): void;
  /** Whether it can be the name of a person, a group, a rota or a channel. */
  name(key: string, name: string): boolean;
}

/** No colon: `escalation:prod` is who answered when a deadline passed, and nobody may pass for it. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,63}$/u;

export function startProblems(): Problems {
  const found: string[] = [];
  const add = (key: string, problem: string) => {
    found.push(`${key} ${problem}`);
  };
  function text(key: string, value: unknown): string | null {
    if (value === undefined) return null;
    const unsafe = typeof value === "string" ? unsafeIn(value) : null;
    if (typeof value !== "string" || value.trim() === "") add(key, "must be a text that is not empty");
    else if (unsafe !== null) add(key, unsafe);
    else return value;
    return null;
  }
  return {
    found,
    add,
    table(key, value) {
      if (value === undefined) return {};
      if (isTable(value)) return value;
      add(key, `must be a section, [${key}]`);
      return {};
    },
    text,
    texts(key, value) {
      if (value === undefined) return null;
      const all = (Array.isArray(value) ? value : [value]).map((it) => text(key, it));
      return all.every((it) => it !== null) ? all : null;
    },
    keys(key, table, known) {
      for (const own of Object.keys(table)) {
        if (known.includes(own)) continue;
        const near = suggest(own, known);
        add(
          `${key}.${own}`,
          `is unknown; ${near ? `did you mean "${near}"?` : `known are ${known.join(", ")}`}`,
        );
      }
    },
    name(key, name) {
      if (NAME.test(name)) return true;
      add(key, "must have a name of letters, digits, dots, dashes and underscores");
      return false;
    },
  };
}

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
