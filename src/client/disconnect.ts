/** Tells a daemon that went away in the middle of a call from a call that failed. */
import { Refusal } from "../core/model/errors.ts";

/** A reason that no patience helps against: the socket is another user's. */
export const FORBIDDEN = "forbidden";

export function isDisconnect(error: unknown): boolean {
  if (error instanceof Refusal)
    return (
      error.code === "daemon.stopping" ||
      (error.code === "daemon.unreachable" && error.details?.reason !== FORBIDDEN)
    );
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error.message === "the daemon closed the connection") return true;
  return (
    code === "ECONNRESET" ||
    code === "EPIPE" ||
    code === "ECONNREFUSED" ||
    (code === "ENOENT" && syscall === "connect")
  );
}

/** Nobody listens there: no socket, one that a dead daemon left, or no place for one (the daemon's start says that best). */
export function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR";
}
