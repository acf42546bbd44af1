/** A place where one chosen write fails, once, in a chosen way. Everything else is real. */

import type { Cell, Database, Driver, Statement } from "../../src/adapters/sqlite/driver.ts";
import type { Files } from "../../src/adapters/sqlite/files.ts";
import type { Place } from "../../src/adapters/sqlite/place.ts";

/** How it fails. After a crash the process does nothing any more. */
export const FAULTS = [
  "error", // not done, and reported as failed
  "no-space", // not done, or only half of it, because the disk is full
  "error-after", // done, but reported as failed
  "short", // takes only some of the bytes, as the system call may
  "crash", // not done, and the process is gone
  "torn-crash", // half done, and the process is gone
  "crash-after", // done, and the process is gone
] as const;

export type Fault = (typeof FAULTS)[number];

export interface FaultyPlace extends Place {
  /** Every write, in order: the points at which it may fail. */
  points: string[];
  crashed(): boolean;
}

/** `at` counts write points from 0. */
export function faultyPlace(place: Place, at: number, fault: Fault): FaultyPlace {
  const points: string[] = [];
  let dead = false;

  return {
    ...place,
    points,
    crashed: () => dead,
    driver: faultyDriver(place.driver),
    files: faultyFiles(place.files),
  };

  /** Does one write; `half` does part of it, if it has parts. */
  function point<T>(
    name: string,
    write: () => T,
    error: (full: boolean) => Error,
    half?: (short: boolean) => T,
  ): T {
    if (dead) throw new Error("the process is gone");
    points.push(name);
    if (points.length - 1 !== at) return write();
    switch (fault) {
      case "short":
        return half ? half(true) : write();
      case "error":
        throw error(false);
      case "no-space":
        half?.(false);
        throw error(true);
      case "error-after":
        write();
        throw error(false);
      case "torn-crash":
        half?.(false);
        break;
      case "crash-after":
        write();
        break;
      case "crash":
        break;
    }
    dead = true;
    throw new Error("the process is gone");
  }

  function faultyFiles(real: Files): Files {
    const file = <T>(name: string, write: () => T) => point(name, write, fileError);
    return {
      ...real,
      create: (path) => file("create", () => real.create(path)),
      write: (fd, bytes) =>
        point(
          "write",
          () => real.write(fd, bytes),
          fileError,
          () => real.write(fd, bytes.subarray(0, bytes.length >> 1)),
        ),
      writeAt: (fd, bytes, at) => file("write at", () => real.writeAt(fd, bytes, at)),
      copy: (from, to) => file("copy", () => real.copy(from, to)),
      sync: (fd) => file("sync", () => real.sync(fd)),
      rename: (from, to) => file("rename", () => real.rename(from, to)),
      remove: (path) => file("remove", () => real.remove(path)),
      close: (fd) => real.close(fd),
    };
  }

  function faultyDriver(real: Driver): Driver {
    return {
      open: (path, input) =>
        input?.readOnly
          ? real.open(path, input)
          : faultyDatabase(point("open", () => real.open(path, input), sqlError)),
    };
  }

  function faultyDatabase(real: Database): Database {
    return {
      exec: (sql) => point(`exec ${sql.trim().slice(0, 30)}`, () => real.exec(sql), sqlError),
      prepare: (sql) => faultyStatement(sql, real.prepare(sql)),
      close: () => (dead ? undefined : real.close()),
      get isTransaction() {
        return real.isTransaction;
      },
    };
  }

  function faultyStatement(sql: string, real: Statement): Statement {
    return {
      run: (...values: Cell[]) => point(`run ${sql.slice(0, 30)}`, () => real.run(...values), sqlError),
      get: (...values: Cell[]) => alive(() => real.get(...values)),
      all: (...values: Cell[]) => alive(() => real.all(...values)),
      setReturnArrays: (on) => real.setReturnArrays(on),
    };
  }

  function alive<T>(read: () => T): T {
    if (dead) throw new Error("the process is gone");
    return read();
  }
}

function sqlError(full: boolean): Error {
  const [errcode, text] = full ? [13, "database or disk is full"] : [10, "disk I/O error"];
  return Object.assign(new Error(text), { code: "ERR_SQLITE_ERROR", errcode });
}

function fileError(full: boolean): Error {
  const code = full ? "ENOSPC" : "EIO";
  return Object.assign(new Error(`${code}: it went wrong`), { code, syscall: "write" });
}
