/** Tells a daemon that went away in the middle of a call from a call that failed. */
import { Refusal } from "../core/errors.ts";

export function isDisconnect(error: unknown): boolean {
  if (error instanceof Refusal)
    return error.code === "daemon.stopping" || error.code === "daemon.unreachable";
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
