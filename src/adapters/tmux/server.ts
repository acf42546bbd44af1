/** Our own tmux server: whether tmux can be used, whether the server runs, how it is set up. A person's own tmux is never touched. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { promisify } from "node:util";
import { Unreachable } from "../../ports.ts";
import type { Command } from "./text.ts";

/** `new-session -e`, `copy-mode -q` and `run-shell -C` were added in this version. */
const OLDEST = { major: 3, minor: 2 };
const HISTORY_LINES = 5000;
/** How long programs that only report something may take. */
export const TELLS_WITHIN_MS = 10_000;

/** The session that our connection is attached to. It stays, and the server with it, until we end the server. */
export const HUB = "oj";

/** Is "1" when there is no session but the hub. */
export const UNUSED = `#{==:#{S:#{session_name}},${HUB}}`;

/** The name of a window whose program is over; the renaming makes tmux tell us. */
export const OVER = "over";

/** Set while a connection in control mode is being made; see `connecting.ts`. */
export const COMING = "@oj-coming";

/** An option that expands to the time, in seconds: `#{T:…}` expands its content as strftime does. */
export const CLOCK = "@oj_now";

/** What tmux itself needs from the environment. Whatever it gets outlives the daemon, so it gets no more. */
const VARIABLES = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE"];

export function serverEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(VARIABLES.flatMap((it) => (env[it] === undefined ? [] : [[it, env[it]]])));
}

/** Throws a sentence that says what to install. */
export async function checkTmux(env: Readonly<Record<string, string>>): Promise<void> {
  const how = { env, cwd: "/", timeout: TELLS_WITHIN_MS, killSignal: "SIGKILL" } as const;
  const said = await promisify(execFile)("tmux", ["-V"], how).catch((error) => {
    if (isPassing(error)) throw new Unreachable(`tmux can't be started right now: ${reasonOf(error)}`);
    const install = "apt install tmux, dnf install tmux, or brew install tmux";
    throw error.code === "ENOENT"
      ? new Error(`agents run in tmux, and tmux is not installed: ${install}`)
      : new Error(`tmux can't be used: ${error.message.trim()}`);
  });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said.stdout) ?? [];
  if (major === undefined) return; // built from source: it is newer than any we know
  if (Number(major) * 1000 + Number(minor) >= OLDEST.major * 1000 + OLDEST.minor) return;
  throw new Error(
    `tmux ${OLDEST.major}.${OLDEST.minor} or newer is needed, but ${said.stdout.trim()} is installed: update tmux`,
  );
}

export function checkSocket(socket: string): void {
  const longest = process.platform === "darwin" ? 103 : 107;
  if (Buffer.byteLength(socket) > longest)
    throw new Error(
      `the path of tmux's socket is longer than ${longest} bytes, which no system allows: ${socket}`,
    );
}

/** The machine is short of something, or slow: that says nothing about the question. */
function isPassing(error: { code?: unknown; killed?: boolean }): boolean {
  return error.killed === true || ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"].includes(String(error.code));
}

function reasonOf({ killed, message }: { killed?: boolean; message: string }): string {
  return killed ? `it took longer than ${TELLS_WITHIN_MS / 1000} s` : message.trim();
}

/** Only proof that nobody listens counts: a busy server may refuse as well, or keep us waiting. */
export function isListening(socket: string): Promise<boolean> {
  if (isAbsent(socket)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    const late = setTimeout(() => answer(true), TELLS_WITHIN_MS);
    const answer = (there: boolean) => {
      clearTimeout(late);
      connection.destroy();
      resolve(there);
    };
    connection.once("connect", () => answer(true));
    connection.once("error", (error: NodeJS.ErrnoException) =>
      answer(error.code !== "ENOENT" && error.code !== "ECONNREFUSED"),
    );
  });
}

/** The usual case at a start. A failed connection would cost 20 ms: Node formats its stack, in a file as large as ours. */
function isAbsent(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false; // it may be there
  }
}

/** Is this the process of a tmux server? Its pid may belong to a stranger by now. Throws if that can't be told. */
export async function isServer(pid: string): Promise<boolean> {
  const how = { timeout: TELLS_WITHIN_MS, killSignal: "SIGKILL" } as const;
  const { stdout } = await promisify(execFile)("ps", ["-o", "stat=,comm=", "-p", pid], how).catch((error) => {
    if (error.code === 1) return { stdout: "" }; // there is no such process
    throw new Unreachable(`can't tell whether tmux is running: ${reasonOf(error)}`);
  });
  return /^[^Z]\S* .*tmux/.test(stdout.trim());
}

/**
 * The connection of a daemon that was killed stays for ever when tmux had something left to tell it, and keeps a server that was told
 * to end from ending: that one lets nobody in any more, and can't be asked who is connected.
 */
