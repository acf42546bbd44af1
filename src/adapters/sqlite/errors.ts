/** What SQLite and the file system throw, as refusals that a person can act on. Bugs pass through with their stack. */
import fs from "node:fs";
import { Refusal } from "../../core/model/errors.ts";

/** Primary result codes of SQLite. */
const PERM = 3;
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

const codesByText: Record<string, number> = {
  "database is locked": BUSY,
  "attempt to write a readonly database": READONLY,
  "disk I/O error": IOERR,
  "database disk image is malformed": CORRUPT,
  "database or disk is full": FULL,
  "unable to open database file": CANTOPEN,
  "file is not a database": NOTADB,
};

const noSpaceCodes = ["ENOSPC", "EDQUOT"];
const noAccessCodes = ["EACCES", "EPERM", "EROFS"];

/** Below this a disk counts as full if SQLite only says that something went wrong. */
const leastFreeBytes = 64 * 1024;

/** The error to hand to a caller: a `store.*` refusal for what went wrong outside, else the error itself. */
export function storeError(error: unknown, dir: string): Error {
  if (error instanceof Refusal) return error;
  switch (kindOf(error, dir)) {
    case "full":
      return new Refusal(
        "store.full",
        `The disk that holds ${dir} is full; nothing was written.`,
        `df -h ${dir}`,
      );
    case "read-only":
      return new Refusal("store.read-only", `${dir} can't be written to: ${textOf(error)}.`, `ls -ld ${dir}`);
    case "failed":
      return storeFailed(`The event log in ${dir} failed: ${textOf(error)}.`);
    case "bug":
      return error instanceof Error ? error : new Error(String(error));
  }
}

export function storeFailed(message: string): Refusal {
  return new Refusal("store.failed", message, "oj daemon logs");
}

/** A log that can't be used as it is. Nothing was touched. */
export function storeDamaged(message: string, details: Record<string, unknown> | null = null): Refusal {
  return new Refusal("store.damaged", message, "oj daemon start --repair", details);
}

/** Does the error say that the file's content is wrong (and not that it could not be reached)? */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code === CORRUPT || code === NOTADB || textOf(error) === "unsupported file format") return true;
  return (error as { code?: unknown } | null)?.code === "ERR_OUT_OF_RANGE"; // an integer that none of ours can be
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function kindOf(error: unknown, dir: string): "full" | "read-only" | "failed" | "bug" {
  const code = sqliteCode(error);
  const system = (error as { code?: unknown } | null)?.code;
  if (code === FULL || noSpaceCodes.includes(String(system))) return "full";
  if (code === READONLY || code === PERM || noAccessCodes.includes(String(system))) return "read-only";
  if (code === IOERR || code === CANTOPEN) return stateOf(dir);
  if (code !== null || typeof (error as { syscall?: unknown } | null)?.syscall === "string") return "failed";
  return "bug";
}

/** SQLite says only "disk I/O error" or "unable to open database file" if it can't extend or create a file. */
function stateOf(dir: string): "full" | "read-only" | "failed" {
  try {
    const { bavail, bsize } = fs.statfsSync(dir);
    if (bavail * bsize < leastFreeBytes) return "full";
    fs.accessSync(dir, fs.constants.W_OK);
    return "failed";
  } catch (error) {
    return noAccessCodes.includes(String((error as { code?: unknown }).code)) ? "read-only" : "failed";
  }
}

function sqliteCode(error: unknown): number | null {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number") return errcode & 0xff;
  // `all` of the package for Node 20 and 22 forgets the number: only the text tells.
  return code === "ERR_SQLITE_ERROR" ? (codesByText[textOf(error)] ?? 1) : null;
}
