/** Notices that the person's config was written, so that a new channel is there at once. Best effort: whoever reads the config looks again anyway. */
import fs from "node:fs";
import path from "node:path";

/** An editor writes a file in several steps. */
const SETTLES_MS = 200;

/** Calls after a change of the file, or of the folders on the way to it. Returns a function that ends it. */
export function watchFile(file: string, changed: () => void): () => void {
  let watcher: fs.FSWatcher | null = null;
  let timer: NodeJS.Timeout | null = null;
  let ended = false;

  function begin(): void {
    const folder = nearest(path.dirname(file));
    try {
      watcher = fs.watch(folder, { persistent: false }, () => {
        timer ??= setTimeout(look, SETTLES_MS).unref();
      });
      watcher.on("error", () => watcher?.close());
    } catch {
      watcher = null; // no watches are left: the next decision makes somebody look
    }
  }

  /** The folder itself may be there only now. */
  function look(): void {
    timer = null;
    if (ended) return;
    watcher?.close();
    begin();
    changed();
  }

  begin();
  return () => {
    ended = true;
    watcher?.close();
    if (timer) clearTimeout(timer);
  };
}

function nearest(folder: string): string {
  const parent = path.dirname(folder);
  return fs.existsSync(folder) || parent === folder ? folder : nearest(parent);
}
