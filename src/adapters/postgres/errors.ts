/** What an error of the driver or the server means for us. */
import { machineForgotten, Refusal } from "../../core/model/errors.ts";
import { FENCED, FORGOTTEN } from "./schema.ts";

/** The connection is of no more use. Another one may be. */
export class Lost extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Lost";
  }
}

/**
 * SQLSTATEs after which a connection is dead, or should be: broken (08), ended by the server (57P, and 25P03 for whoever
 * was idle in the lock), a primary that was demoted and only reads now (25006, or 0A000 for the very BEGIN of a turn), a
 * server that is full (53300), and a lock that somebody else held for too long (55P03).
 */
const lostStates = /^(08...|57P..|25P03|25P04|25006|0A000|53300|55P03)$/;

/** Errors of Node's sockets and of the driver's, which have no SQLSTATE. */
const lostCodes =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EAI_|ENOTFOUND|ENOENT|EACCES|ECONNABORTED)/;

export function isLost(error: unknown): boolean {
  if (error instanceof Lost) return true;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === "string" && (lostStates.test(code) || lostCodes.test(code))) return true;
  return /connection (terminated|error|timeout)|timeout expired|not queryable/i.test(String(message));
}

export function isFenced(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === FENCED;
}

/** The error to hand to a caller. Only what the server itself says is quoted, never an address with its password. */
export function storeError(error: unknown, shown: string): Error {
  if (error instanceof Refusal) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const said = String(message ?? error);
  if (isLost(error)) return unreachable(shown, said);
  if (typeof code !== "string" || !/^[0-9A-Z]{5}$/.test(code))
    return error instanceof Error ? error : new Error(said);
  if (code === FORGOTTEN) return machineForgotten();
  if (code.startsWith("28") || code === "3D000") return unreachable(shown, said);
  if (code === "53100") return new Refusal("store.full", `The disk of PostgreSQL at ${shown} is full.`);
  if (code === "42501")
    return new Refusal("store.read-only", `PostgreSQL at ${shown} refuses: ${said}.`, GRANT);
  return new Refusal("store.failed", `PostgreSQL at ${shown} failed: ${said} (${code}).`, "oj daemon logs");
}

const GRANT = "the role needs the right to write to the tables of oj";

export function unreachable(shown: string, why: string): Refusal {
  return new Refusal(
    "store.unreachable",
    `PostgreSQL at ${shown} can't be reached: ${why}.`,
    "is it running, and is store.url right?",
  );
}

export function fenced(folder: string): Refusal {
  const message = `Another daemon writes to PostgreSQL under this machine's identity: the state folder ${folder} was copied.`;
  return new Refusal("store.fenced", message, "use a state folder of its own: OJ_STATE_DIR");
}

export function rewound(shown: string, seq: number, what: string): Refusal {
  const message = `PostgreSQL at ${shown} is no longer what it was: event ${seq} ${what}. Nothing is written to it.`;
  return new Refusal("store.rewound", message, "oj daemon start --repair");
}

export function damagedAt(shown: string, seq: number, what: string): Refusal {
  const message = `The log in PostgreSQL at ${shown} is damaged at event ${seq}: ${what}.`;
  return new Refusal("store.damaged", message, "restore the database from a backup");
}

export function newer(shown: string, what: string): Refusal {
  return new Refusal("store.newer", `PostgreSQL at ${shown} ${what}.`, "npm install -g oddjobs@latest");
}
