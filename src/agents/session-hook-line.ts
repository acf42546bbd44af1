/**
 * The hooks of sessions that oj did not start. Each is a line of shell that passes the hook's JSON to the daemon and
 * prints its reply: with curl, in a few milliseconds, or with `oj` if there is no curl. Without a daemon it does
 * nothing, and it never fails. Variables are written as `${name-}`, and never inside each other: a client may fill in
 * `$name`, `${name}` and `${name:-…}` itself when it reads its settings.
 */
import type { HookGroup } from "./hooks-in-settings.ts";

/** A hook gives up after this long, and then has nothing to say. */
export const SECONDS = 2;

/** What the daemon is told besides the hook's JSON. */
export interface SessionQuery {
  /** The client, by the name of its session door. Without it, the first one that can read the hook. */
  of?: string;
  stops?: boolean;
  hold?: boolean;
  soft?: boolean;
  wait_s?: number;
}

export interface SessionHook {
  query: SessionQuery;
  /** How long the daemon may take. */
  seconds: number;
  /** By which we recognize the hook as ours: its command ends with this. */
  mark: string;
  /** A session whose turns are watched needs the daemon, which has until the end of the first turn to start. */
  startsDaemon?: boolean;
  /** No reply is needed, and the client does not wait: it is about to end, and would complain that we are late. */
  inBackground?: boolean;
}

export function sessionHook(hook: SessionHook): HookGroup {
  return { hooks: [{ type: "command", command: lineOf(hook), timeout: hook.seconds + 3 }] };
}

const START = " || (command -v oj && oj daemon start &) >/dev/null </dev/null";

/**
 * The process that runs the hook is the client: its pid and, if the system tells, when it started. The name in its
 * `stat` may contain spaces and parentheses, so counting starts after the last parenthesis.
 */
const CLIENT =
  "c=${PPID-}; { read -r t </proc/${c-}/stat && set -- ${t##*) } && c=${c-}.${20-}; } 2>/dev/null";

const SOCKET = [
  's="${OJ_STATE_DIR-}"',
  '[ -n "${s-}" ] || s="${XDG_STATE_HOME-}/oj"',
  '[ "${s-}" != /oj ] || s="${HOME-}/.local/state/oj"',
  's="${s-}/oj.sock"',
].join("; ");

function lineOf({ query, seconds, mark, startsDaemon = false, inBackground = false }: SessionHook): string {
  const url = `http://oj/hooks/session?client=\${c-}${searchOf(query)}`;
  const curl = `curl -sf -m ${seconds} --unix-socket "\${s-}" -H content-type:application/json --data-binary @- "${url}"`;
  const oj = [
    "oj __hook",
    query.of && `--of ${query.of}`,
    query.stops && "--stops",
    query.hold && "--hold",
    query.soft && "--soft",
    query.wait_s && `--wait ${query.wait_s}`,
    `--within ${seconds}`,
    '--client "${c-}"',
  ]
    .filter(Boolean)
    .join(" ");
  const tell = `if command -v curl >/dev/null 2>&1; then ${curl}${startsDaemon ? START : ""}; else ${oj}; fi`;
  return [
    '[ -z "${OJ_AGENT-}" ] || exit 0', // an agent of ours has hooks of its own
    SOCKET,
    CLIENT,
    ...(startsDaemon ? [] : ['[ -S "${s-}" ] || exit 0']),
    // what runs in the background has no input, unless it is told which
    inBackground ? `exec 3<&0; { ${tell}; } <&3 3<&- >/dev/null 2>&1 & :` : `${tell} 2>/dev/null`,
    `exit 0 ${mark}`,
  ].join("; ");
}

function searchOf(query: SessionQuery): string {
  return Object.entries(query)
    .map(([name, value]) => `&${name}=${value}`)
    .join("");
}

/** What a hook for the end of a turn asks of the daemon. */
export function stopQuery(wanted: { hold: boolean; soft: boolean; wait_s: number | null }): SessionQuery {
  const { hold, soft, wait_s } = wanted;
  return {
    stops: true,
    ...(hold ? { hold } : {}),
    ...(soft ? { soft } : {}),
    ...(wait_s === null ? {} : { wait_s }),
  };
}
