/** The port `Journal` in memory. Passes the journal's contract. */
import type { Journal } from "../../src/ports.ts";

export interface Line {
  level: keyof Journal;
  message: string;
  fields: Record<string, unknown>;
}

export interface FakeJournal extends Journal {
  lines: Line[];
  /** The messages of this level and above, each with its fields: `an answer is late {"id":"dec-1"}`. */
  said(least: keyof Journal): string[];
}

const LEVELS: (keyof Journal)[] = ["debug", "info", "warn", "error"];

export function fakeJournal(): FakeJournal {
  const lines: Line[] = [];
  const add =
    (level: keyof Journal) =>
    (message: string, fields: Record<string, unknown> = {}): void =>
      void lines.push({ level, message, fields });
  return {
    lines,
    said: (least) =>
      lines
        .filter((it) => LEVELS.indexOf(it.level) >= LEVELS.indexOf(least))
        .map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`),
    debug: add("debug"),
    info: add("info"),
    warn: add("warn"),
    error: add("error"),
  };
}
