/**
 * Whether the machine went down under the last daemon. What that daemon had written but not synced may be gone, so a missing file proves
 * nothing. The kernel's own boot id tells, since clocks can be set; where there is none, the boot time does.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export interface BootMark {
  /** A daemon was at work when the machine went down. */
  wentDown: boolean;
  /** What was under way then is settled and recorded. Until then, every daemon that starts learns of it again. */
  settle(): void;
  /** The daemon did not come up: the next one must still learn what this one knew. */
  restore(): void;
  /** The daemon ends in good order: nothing is under way, unless something from before is still not settled. */
  clear(): void;
}

const KERNELS = "/proc/sys/kernel/random/boot_id";
/**
 * How much two readings of one boot time may differ, since clocks are corrected. A larger step counts as another boot: a run is then
 * failed, never repeated.
 */
const SAME_WITHIN_MS = 300_000;

export function takeBootMark(stateDir: string, now = markNow()): BootMark {
  const file = path.join(stateDir, "boot");
  const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : null;
  const wentDown = before !== null && !isSame(before, now);
  let isSettled = !wentDown;
  if (isSettled && before !== now) keep(file, now);
  return {
    wentDown,
    settle() {
      if (!isSettled) keep(file, now);
      isSettled = true;
    },
    restore: () => (before === null ? fs.rmSync(file, { force: true }) : keep(file, before)),
    clear: () => (isSettled ? fs.rmSync(file, { force: true }) : undefined),
  };
}

function markNow(): string {
  if (fs.existsSync(KERNELS)) return fs.readFileSync(KERNELS, "utf8").trim();
  return String(Math.round(Date.now() - os.uptime() * 1000));
}

function isSame(one: string, other: string): boolean {
  return one === other || Math.abs(Number(one) - Number(other)) < SAME_WITHIN_MS;
}

/** On disk before anything starts under it. */
function keep(file: string, text: string): void {
  const fresh = `${file}.new`;
  const handle = fs.openSync(fresh, "w", 0o600);
  fs.writeSync(handle, `${text}\n`);
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  fs.renameSync(fresh, file);
  const folder = fs.openSync(path.dirname(file), "r");
  fs.fsyncSync(folder);
  fs.closeSync(folder);
}
