/** The line of shell with which an agent's hook reports to the daemon. */
import type { LaunchInput } from "./client.ts";

/** A person may take days, and a client gives a hook as long as its settings say. */
export const HOLD_SECONDS = 7 * 86_400;
/** We respond at once. On a machine that has no time for us, a report that is given up is lost. */
export const AT_ONCE_SECONDS = 30;

/**
 * The token goes in through a file descriptor, because everybody on the machine can see a program's arguments. `exec`
 * is for clients that cancel a hook by ending its process, which must then be curl. Other clients end all its
 * processes; for them, a daemon that is not there is no failure to be shown.
 */
export function hookCommand(
  { hookUrl, tokenVariable }: Pick<LaunchInput, "hookUrl" | "tokenVariable">,
  seconds: number,
  how: "exec" | "never fails",
): string {
  const curl = `curl --silent --fail --max-time ${seconds} -H @/dev/fd/3 -H "content-type: application/json" --data-binary @- ${hookUrl} 3<<TOKEN`;
  const line = how === "exec" ? `exec ${curl}` : `${curl} || exit 0`;
  return [line, `x-oj-agent-token: $${tokenVariable}`, "TOKEN", ""].join("\n");
}
