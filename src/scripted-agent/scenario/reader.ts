/** Reads the values of a scenario one by one, noting what is wrong with each and where. */

export type Json = Record<string, unknown>;

/** Reads a value at a place, noting what is wrong with it. */
export interface Reader {
  problem(at: string, text: string): void;
  text(value: unknown, at: string, otherwise?: string): string;
  number(value: unknown, at: string, otherwise?: number): number;
  flag(value: unknown, at: string, otherwise: boolean): boolean;
  list(value: unknown, at: string): unknown[];
  pattern(value: unknown, at: string): RegExp;
  fields(value: Json, at: string, known: readonly string[]): void;
}

export function reader(problems: string[]): Reader {
  const read: Reader = {
    problem: (at, text) => void problems.push(`${at}: ${text}`),
    text(value, at, otherwise) {
      if (typeof value === "string") return value;
      if (value === undefined && otherwise !== undefined) return otherwise;
      read.problem(at, value === undefined ? "is missing" : "must be a text");
      return "";
    },
    number(value, at, otherwise) {
      if (typeof value === "number" && value >= 0) return value;
      if (value === undefined && otherwise !== undefined) return otherwise;
      read.problem(at, value === undefined ? "is missing" : "must be a number, 0 or more");
      return 0;
    },
    flag(value, at, otherwise) {
      if (typeof value === "boolean" || value === undefined) return value ?? otherwise;
      read.problem(at, "must be true or false");
      return otherwise;
    },
    list(value, at) {
      if (Array.isArray(value)) return value;
      read.problem(at, value === undefined ? "is missing" : "must be a list");
      return [];
    },
    pattern(value, at) {
      const text = read.text(value, at);
      try {
        return new RegExp(text, "s");
      } catch (error) {
        read.problem(at, `is not a valid pattern: ${(error as Error).message}`);
        return /(?!)/;
      }
    },
    fields(value, at, known) {
      for (const key of Object.keys(value))
        if (!known.includes(key)) read.problem(at, `unknown key "${key}"${suggestion(key, known)}`);
    },
  };
  return read;
}

export function oneOf(given: string, known: readonly string[]): string {
  return `"${given}" is not one of ${known.join(", ")}${suggestion(given, known)}`;
}

export function suggestion(given: string, known: readonly string[]): string {
  const near = known.find((it) => it.startsWith(given) || given.startsWith(it) || distance(it, given) <= 2);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
