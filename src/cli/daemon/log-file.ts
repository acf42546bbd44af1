/** Reads the daemon's log file from its end, and continues when it grows or is rotated. */
import fs from "node:fs";
import path from "node:path";

/** If the system does not report changes, we look for them. */
const LOOK_AGAIN_MS = 500;

/** The last lines, including those of the rotated file if this one is too short. */
export function lastLines(file: string, count: number): string[] {
  const lines = linesOf(file);
  if (lines.length >= count) return lines.slice(lines.length - count);
  return [...linesOf(`${file}.1`), ...lines].slice(-count);
}

function linesOf(file: string): string[] {
  try {
    return fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter((it) => it !== "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The last lines, then each line as it is written, until aborted. */
export async function followLines(
  file: string,
  count: number,
  abort: AbortSignal,
  onLine: (line: string) => void,
): Promise<void> {
  const before: string[] = [];
  let take = (line: string): void => {
    before.push(line);
  };
  const tail = tailOf(file, (line) => take(line));
  tail.read();
  const older = before.length < count ? linesOf(`${file}.1`) : [];
  for (const line of count === 0 ? [] : [...older, ...before].slice(-count)) onLine(line);
  take = onLine;
  const watcher = watchFolder(path.dirname(file), tail.read);
  const timer = setInterval(tail.read, LOOK_AGAIN_MS);
  try {
    if (!abort.aborted)
      await new Promise((resolve) => abort.addEventListener("abort", resolve, { once: true }));
    tail.read();
  } finally {
    watcher?.close();
    clearInterval(timer);
    tail.close();
  }
}

function watchFolder(folder: string, call: () => void): fs.FSWatcher | null {
  try {
    return fs.watch(folder, call).on("error", () => {});
  } catch {
    return null;
  }
}

/** An open file and how far it was read. A rotated file is read to its end before the new one. */
function tailOf(file: string, onLine: (line: string) => void): { read(): void; close(): void } {
  let open: { descriptor: number; inode: number; at: number } | null = null;
  let rest = "";

  function openFile(): void {
    try {
      const descriptor = fs.openSync(file, "r");
      open = { descriptor, inode: fs.fstatSync(descriptor).ino, at: 0 };
    } catch {
      open = null; // not there yet, or just being rotated
    }
  }

  function drain(): void {
    if (!open) return;
    const buffer = Buffer.alloc(65_536);
    for (;;) {
      const size = fs.readSync(open.descriptor, buffer, 0, buffer.length, open.at);
      if (size === 0) return;
      open.at += size;
      const lines = (rest + buffer.toString("latin1", 0, size)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(Buffer.from(line, "latin1").toString("utf8"));
    }
  }

  function read(): void {
    if (!open) openFile();
    drain();
    const current = fs.statSync(file, { throwIfNoEntry: false });
    if (!open || !current || current.ino === open.inode) return;
    drain();
    fs.closeSync(open.descriptor);
    openFile();
    drain();
  }

  return {
    read,
    close() {
      if (open) fs.closeSync(open.descriptor);
      open = null;
    },
  };
}
