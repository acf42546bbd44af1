/** One look at the daemon: what it uses, and how long calls took since the previous look. */
import fs from "node:fs";
import path from "node:path";
import { quantile } from "../bench/rows.ts";

export interface Sample {
  at: string;
  decisions: number;
  /** The lowest since the previous look; a snapshot takes more for a moment. */
  rssMb: number;
  peakMb: number;
  /** The lowest since the previous look: what is left after garbage collection. */
  heapMb: number;
  /** Outside the heap: buffers. */
  outsideMb: number;
  descriptors: number;
  diskMb: number;
  p50: number;
  p99: number;
  slowest: number;
  /** What a bare Node server on the same machine takes: if that is slow, nobody can be fast. */
  floorP99: number;
  /** The longest time that the event loop stood still, and the longest collection. */
  loopMs: number;
  gcMs: number;
}

interface Where {
  pid: number;
  stateDir: string;
  probe: string;
}

interface Line {
  rss: number;
  heapUsed: number;
  external: number;
  loop_ms: number;
  gc_ms: number;
}

const MB = 1e6;
let read = 0;

export async function sampleOf(
  { pid, stateDir, probe }: Where,
  {
    at,
    taken,
    floor,
    decisions,
  }: { at: string; taken: readonly number[]; floor: readonly number[]; decisions: number },
): Promise<Sample> {
  const text = fs.readFileSync(probe, "utf8");
  const lines = text.slice(read).trim().split("\n").filter(Boolean);
  read = text.length;
  const seen = lines.map((it) => JSON.parse(it) as Line);
  const last = seen.at(-1) ?? { rss: 0, heapUsed: 0, external: 0, loop_ms: 0, gc_ms: 0 };
  return {
    at,
    decisions,
    rssMb: Math.min(...seen.map((it) => it.rss)) / MB,
    peakMb: Math.max(...seen.map((it) => it.rss)) / MB,
    heapMb: Math.min(...seen.map((it) => it.heapUsed)) / MB,
    outsideMb: last.external / MB,
    descriptors: fs.readdirSync(`/proc/${pid}/fd`).length,
    diskMb: (sizeOf(stateDir) + nameless(pid)) / MB,
    p50: quantile(taken, 0.5),
    p99: quantile(taken, 0.99),
    slowest: taken.reduce((most, it) => Math.max(most, it), 0),
    floorP99: quantile(floor, 0.99),
    loopMs: Math.max(...seen.map((it) => it.loop_ms)),
    gcMs: Math.max(...seen.map((it) => it.gc_ms)),
  };
}

const COLUMNS: [head: string, width: number, cell: (it: Sample) => string][] = [
  ["", 9, (it) => it.at],
  ["decisions", 10, (it) => String(it.decisions)],
  ["RSS MB", 8, (it) => it.rssMb.toFixed(0)],
  ["peak MB", 8, (it) => it.peakMb.toFixed(0)],
  ["heap MB", 8, (it) => it.heapMb.toFixed(1)],
  ["buffers MB", 11, (it) => it.outsideMb.toFixed(1)],
  ["fds", 5, (it) => String(it.descriptors)],
  ["disk MB", 8, (it) => it.diskMb.toFixed(0)],
  ["p50 ms", 8, (it) => number(it.p50)],
  ["p99 ms", 8, (it) => number(it.p99)],
  ["max ms", 8, (it) => number(it.slowest)],
  ["bare p99", 10, (it) => number(it.floorP99)],
  ["loop ms", 8, (it) => number(it.loopMs)],
  ["gc ms", 7, (it) => number(it.gcMs)],
];

export function headOf(): string {
  return COLUMNS.map(([head, width]) => head.padStart(width)).join("");
}

export function lineOf(sample: Sample | undefined): string {
  return sample ? COLUMNS.map(([, width, cell]) => cell(sample).padStart(width)).join("") : "";
}

function number(value: number): string {
  return Number.isFinite(value) ? value.toFixed(1) : "–";
}

/** Files that the daemon has open and that are in no folder: its shelf. */
function nameless(pid: number): number {
  let size = 0;
  for (const fd of fs.readdirSync(`/proc/${pid}/fd`)) {
    const stat = fs.statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.nlink === 0) size += stat.size;
  }
  return size;
}

function sizeOf(dir: string): number {
  let size = 0;
  for (const it of fs.readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, it.name);
    if (it.isDirectory()) size += sizeOf(file);
    else size += fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }
  return size;
}
