/**
 * What an attribute may contain: reads a value into a type that the core trusts, or reports what was expected. Objects
 * are in fields.ts.
 */

import { formatDuration, parseDuration } from "../../core/text/duration.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { Report } from "../hcl/source.ts";
import type { Text, Value } from "../hcl/syntax.ts";

/** How many names a hint lists; more would not help. */
const MOST_NAMES = 15;

export interface Shape<T> {
  /** Ends the sentence "NAME must be …"; docs use it too. */
  expected: string;
  /** Returns undefined if it has reported a problem. */
  read(value: Value, report: Report, name: string): T | undefined;
}

/** "did you mean" if a name is close, otherwise a list of the known names. */
export function insteadOf(name: string, known: Iterable<string>): string {
  const names = [...known];
  const near = suggest(name, names);
  if (near !== null) return `did you mean "${near}"?`;
  if (names.length === 0) return "there are none";
  return `known: ${names.slice(0, MOST_NAMES).join(", ")}${names.length > MOST_NAMES ? ", …" : ""}`;
}

export function refuse(value: Value, report: Report, name: string, expected: string): undefined {
  if (value.type !== "bad") report(value.at, `${name} must be ${expected}, not ${described(value)}`);
}

export const text: Shape<string> = ofText("a string", (it) => it.value);

/** Text that must not be empty: a prompt, a script. */
export const words: Shape<string> = ofText("a string", (it, report, name) => {
  if (it.value.trim() !== "") return it.value;
  report(it.at, `${name} is empty`);
  return undefined;
});

export const NAME = /^[A-Za-z0-9_-]+$/;

export const name: Shape<string> = ofText("a name", (it, report, of) => {
  if (NAME.test(it.value)) return it.value;
  report(it.at, `${of} must be a name of letters, digits, _ and -, not "${it.value}"`);
  return undefined;
});

export const flag: Shape<boolean> = {
  expected: "true or false",
  read: (value, report, of) =>
    value.type === "bool" ? value.value : refuse(value, report, of, "true or false"),
};

export const count: Shape<number> = {
  expected: "a whole number from 1",
  read(value, report, of) {
    if (value.type !== "number") return refuse(value, report, of, this.expected);
    if (Number.isSafeInteger(value.value) && value.value >= 1) return value.value;
    report(value.at, `${of} must be ${this.expected}, not ${value.text}`);
    return undefined;
  },
};

/** In milliseconds. */
export function duration(least: 0 | 1, most_ms = Number.MAX_SAFE_INTEGER): Shape<number> {
  const expected = 'a duration like "30s", "5m" or "1h30m"';
  return ofText(expected, (it, report, of) => {
    const ms = parseDuration(it.value);
    if (ms !== null && ms >= least && ms <= most_ms) return ms;
    if (ms !== null && ms > most_ms) report(it.at, `${of} must be at most "${formatDuration(most_ms)}"`);
    else
      report(
        it.at,
        ms === null ? `${of} must be ${expected}, not "${it.value}"` : `${of} must be more than 0`,
      );
    return undefined;
  });
}

export function oneOf<T extends string>(...choices: T[]): Shape<T> {
  const expected = choices.map((it) => `"${it}"`).join(" or ");
  return ofText(expected, (it, report, of) => {
    const choice = choices.find((known) => known === it.value);
    if (choice === undefined) report(it.at, `${of} can't be "${it.value}"`, insteadOf(it.value, choices));
    return choice;
  });
}

/** A list; items that can't be read are left out. */
export function listOf<T>(of: Shape<T>, expected: string): Shape<T[]> {
  return {
    expected,
    read(value, report, name) {
      if (value.type !== "list") return refuse(value, report, name, expected);
      return value.items.flatMap((it) => of.read(it, report, `each of ${name}`) ?? []);
    },
  };
}

/** Names without duplicates. */
export const names: Shape<string[]> = {
  expected: "a list of names",
  read(value, report, of) {
    if (value.type !== "list") return refuse(value, report, of, this.expected);
    const read = new Set<string>();
    for (const item of value.items) {
      const one = name.read(item, report, `each of ${of}`);
      if (one === undefined) continue;
      if (read.has(one)) report(item.at, `"${one}" appears twice in ${of}`);
      read.add(one);
    }
    return [...read];
  },
};

/** Names with their texts. Numbers and booleans are read as they are written: `PORT = 8080`. */
export function mapOf(key: RegExp, keys: string): Shape<Record<string, string>> {
  return {
    expected: "an object of strings",
    read(value, report, of) {
      if (value.type !== "object") return refuse(value, report, of, this.expected);
      const entries = value.entries.map((entry) => {
        if (!key.test(entry.key)) report(entry.at, `"${entry.key}" is not a valid name in ${of}`, keys);
        return [entry.key, scalar(entry.value, report, `${of}.${entry.key}`)] as const;
      });
      return Object.fromEntries(entries.flatMap(([name, it]) => (it === undefined ? [] : [[name, it]])));
    },
  };
}

function scalar(value: Value, report: Report, of: string): string | undefined {
  if (value.type === "number") return value.text;
  if (value.type === "bool") return String(value.value);
  return text.read(value, report, of);
}

export function ofText<T>(
  expected: string,
  read: (value: Text, report: Report, name: string) => T | undefined,
): Shape<T> {
  return {
    expected,
    read: (value, report, of) =>
      value.type === "string" ? read(value, report, of) : refuse(value, report, of, expected),
  };
}

function described(value: Value): string {
  switch (value.type) {
    case "list":
      return "a list";
    case "object":
      return "an object";
    case "bool":
      return String(value.value);
    case "null":
      return "null";
    case "number":
      return "a number";
    default:
      return "a string";
  }
}