export async function endRests(socket: string): Promise<void> {
  const own = ["tmux", ...connectArguments(socket)].join(" ");
  const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "pid=,pgid=,args="], {
    maxBuffer: 64 * 1024 * 1024,
    timeout: TELLS_WITHIN_MS,
    killSignal: "SIGKILL",
  });
  for (const line of stdout.split("\n")) {
    const [, pid, group, args] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [];
    if (args !== own || pid === group) continue; // the server, started with the same command line, leads a group of its own
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // it went by itself
    }
  }
}

/** tmux loses the last words of a program that ends at once. */
const SAYS = "printf '\\n %s' \"$@\"; sleep 1";
const SAYS_ENDED = [
  "The agent's program has ended. Ctrl-b d brings you back.",
  "oj agent peek shows its last screen.",
];

/** Connects in control mode, and starts the server if there is none. The hub's program ends and its window stays. */
export function connectArguments(socket: string): string[] {
  const keep = ["set-option", "-g", "remain-on-exit", "on"];
  const hub = [
    "new-session",
    "-A",
    "-s",
    HUB,
    "-n",
    HUB,
    "-x",
    "80",
    "-y",
    "24",
    "--",
    ...["/bin/sh", "-c", SAYS, HUB, ...SAYS_ENDED],
  ];
  return ["-u", "-S", socket, "-f", "/dev/null", "-C", ...keep, ";", ...hub];
}

/** Set while we press keys ourselves. */
export const OWN_KEYS = "@oj-own";
/** Of a pane: how often somebody else did. */
export const FOREIGN_KEYS = "@oj-keys";

/** Counted where they went; the hub is renamed to its own name, so that we are told and look. */
const COUNT_KEYS = `if-shell -F "#{${OWN_KEYS}}" "" "set-option -pF ${FOREIGN_KEYS} '#{e|+:0#{${FOREIGN_KEYS}},1}' ; run-shell -b -C 'rename-window -t =${HUB}: ${HUB}'"`;

/**
 * Who is attached, or attaches later, sees the hub's window: 3.3a crashes, and all agents with it, when somebody comes to or leaves a
 * window whose program wanted to know about the focus (as Codex does) and is gone.
 */
const HAS_ENDED = `run-shell -b -C \\"if-shell -F '#{${COMING}}' {} { link-window -s =${HUB}: -t '=#{session_name}:' } ; rename-window -t '#{window_id}' ${OVER}\\"`;

/**
 * No `destroy-unattached` and no subscription (`refresh-client -B`): with these, 3.3a crashes at times when a connection breaks.
 * `window-size manual` would be right for all windows, but then tmux crashes when a session is made
 * (https://github.com/tmux/tmux/pull/4849). `resize-window` sets it for each, which works.
 */
export const settings: readonly Command[] = [
  ["set-option", "-gq", "remain-on-exit-format", ""], // since 3.3; before, a line on the screen says that it is dead
  ["set-option", "-s", CLOCK, "%s"],
  ["set-option", "-g", "history-limit", String(HISTORY_LINES)],
  ["set-option", "-g", "default-terminal", "tmux-256color"],
  ["set-option", "-s", "escape-time", "0"],
  ["set-option", "-g", "update-environment", ""],
  // nothing that an agent prints reaches a name, a title, the bell or the clipboard of an attached person
  ...["automatic-rename", "allow-rename", "set-titles"].map((it) => ["set-option", "-g", it, "off"]),
  ["set-option", "-g", "bell-action", "none"],
  ["set-option", "-s", "set-clipboard", "off"],
  // an attached person may look, type, scroll and leave; no tmux key ends or splits anything
  ["set-option", "-g", "status", "off"],
  ["set-option", "-g", "mouse", "off"],
  ["unbind-key", "-a", "-T", "prefix"],
  ["bind-key", "-T", "prefix", "d", "detach-client"],
  ["bind-key", "-T", "prefix", "[", "copy-mode"],
  ["bind-key", "-T", "prefix", "PPage", "copy-mode", "-u"],
  ["bind-key", "-T", "prefix", "C-b", "send-prefix"],
  // programs get what they are given, and nothing from the server
  ...[...VARIABLES, "PWD"].map((it) => ["set-environment", "-gu", it]),
  // of what a hook does tmux tells nobody; so it has the window renamed when the hook is over (no shell is run)
  // an attached person types through their own terminal: only a program sends keys or pastes with a command
  ["set-hook", "-g", "after-send-keys", COUNT_KEYS],
  ["set-hook", "-g", "after-paste-buffer", COUNT_KEYS],
  ["set-hook", "-g", "pane-died", `if-shell -F "#{==:#{window_name},${HUB}}" "" "${HAS_ENDED}"`],
];
