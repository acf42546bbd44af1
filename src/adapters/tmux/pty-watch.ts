/** Reports when a terminal device comes or goes. Where there is no /dev/pts (macOS), it reports nothing. */
import fs from "node:fs";

const FOLDER = "/dev/pts";

export function watchPtys(input: { changed(device: string): void; failed(error: Error): void }): () => void {
  if (!fs.existsSync(FOLDER)) return () => {};
  try {
    const watcher = fs.watch(FOLDER, { persistent: false }, (_, name) => input.changed(`${FOLDER}/${name}`));
    watcher.on("error", input.failed);
    return () => watcher.close();
  } catch (error) {
    input.failed(error as Error);
    return () => {};
  }
}
