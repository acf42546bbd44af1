/** One daemon per state folder. The lock belongs to the system and ends with the process, so a crash can't leave it behind. */
import fs from "node:fs";
import path from "node:path";
import { Refusal } from "../../core/model/errors.ts";
import { loadDriver } from "./driver.ts";
import { isBusy, storeError } from "./errors.ts";
import { forgive, realFiles } from "./files.ts";

export interface Lock {
  /** Whether the folder still has the locked file. If not, it was moved or deleted, and may be another daemon's by now. */
  isInPlace(): boolean;
  release(): Promise<void>;
}

/**
 * Holds an exclusive transaction on `lock.db` until released. Nothing else in this process may open that file: closing
 * it would end the lock (https://sqlite.org/howtocorrupt.html, "POSIX advisory locks").
 */
export async function takeLock(dir: string): Promise<Lock> {
  const driver = await loadDriver();
  try {
    realFiles.makeDir(dir);
    const file = path.join(dir, "lock.db");
    fs.closeSync(fs.openSync(file, "a", 0o600)); // if SQLite created it, others could read it
    const db = driver.open(file);
    try {
      db.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    } catch (error) {
      forgive(() => db.close());
      throw error;
    }
    const { dev, ino } = fs.statSync(file);
    return {
      isInPlace() {
        try {
          const now = fs.statSync(file, { throwIfNoEntry: false });
          return now?.dev === dev && now.ino === ino;
        } catch {
          return true; // it can't be seen at the moment, which proves nothing
        }
      },
      release: async () => db.close(),
    };
  } catch (error) {
    if (isBusy(error))
      throw new Refusal("daemon.already-running", `Another daemon is using ${dir}.`, "oj daemon status");
    throw storeError(error, dir);
  }
}
