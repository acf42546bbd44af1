/**
 * A page of the documentation as something that can be run. What is to be done with a block is said by a comment before it,
 * which readers don't see:
 *
 *     <!-- file: .oj/runbooks/release.hcl -->    the block is written to that file of the page's project
 *     <!-- run -->                               `console`: each `$` line is run, what follows it is compared;
 *                                                `sh`: the block is one script
 *     <!-- run, answered: 1 -m "…" -->           the same, while somebody answers what it asks
 *     <!-- problems -->                          `hcl` that is wrong on purpose
 *
 * `# exit 1` behind a command is its exit code, else 0. A line `…` stands for any lines, `…` at the end of a line or behind a
 * comma for any part of it. Ids, ages, durations, dates and hashes differ from run to run: an id that is shown first in an output stands
 * for the real one from then on.
 */
import fs from "node:fs";
import path from "node:path";

export const ROOT = path.join(import.meta.dirname, "../../..");

export interface Block {
  line: number;
  language: string;
  text: string;
  file: string | null;
  run: boolean;
  /** The arguments of `oj decision resolve` behind the id. */
  answered: string | null;
  problems: boolean;
}

export interface Shown {
  line: number;
  command: string;
  exit: number;
  output: string[];
}

export function readPage(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), "utf8");
}

export function blocksOf(page: string): Block[] {
  const lines = page.split("\n");
  const blocks: Block[] = [];
  let directive = "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, language] = /^```(\w*)$/.exec(line) ?? [];
    if (language === undefined) {
      const [, said] = /^<!-- (.+) -->$/.exec(line) ?? [];
      if (said !== undefined) directive = said;
      else if (line.trim() !== "") directive = "";
      continue;
    }
    const end = lines.indexOf("```", at + 1);
    if (end === -1) throw new Error(`line ${at + 1}: a block without its end`);
    const text = `${lines.slice(at + 1, end).join("\n")}\n`;
    blocks.push({ line: at + 1, language, text, ...meaningOf(directive, at + 1) });
    directive = "";
    at = end;
  }
  return blocks;
}

function meaningOf(directive: string, line: number): Pick<Block, "file" | "run" | "answered" | "problems"> {
  const [, file = null] = /^file: (\S+)$/.exec(directive) ?? [];
  const [run, answered = null] = /^run(?:, answered: (.+))?$/.exec(directive) ?? [];
  const problems = directive === "problems";
  if (directive !== "" && file === null && run === undefined && !problems)
    throw new Error(`line ${line}: "${directive}" is no directive`);
  return { file, run: run !== undefined, answered, problems };
}

/** The commands of a `console` block, each with the output that is shown for it. */
export function commandsOf(block: Block): Shown[] {
  const shown: Shown[] = [];
  let open = false;
  block.text
    .trimEnd()
    .split("\n")
    .forEach((line, at) => {
      const last = shown.at(-1);
      const isCommand = line.startsWith("$ ");
      if (!isCommand && !last) throw new Error(`line ${block.line + at + 1}: output before a command`);
      if (isCommand) shown.push({ line: block.line + at + 1, command: line.slice(2), exit: 0, output: [] });
      else if (last && open) last.command += `\n${line}`;
      else last?.output.push(line);
      if (isCommand || open) open = line.endsWith("\\");
    });
  return shown.map(({ command, ...rest }) => {
    const [, code] = /\s+# exit (\d+)$/.exec(command) ?? [];
    return { ...rest, command: command.replace(/\s+# exit \d+$/, ""), exit: Number(code ?? 0) };
  });
}

/** Ids as the page writes them, and the real ones they stand for. */
export type Ids = Map<string, string>;

const ID = /\b(?:dec|job|run)-[2-9a-hjkmnp-tw-z]{10}\b/g;

/** A command with real ids in place of the page's, even if it has only the beginning of one. */
export function withRealIds(text: string, ids: Ids): string {
  let real = text;
  for (const [written, actual] of ids) {
    real = real.replaceAll(written, actual);
    const bare = written.slice(4);
    for (const length of [3, 4]) {
      const beginning = new RegExp(`(?<=[\\s/=-])${bare.slice(0, length)}(?=[\\s/'"&?]|$)`, "g");
      real = real.replace(beginning, actual.slice(4));
    }
  }
  return real;
}

/** Null if the output is as the page shows it; otherwise what was expected. New ids are added. */
export function mismatch(expected: string[], actual: string[], ids: Ids): string | null {
  const found = match(trimmed(expected), trimmed(actual), ids);
  if (found === null) return expected.join("\n");
  for (const [written, real] of found) ids.set(written, real);
  return null;
}

function match(expected: string[], actual: string[], ids: Ids): Ids | null {
  const [first, ...others] = expected;
  if (first === undefined) return actual.length === 0 ? ids : null;
  if (first.trim() === "…") {
    for (let from = 0; from <= actual.length; from++) {
      const rest = match(others, actual.slice(from), ids);
      if (rest) return rest;
    }
    return null;
  }
  const [line, ...more] = actual;
  const next = line === undefined ? null : matchLine(first, line, ids);
  return next && match(others, more, next);
}

function matchLine(expected: string, actual: string, ids: Ids): Ids | null {
  const written = [...expected.matchAll(ID)].map((it) => it[0]);
  const pattern = new RegExp(`^${patternOf(expected)}$`);
  const found = pattern.exec(actual.trimEnd());
  if (!found) return null;
  const next = new Map(ids);
  for (const [at, id] of written.entries()) {
    const real = found[at + 1] ?? "";
    if ((next.get(id) ?? real) !== real) return null;
    next.set(id, real);
  }
  return next;
}

/** What differs from run to run, as it is recognized in the page, and what may stand there instead. */
const VARYING: [RegExp, string][] = [
  [ID, "((?:dec|job|run)-[2-9a-z]{10})"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?/g, "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d(?::\\d\\d)?"],
  [/just now|\d+ (?:second|minute)s? ago/g, "(?:just now|\\d+ (?:second|minute)s? ago)"],
  [/\b\d{13}\b/g, "\\d{13}"],
  [/(?<=\b(?:pid|id|seq|events|uptime_ms|memory_bytes)\b"?[ :=]+)\d+/g, "\\d+"],
  [/\b\d+ MB\b/g, "\\d+ MB"],
  [/\b[\d.]+ GB\b/g, "[\\d.]+ GB"],
  [/\b\d+\.\d+\.\d+\b/g, "\\d+\\.\\d+\\.\\d+"],
  [/(?<= )(?:now|\d+(?:\.\d+)?(?:ms|s|m))(?= |$)/g, "(?:now|\\d+(?:\\.\\d+)?(?:ms|s|m))"],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{7}\b/g, "[0-9a-f]{7}"],
  [/─{3,}/g, "─{3,}"],
  [/ +/g, " +"],
  [/…$|(?<=,)…/g, ".*"],
];

function patternOf(text: string): string {
  const [varying, ...others] = VARYING;
  return parts(text, varying ? [varying, ...others] : []);

  function parts(piece: string, rules: [RegExp, string][]): string {
    const [rule, ...rest] = rules;
    if (!rule) return piece.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    const [pattern, instead] = rule;
    let out = "";
    let at = 0;
    for (const found of piece.matchAll(pattern)) {
      out += parts(piece.slice(at, found.index), rest) + instead;
      at = found.index + found[0].length;
    }
    return out + parts(piece.slice(at), rest);
  }
}

function trimmed(lines: string[]): string[] {
  const text = lines.join("\n").replace(/^\n+|\s+$/g, "");
  return text === "" ? [] : text.split("\n");
}
