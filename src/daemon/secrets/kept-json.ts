/**
 * Keeps a small JSON file in the state folder that is complete at any moment: a daemon that is killed leaves the old
 * file or the new one.
 */
import fs from "node:fs/promises";

export interface KeptJson<T> {
  /** Null: there is no file yet. */
  read(): Promise<T | null>;
  /** Saves one value after the other. Returns once this one is on disk. */
  save(value: T): Promise<void>;
}

export function keptJson<T>(file: string): KeptJson<T> {
  let saving: Promise<unknown> = Promise.resolve();

  async function write(text: string): Promise<void> {
    const handle = await fs.open(`${file}.new`, "w", 0o600);
    await handle
      .writeFile(text)
      .then(() => handle.sync())
      .finally(() => handle.close());
    await fs.rename(`${file}.new`, file);
  }

  return {
    async read() {
      const text = await fs.readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      return text === null ? null : (JSON.parse(text) as T);
    },
    save(value) {
      const text = JSON.stringify(value);
      const saved = saving.then(() => write(text));
      saving = saved.catch(() => {});
      return saved;
    },
  };
}
