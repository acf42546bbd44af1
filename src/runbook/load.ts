/**
 * Reads a project's runbooks from disk, and is the only file here that touches files. What they mean is up to
 * compile.ts.
 */

import type { Stats } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import type { Template } from "../core/model/runbook.ts";
import type { ReadScripts } from "../core/script/script-check.ts";
import { BUILTIN_TEMPLATES } from "../core/template/builtin-templates.ts";
import type { Known } from "./checks/overdue.ts";
import type { Compiled, ParsedFile } from "./compile.ts";
import { finish, parseFile, prepare } from "./compile.ts";
import type { FileText } from "./hcl/expand.ts";
import { filesIn } from "./hcl/expand.ts";
import { sourceOf } from "./hcl/source.ts";

export interface Loaded extends Compiled {
  /** The runbook files, relative to the root. */
  files: string[];
}

const FOLDER = ".oj/runbooks";
const LARGEST_RUNBOOK = 1024 * 1024;
const LARGEST_FILE = 256 * 1024;
const MOST_FILES = 500;

/** For callers that only want to know what is declared: bash does not read the scripts. */
const UNREAD: ReadScripts = async () => [];

/** Called with every file and folder before it is read. */
type Saw = (file: string) => void;

/**
 * Loads all runbooks of a project. `builtIn` are templates that need no declaration; `known` are the people whom an
 * escalation may name, or null if that doesn't matter: whoever runs a job may not have them all in their config.
 */
export async function loadRunbooks(
  root: string,
  readScripts: ReadScripts = UNREAD,
  builtIn: readonly Template[] = BUILTIN_TEMPLATES,
  known: Known | null = null,
  saw?: Saw,
): Promise<Loaded> {
  const { names, unreadable } = await list(root, saw);
  const parsed = await Promise.all(names.map((name) => parse(root, name, saw)));
  const loaded = await compileAll(root, [...unreadable, ...parsed], builtIn, readScripts, known, saw);
  return { ...loaded, files: names };
}

/**
 * Checks these files as parts of the project: the declarations of its other runbooks are known. A file from elsewhere
 * may declare again what the project has, as a draft of a change would.
 */
export async function checkFiles(
  root: string,
  paths: string[],
  readScripts: ReadScripts = UNREAD,
  builtIn: readonly Template[] = BUILTIN_TEMPLATES,
  known: Known | null = null,
): Promise<Loaded> {
  const { names } = await list(root);
  const asked = [...new Set(paths.map((it) => shown(root, path.resolve(root, it))))];
  const drafts = asked.filter((it) => !names.includes(it));
  const parsed = await Promise.all([...drafts, ...names].map((name) => parse(root, name)));
  const { runbook, policies, irreversible, problems, warnings, broken } = await compileAll(
    root,
    parsed,
    builtIn,
    readScripts,
    known,
  );
  const isAsked = (it: { path: string }) => asked.includes(it.path);
  return {
    runbook: {
      commands: runbook.commands.filter(isAsked),
      jobs: runbook.jobs.filter(isAsked),
      agents: runbook.agents.filter(isAsked),
      templates: runbook.templates.filter(isAsked),
      escalations: runbook.escalations,
      requests: runbook.requests,
    },
    policies: policies.filter(isAsked),
    irreversible: irreversible.filter(isAsked),
    problems: problems.filter(isAsked),
    warnings: warnings.filter(isAsked),
    broken: broken.filter(isAsked),
    files: asked,
  };
}

async function compileAll(
  root: string,
  parsed: ParsedFile[],
  builtIn: readonly Template[],
  readScripts: ReadScripts,
  known: Known | null,
  saw?: Saw,
): Promise<Compiled> {
  const wanted = [...new Set(parsed.flatMap((it) => filesIn(it.items)))].slice(0, MOST_FILES);
  const texts = new Map(
    await Promise.all(wanted.map(async (it) => [it, await pasted(root, it, saw)] as const)),
  );
  const tooMany = { problem: `is one file too many: runbooks can paste up to ${MOST_FILES} files` };
  const prepared = prepare(parsed, (it) => texts.get(it) ?? tooMany, builtIn, known);
  return finish(prepared, await readScripts(prepared.scripts.map((it) => it.script)));
}

