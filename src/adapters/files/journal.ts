/** The daemon's log: JSON lines in a file that is rotated by size. Writing it never fails the daemon and never blocks it. */
import fs from "node:fs/promises";
import type { Journal } from "../../ports.ts";

const LEVELS = ["debug", "info", "warn", "error"] as const;
type Level = (typeof LEVELS)[number];

/** Lines that may wait for a slow disk; beyond that they are counted instead of kept. */
const MAX_WAITING = 10_000;

export function fileJournal(input: {
  file: string;
  level: string;
  maxBytes: number;
  keep: number;
  now(): number;
}): Journal & {
  close(): Promise<void>;
} {
  const least = Math.max(0, LEVELS.indexOf(input.level as Level));
  let waiting: string[] = [];
  let dropped = 0;
  let size: number | null = null;
  let writing: Promise<void> | null = null;

  function add(level: Level, message: string, fields: Record<string, unknown> = {}): void {
    if (LEVELS.indexOf(level) < least) return;
    if (waiting.length >= MAX_WAITING) {
      dropped += 1;
      return;
    }
    waiting.push(`${JSON.stringify({ at_ms: input.now(), level, message, ...fields })}\n`);
    writing ??= write().finally(() => {
      writing = null;
    });
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const text = waiting.join("");
      waiting = [];
      try {
        size ??= await fs.stat(input.file).then(
          (it) => it.size,
          () => 0,
        );
        if (size > 0 && size + text.length > input.maxBytes) await rotate();
        await fs.appendFile(input.file, text, { mode: 0o600 });
        size += Buffer.byteLength(text);
      } catch {
        dropped += 1; // a full disk: the daemon carries on, and says so once it can
      }
    }
    if (dropped > 0) {
      const count = dropped;
      dropped = 0;
      add("warn", "lines of this log were lost", { count });
    }
  }

  async function rotate(): Promise<void> {
    for (let index = input.keep - 1; index >= 1; index--) {
      await fs.rename(`${input.file}.${index}`, `${input.file}.${index + 1}`).catch(() => undefined);
    }
    await fs.rename(input.file, `${input.file}.1`);
    size = 0;
  }

  return {
    debug: (message, fields) => add("debug", message, fields),
    info: (message, fields) => add("info", message, fields),
    warn: (message, fields) => add("warn", message, fields),
    error: (message, fields) => add("error", message, fields),
    async close() {
      while (writing !== null) await writing;
    },
  };
}
