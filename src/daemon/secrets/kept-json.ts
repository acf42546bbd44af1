/**
 * Keeps a small JSON file in the state folder that is complete at any moment: a daemon that is killed leaves the old
 * file or the new one.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { Refusal } from "../../core/model/errors.ts";
import type { Journal } from "../../ports.ts";

export interface KeptJson<T> {
  /** Null: there is no file yet, or it was damaged and is set aside. */
  read(): Promise<T | null>;
  /** Saves one value after the other. Returns once this one is on disk. */
  save(value: T): Promise<void>;
}

/** What can be made anew: a daemon starts without it, keeps the damaged file beside, and says so in its log. */
export interface Spare {
  isFit(value: unknown): boolean;
  journal: Pick<Journal, "warn">;
}

/** Without `spare`, nothing can take the place of what is in it: a damaged one is refused. */
export function keptJson<T>(file: string, spare: Spare | null): KeptJson<T> {
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
      if (text === null) return null;
      const value = valueIn(text);
      if (value !== undefined && (spare === null || spare.isFit(value))) return value as T;
      if (spare === null) throw damaged(file);
      await fs.rename(file, `${file}.damaged`).catch(() => {}); // on a full disk it stays, until it is written anew
      spare.journal.warn("a file of the state folder was damaged: it is set aside", { file });
      return null;
    },
    save(value) {
      const text = JSON.stringify(value);
      const saved = saving.then(() => write(text));
      saving = saved.catch(() => {});
      return saved;
    },
  };
}

/** Undefined: it is no JSON. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function damaged(file: string): Refusal {
  const hint = `restore ${path.basename(file)} from a backup, or use a new state folder`;
  return new Refusal("store.failed", `${file} is damaged: it is not the JSON that was written there`, hint);
}

/** An object whose values are all as they should be. */
export function isObjectOf(value: unknown, isFit: (it: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(isFit);
}

/** An object that has all of these, each a text. */
export function hasTexts(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
