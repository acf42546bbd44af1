/** Distinguishes a daemon that went away in the middle of a call from a call that failed. */
import { Refusal } from "../core/model/errors.ts";

/** A reason for which waiting is no help: the socket belongs to another user. */
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

/** The server has answered before. */
export const AWAY = "away";

/** There is nobody at the address of a server: it is away, or it never was there. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Refusal && error.code === "server.unreachable";
}

export function isAwayNow(error: unknown): boolean {
  return isUnreachable(error) && (error as Refusal).details?.reason === AWAY;
}

/** What a person is told of a call that failed: a daemon that went away is named, not the error of its socket. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const message = isDisconnect(error) ? "the daemon went away before it answered; try again" : null;
  return new Refusal("daemon.unreachable", message ?? (error as Error).message);
}

/**
 * Nobody is listening: there is no socket, a dead daemon left one, or there is no place for one (starting the daemon
 * explains that best).
 */
export function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR";
}