async function list(root: string, saw?: Saw): Promise<{ names: string[]; unreadable: ParsedFile[] }> {
  saw?.(path.join(root, FOLDER));
  try {
    const entries = await fs.readdir(path.join(root, FOLDER), { withFileTypes: true });
    const files = entries.filter((it) => /^[^.].*\.hcl$/.test(it.name) && !it.isDirectory());
    return { names: files.map((it) => `${FOLDER}/${it.name}`).sort(), unreadable: [] };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return { names: [], unreadable: [] };
    const reason = code === "ENOTDIR" ? "is not a folder" : (reasons[code] ?? `can't be read: ${code}`);
    return { names: [], unreadable: [failed(FOLDER, `the runbooks folder ${reason}`)] };
  }
}

async function parse(root: string, name: string, saw?: Saw): Promise<ParsedFile> {
  saw?.(path.resolve(root, name));
  const bytes = await read(path.resolve(root, name), LARGEST_RUNBOOK);
  if (typeof bytes === "string") return failed(name, `this file ${bytes}`);
  const bad = firstBad(bytes);
  return bad === null
    ? parseFile(name, bytes.toString("utf8"))
    : failed(name, "this file is not UTF-8 text", bytes, bad);
}

/** Reads a file for `file("…")`: it must be inside the project after links are resolved. */
async function pasted(root: string, name: string, saw?: Saw): Promise<FileText> {
  saw?.(path.resolve(root, name));
  try {
    const home = await fs.realpath(root);
    const target = await fs.realpath(path.resolve(home, name));
    const isInside = target.startsWith(home.endsWith(path.sep) ? home : home + path.sep);
    if (!isInside) return { problem: "is outside the project" };
    const bytes = await read(target, LARGEST_FILE);
    if (typeof bytes === "string") return { problem: bytes };
    const isText = firstBad(bytes) === null && !bytes.includes(0);
    return isText
      ? { text: bytes.toString("utf8").replace(/^\uFEFF/, "") }
      : { problem: "is not UTF-8 text" };
  } catch (error) {
    const code = codeOf(error);
    return { problem: reasons[code] ?? `can't be read: ${code}` };
  }
}

const reasons: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "can't be read: permission denied",
  ENOTDIR: "is not in a folder",
  EISDIR: "is a folder",
  ELOOP: "is a link that goes in circles",
  ENAMETOOLONG: "has a name that is too long",
};

/** The bytes, or why they can't be read. */
async function read(file: string, largest: number): Promise<Buffer | string> {
  try {
    const stats: Stats = await fs.stat(file);
    if (stats.isDirectory()) return "is a folder";
    if (!stats.isFile()) return "is not a regular file";
    if (stats.size > largest) return `is larger than ${largest / 1024} KB`;
    const bytes = await fs.readFile(file);
    return bytes.length > largest ? `is larger than ${largest / 1024} KB` : bytes;
  } catch (error) {
    const code = codeOf(error);
    return reasons[code] ?? `can't be read: ${code}`;
  }
}

/**
 * How many bytes at the start are valid, or null if all are. Bisection works since any beginning of valid text is
 * valid.
 */
function firstBad(bytes: Buffer): number | null {
  const isGood = (end: number) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end), {
        stream: end < bytes.length,
      });
      return true;
    } catch {
      return false;
    }
  };
  if (isGood(bytes.length)) return null;
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isGood(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** A file that could not be parsed, with its one problem. */
function failed(name: string, message: string, bytes: Buffer = Buffer.alloc(0), at = 0): ParsedFile {
  const source = sourceOf(name, bytes.toString("utf8"));
  const before = sourceOf(name, new TextDecoder().decode(bytes.subarray(0, at), { stream: true })).text
    .length;
  return { source, items: [], findings: [{ at: { start: before, end: before + 1 }, message }] };
}

function shown(root: string, file: string): string {
  const relative = path.relative(root, file);
  if (relative === "" || relative.startsWith("..") || path.isAbsolute(relative)) return file;
  return relative.split(path.sep).join("/");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
