/**
 * The hooks that `oj init claude` writes. Each is a line of shell that passes the hook's JSON to the daemon and prints
 * its reply: with curl, in a few milliseconds, or with `oj` if there is no curl. Without a daemon it does nothing, and
 * it never fails.
 */
import type { WantedHooks } from "../setup.ts";
import type { HookGroups } from "./hooks-in-settings.ts";
import { MARK } from "./setup.ts";

/** A hook gives up after this long, and then has nothing to say. */
const SECONDS = 2;
/** A person may take days. */
const HOLD_SECONDS = 7 * 86_400;

type Query = { stops?: boolean; hold?: boolean; soft?: boolean; wait_s?: number };

/** Its questions, plans, permissions and stops reach the inbox; whether a turn may end at any time is as wanted. */
export function sessionHooks({ hold, soft, wait_s }: WantedHooks): HookGroups {
  const stop: Query = {
    stops: true,
    ...(hold ? { hold } : {}),
    ...(soft ? { soft } : {}),
    ...(wait_s === null ? {} : { wait_s }),
  };
  return {
    SessionStart: group(line({}, SECONDS, START), SECONDS),
    UserPromptSubmit: group(line({}, SECONDS), SECONDS),
    // an answer given in the terminal is noticed when its tool has run, whichever tool that is
    PostToolUse: { matcher: "*", ...group(line({}, SECONDS), SECONDS) },
    PermissionRequest: group(line({}, HOLD_SECONDS), HOLD_SECONDS),
    Stop: stopGroup(stop),
    SessionEnd: group(line({}, SECONDS), SECONDS),
  };
}

function stopGroup(query: Query): HookGroups[string] {
  const seconds = SECONDS + (query.wait_s ?? 0);
  return group(line(query, seconds), seconds);
}

function group(command: string, seconds: number): HookGroups[string] {
  return { hooks: [{ type: "command", command, timeout: seconds + 3 }] };
}

/** A session whose turns are watched needs the daemon, which has until the end of the first turn to start. */
const START = " || (command -v oj && oj daemon start &) >/dev/null </dev/null";

/**
 * The process that runs the hook is the client: its pid and, if the system tells, when it started. The name in its
 * `stat` may contain spaces and parentheses, so counting starts after the last parenthesis.
 */
const CLIENT = `c=$PPID; { read -r t </proc/$c/stat && set -- \${t##*) } && c=$c.\${20}; } 2>/dev/null`;

function line(query: Query, seconds: number, otherwise = ""): string {
  const socket = "${OJ_STATE_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}/oj}/oj.sock";
  const curl = `curl -sf -m ${seconds} --unix-socket "$s" -H content-type:application/json --data-binary @- "http://oj/hooks/session?client=$c${searchOf(query)}"`;
  const oj = [
    "oj __hook",
    query.stops && "--stops",
    query.hold && "--hold",
    query.soft && "--soft",
    query.wait_s && `--wait ${query.wait_s}`,
    `--within ${seconds}`,
    `--client "$c"`,
  ]
    .filter(Boolean)
    .join(" ");
  return [
    `[ -z "$OJ_AGENT" ] || exit 0`, // an agent of ours has hooks of its own
    `s="${socket}"`,
    CLIENT,
    ...(otherwise === "" ? [`[ -S "$s" ] || exit 0`] : []),
    `if command -v curl >/dev/null 2>&1; then ${curl}${otherwise}; else ${oj}; fi 2>/dev/null`,
    `exit 0 ${MARK}`,
  ].join("; ");
}

function searchOf(query: Query): string {
  return Object.entries(query)
    .map(([name, value]) => `&${name}=${value}`)
    .join("");
}
