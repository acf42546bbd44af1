/** Reports when a file changes, at most so often: in between it does not even listen, so that a flood costs nothing. */
import fs from "node:fs";
import path from "node:path";

/** The file may come, go and be replaced; its folder must exist. `failed` is called if the system can't watch it. */
export function watchFile(
  file: string,
  input: { everyMs: number; changed(): void; failed(error: Error): void },
): () => void {
  let watcher: fs.FSWatcher | null = null;
  let timer: NodeJS.Timeout | null = null;
  let seen = stampOf(file);

  function listen(): void {
    timer = null;
    try {
      watcher = fs.watch(path.dirname(file), { persistent: false }, look);
      watcher.on("error", () => stop()); // its folder went
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") input.failed(error as Error);
      return; // without its folder, the file won't come back
    }
    look(); // something may have changed while nobody listened
  }

  function look(): void {
    const stamp = stampOf(file);
    if (stamp === seen || timer) return;
    seen = stamp;
    watcher?.close();
    timer = setTimeout(listen, input.everyMs).unref();
    input.changed();
  }

  function stop(): void {
    watcher?.close();
    if (timer) clearTimeout(timer);
  }

  listen();
  return stop;
}

function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size}` : "";
}
