/** Snapshots of the state, one file each: written, checked and thinned out here. The log itself stays out. */
import path from "node:path";
import { crc32 } from "node:zlib";
import { STATE_FORMAT } from "../../core/model/state/state-text.ts";
import type { Opened } from "../../ports.ts";
import { textOf } from "./errors.ts";
import { renameDurably, writeDurably } from "./files.ts";
import type { Place } from "./place.ts";

export type Snapshot = NonNullable<Opened["snapshot"]>;

/** A file is one line of this, then the state. */
interface Header {
  format: number;
  version: string;
  seq: number;
  bytes: number;
  sum: number;
}

const namePattern = /^snapshot-(\d+)\.json$/;
const strayPattern = /^snapshot-\d+\.json\.tmp$/;
const unusedPattern = /^snapshot-\d+\.json\.unused$/;
const kept = 2;

export interface Found {
  snapshot: Snapshot | null;
  /** A sentence for each newer snapshot that could not be used. */
  skipped: string[];
  /** The version of oj that wrote one of those, where it is newer than this one. */
  newer: string | null;
}

/** The newest sound snapshot within the range. */
export function newestSnapshot(place: Place, from: number, to: number): Found {
  const found: Found = { snapshot: null, skipped: [], newer: null };
  for (const seq of listSnapshots(place)) {
    if (seq < from) break;
    const result =
      seq > to ? { problem: `it is ahead of the log, which ends at ${to}` } : readSnapshot(place, seq);
    if ("state" in result) return { ...found, snapshot: result };
    found.skipped.push(`${fileOf(place, seq)} was not used: ${result.problem}.`);
    found.newer ??= result.newer ?? null;
  }
  return found;
}

/** Removed for good: a snapshot ahead of the log would look right again once the log has caught up. */
export function setAsideSnapshots(place: Place, above: number): void {
  for (const seq of listSnapshots(place).filter((it) => it > above))
    renameDurably(place.files, fileOf(place, seq), `${fileOf(place, seq)}.unused`);
}

/** Removes those from before this event, and those that were set aside: texts that were erased since are in them. */
export function dropSnapshots(place: Place, before: number): void {
  for (const seq of listSnapshots(place)) if (seq < before) place.files.remove(fileOf(place, seq));
  for (const name of place.files.list(place.dir))
    if (unusedPattern.test(name)) place.files.remove(path.join(place.dir, name));
}

/** The lines of a state, as `stateLines` gives them. */
export function writeSnapshot(place: Place, seq: number, lines: Iterable<string>): void {
  const pieces = piecesOf(lines);
  const header: Header = {
    format: STATE_FORMAT,
    version: place.version,
    seq,
    bytes: pieces.reduce((sum, it) => sum + it.length, 0),
    sum: pieces.reduce((sum, it) => crc32(it, sum), 0),
  };
  writeDurably(place.files, fileOf(place, seq), [Buffer.from(`${JSON.stringify(header)}\n`), ...pieces]);
  thinOut(place);
}

/** Each is flushed to disk separately: a commit that comes meanwhile waits for one of them, not for all. */
const PIECE_CHARACTERS = 1 << 20;

function piecesOf(lines: Iterable<string>): Buffer[] {
  const pieces: Buffer[] = [];
  let text = "";
  let isFirst = true;
  for (const line of lines) {
    text += isFirst ? line : `\n${line}`;
    isFirst = false;
    if (text.length < PIECE_CHARACTERS) continue;
    pieces.push(Buffer.from(text));
    text = "";
  }
  return text === "" ? pieces : [...pieces, Buffer.from(text)];
}

/** The seqs of the snapshots there are, newest first. */
export function listSnapshots(place: Place): number[] {
  const seqs = place.files.list(place.dir).map((name) => namePattern.exec(name)?.[1]);
  return seqs
    .filter((seq) => seq !== undefined)
    .map(Number)
    .sort((a, b) => b - a);
}

/** The snapshot, or why it can't be used. */
function readSnapshot(place: Place, seq: number): Snapshot | { problem: string; newer?: string } {
  let content: Buffer;
  try {
    content = place.files.read(fileOf(place, seq));
  } catch (error) {
    return { problem: textOf(error) };
  }
  const end = content.indexOf("\n");
  const header = parseHeader(content.toString("utf8", 0, Math.max(end, 0)));
  const text = content.subarray(end + 1);
  if (header === null) return { problem: "its first line can't be read" };
  if (header.format > STATE_FORMAT)
    return { problem: `it was written by oj ${header.version}`, newer: header.version };
  if (header.format !== STATE_FORMAT) return { problem: `it has format ${header.format}` };
  if (header.seq !== seq) return { problem: `it says it belongs to ${header.seq}` };
  if (header.bytes !== text.length)
    return { problem: `it has ${text.length} bytes instead of ${header.bytes}` };
  if (header.sum !== crc32(text)) return { problem: "its checksum is wrong" };
  return { seq, state: text.toString() };
}

function parseHeader(line: string): Header | null {
  try {
    return JSON.parse(line) as Header | null;
  } catch {
    return null;
  }
}

function thinOut(place: Place): void {
  const { dir, files } = place;
  for (const seq of listSnapshots(place).slice(kept)) files.remove(fileOf(place, seq));
  for (const name of files.list(dir)) if (strayPattern.test(name)) files.remove(path.join(dir, name));
}

function fileOf(place: Place, seq: number): string {
  return path.join(place.dir, `snapshot-${seq}.json`);
}
