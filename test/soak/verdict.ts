/** What the numbers of a soak say: whether something grows, and whether a minute was slow. */
import type { Sample } from "./sample.ts";

export interface Verdict {
  /** Null: this machine was too busy to tell. */
  ok: boolean | null;
  text: string;
}

const P99_MS = 50;
/** If a bare Node server takes longer than this, others are using the machine. */
const QUIET_MS = 15;
/** The daemon opens one more for each 16 MB of settled decisions, and closes it when they are gone. */
const SHELF_FILES = 10;
/** Growth of memory that is still noise, in megabytes a minute. */
const FLAT_MB = 1;
/** The same on disk, where compaction goes in steps: half of what the texts of a minute take. */
const FLAT_DISK_MB = 2;

export function verdictsOn(input: {
  /** At the start, when it was full, and then under load. */
  samples: readonly Sample[];
  idle: Sample;
  errors: readonly string[];
  /** Minutes between two samples. */
  perMinute: number;
}): Verdict[] {
  const { samples, idle, errors, perMinute } = input;
  const [first, , ...loaded] = samples;
  const late = loaded.slice(-Math.max(3, Math.ceil(loaded.length / 2)));
  const slope = (of: (it: Sample) => number) => slopeOf(late.map(of)) / perMinute;
  const [heap, rss, disk] = [slope((it) => it.heapMb), slope((it) => it.rssMb), slope((it) => it.diskMb)];
  const slow = loaded.filter((it) => it.p99 >= P99_MS);
  const descriptors = idle.descriptors - (first?.descriptors ?? 0);
  const bare = Math.max(...loaded.map((it) => it.floorP99));
  const worst = Math.max(...loaded.map((it) => it.p99));
  return [
    { ok: heap < FLAT_MB, text: `heap in the later half: ${signed(heap)} MB a minute` },
    { ok: rss < FLAT_MB, text: `RSS in the later half: ${signed(rss)} MB a minute` },
    { ok: disk < FLAT_DISK_MB, text: `disk in the later half: ${signed(disk)} MB a minute` },
    {
      ok: descriptors <= SHELF_FILES,
      text: `descriptors: ${first?.descriptors} at the start, ${idle.descriptors} when idle again`,
    },
    {
      ok: slow.length === 0 ? true : slow.every((it) => it.floorP99 > QUIET_MS) ? null : false,
      text: `p99 at most ${worst.toFixed(1)} ms in every sample (limit ${P99_MS} ms; a bare Node server: ${bare.toFixed(1)} ms)`,
    },
    {
      ok: errors.length === 0,
      text: `${errors.length} calls failed${errors[0] ? `, the first: ${errors[0]}` : ""}`,
    },
  ];
}

/** By least squares, for each step. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, it) => sum + it, 0) / values.length;
  let [above, below] = [0, 0];
  values.forEach((value, n) => {
    above += (n - middle) * (value - mean);
    below += (n - middle) ** 2;
  });
  return below === 0 ? 0 : above / below;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
