/**
 * A backup: a file of its own, compressed, that can be checked without any store. Its lines are JSON: what it is, the
 * snapshot, pages of events, and at the end a SHA-256 over all lines before.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { createGunzip, createGzip } from "node:zlib";
import { Refusal } from "../core/model/errors.ts";
import type { Entry, Whole } from "../store-ports.ts";

/** An older oj reads 1; one with erased texts it would take for another log, and whoever left it would let in. */
const FORMAT = 3;
const ERASED = 2;
const PLAIN = 1;

interface Head {
  oj_backup: number;
  version: string;
  base: number;
  base_chain: string | null;
  tip: number;
  /** Whether the next line is one. */
  snapshot: number | null;
}

/** Writes beside the file and renames it: an older backup of that name stays until the new one is complete. */
export async function writeBackup(file: string, whole: Whole, version: string): Promise<number> {
  const temporary = `${file}.${process.pid}.part`;
  try {
    const out = fs.createWriteStream(temporary, { mode: 0o600, flags: "wx", flush: true });
    await pipeline(Readable.from(linesOf(whole, version)), createGzip(), out);
    fs.renameSync(temporary, file);
    syncFolder(path.dirname(file));
    return fs.statSync(file).size;
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("E")) throw error;
    throw new Refusal(
      "backup.failed",
      `The backup ${file} can't be written: ${message}.`,
      `ls -ld ${path.dirname(file)}`,
    );
  }
}

function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

async function* linesOf({ base, base_chain, tip, erased, removed, snapshot, pages }: Whole, version: string) {
  const sum = createHash("sha256");
  const line = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`;
    sum.update(text);
    return text;
  };
  const head: Head = {
    oj_backup: removed ? FORMAT : erased ? ERASED : PLAIN,
    version,
    base,
    base_chain: base_chain?.toString("hex") ?? null,
    tip,
    snapshot: snapshot?.seq ?? null,
  };
  yield line(head);
  if (snapshot !== null) yield line({ state: snapshot.state });
  for await (const page of pages())
    for (const { seq, stream, body, link } of page)
      yield line(link ? [seq, stream, body, link.toString("hex")] : [seq, stream, body]);
  yield `${JSON.stringify({ sha256: sum.digest("hex") })}\n`;
}

/** Reads it once from beginning to end, and refuses it where it is not what was written. */
export async function readBackup(file: string): Promise<Whole> {
  let head: Head | null = null;
  let state: string | null = null;
  try {
    for await (const part of partsOf(file)) {
      if ("oj_backup" in part) head = part;
      if ("state" in part) state = part.state;
    }
  } catch (error) {
    throw error instanceof Refusal ? error : unreadable(file, error as NodeJS.ErrnoException);
  }
  if (head === null) throw damaged(file, "it is empty");
  return {
    base: head.base,
    base_chain: head.base_chain === null ? null : Buffer.from(head.base_chain, "hex"),
    tip: head.tip,
    erased: head.oj_backup > PLAIN,
    removed: head.oj_backup >= FORMAT,
    snapshot: head.snapshot === null || state === null ? null : { seq: head.snapshot, state },
    async *pages() {
      for await (const part of partsOf(file)) if ("page" in part) yield part.page;
    },
  };
}

type Part = Head | { state: string } | { page: Entry[] };

const PAGE = 1000;

async function* partsOf(file: string): AsyncGenerator<Part> {
  const sum = createHash("sha256");
  let head: Head | null = null;
  let hasState = false;
  let isWhole = false;
  let page: Entry[] = [];
  let seq = 0;
  for await (const line of lines(file)) {
    if (isWhole) throw damaged(file, "something follows its end");
    const value = parsed(file, line);
    if (isEnd(value)) {
      if (value.sha256 !== sum.digest("hex")) throw damaged(file, "its checksum is wrong");
      isWhole = true;
      continue;
    }
    sum.update(`${line}\n`);
    if (head === null) {
      head = headIn(file, value);
      seq = head.base;
      yield head;
    } else if (head.snapshot !== null && !hasState) {
      hasState = true;
      const { state } = (value ?? {}) as { state?: unknown };
      if (typeof state !== "string") throw damaged(file, "its snapshot can't be read");
      yield { state };
    } else {
      page.push(entryIn(file, value, ++seq));
      if (page.length < PAGE) continue;
      yield { page };
      page = [];
    }
  }
  if (!isWhole || head === null) throw damaged(file, "its end is missing");
  if (seq !== head.tip) throw damaged(file, `it ends at event ${seq} instead of ${head.tip}`);
  if (page.length > 0) yield { page };
}

/** Not by `readline`, which also ends a line at characters that JSON leaves as they are (U+2028). */
async function* lines(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  const source = fs.createReadStream(file).on("error", (error) => text.destroy(error));
  source.pipe(text);
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const chunk of text) {
      const found = (rest + decoder.write(chunk as Buffer)).split("\n");
      rest = found.pop() ?? "";
      yield* found;
    }
  } finally {
    source.destroy();
  }
  if (rest !== "") throw damaged(file, "its end is missing");
}

function parsed(file: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged(file, "a line of it can't be read");
  }
}

function isEnd(value: unknown): value is { sha256: string } {
  return typeof value === "object" && value !== null && "sha256" in value;
}

function headIn(file: string, value: unknown): Head {
  const head = value as Partial<Head> | null;
  const isCount = (it: unknown) => Number.isSafeInteger(it) && (it as number) >= 0;
  if (typeof head !== "object" || !isCount(head?.oj_backup)) throw damaged(file, "it is not a backup of oj");
  if ((head?.oj_backup ?? 0) > FORMAT)
    throw new Refusal(
      "store.newer",
      `${file} was written by oj ${head?.version}.`,
      "npm install -g oddjobs@latest",
    );
  const isOne =
    isCount(head?.base) &&
    isCount(head?.tip) &&
    (head?.snapshot === null || isCount(head?.snapshot)) &&
    (head?.base_chain === null || /^[0-9a-f]{64}$/.test(String(head?.base_chain)));
  if (!isOne) throw damaged(file, "its first line can't be read");
  return head as Head;
}

function entryIn(file: string, value: unknown, expected: number): Entry {
  const [seq, stream, body, link] = Array.isArray(value) ? value : [];
  const isOne = seq === expected && typeof stream === "string" && typeof body === "string";
  if (!isOne || (link !== undefined && !/^[0-9a-f]{64}$/.test(String(link))))
    throw damaged(file, `event ${expected} can't be read`);
  const entry = { seq: expected, stream, body };
  return link === undefined ? entry : { ...entry, link: Buffer.from(String(link), "hex") };
}

function damaged(file: string, what: string): Refusal {
  return new Refusal("backup.damaged", `The backup ${file} is damaged: ${what}.`, "use another backup");
}

function unreadable(file: string, error: NodeJS.ErrnoException): Refusal {
  if (error.code?.startsWith("Z_")) return damaged(file, error.message);
  return new Refusal(
    "backup.failed",
    `The backup ${file} can't be read: ${error.message}.`,
    "oj store backup FILE",
  );
}
