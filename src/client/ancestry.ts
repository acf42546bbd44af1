/**
 * Finds out who is calling from the programs above us. An agent's program is recognized even if it removed the agent's
 * token from its environment, went into the background, or left its process tree. This is no wall, because whoever
 * speaks to the socket by other means gets around it. But it takes more than `env -u`, `nohup` or `setsid` to pass for
 * a person. Linux only: it reads `/proc`.
 */
import fs from "node:fs";
import path from "node:path";
import { markedToken } from "./mark.ts";
import type { Process } from "./proc.ts";
import { environmentOf, processAt, read, variable } from "./proc.ts";

/**
 * What a call carries if it comes from our terminals but not from a program that we started there. No agent has this
 * token.
 */
const FROM_A_TERMINAL = "a-program-in-our-terminals";

/** What we belong to: an agent, by its token, or a step of a job, as `job/run`. */
export interface Above {
  token: string | null;
  run: string | null;
}

/** Looks for agents and steps of this state folder. Null where we belong to none, or can't tell. */
export function callerAbove(stateDir: string, from = process.pid): Above {
  const daemon = daemonOf(stateDir);
  const seen = new Set<number>();
  for (const it of above(daemon, from)) {
    // the daemon started this process, and gave it a token or meant it to have none
    if (it.parent === daemon) return { token: tokenOf(it.pid, stateDir), run: runOf(it.pid) };
    // a process in the background has left its parents, but not its terminal's process session
    for (const pid of [it.pid, it.group, it.session]) {
      if (seen.has(pid)) continue;
      seen.add(pid);
      const token = tokenOf(pid, stateDir);
      if (token !== null) return { token, run: null };
    }
    if (isOurTmux(it.pid, stateDir)) return { token: FROM_A_TERMINAL, run: null };
  }
  return { token: markedToken(stateDir, from), run: null };
}

/** The processes above us, nearest first, as `pid.start`, because pids are reused. */
export function processesAbove(stateDir: string, from = process.ppid): string[] {
  return [...above(daemonOf(stateDir), from)].map((it) => `${it.pid}.${it.start}`).slice(0, MOST_TOLD);
}

const MOST_TOLD = 1000;

/** Stops at the daemon: what the daemon runs does not belong to whoever started the daemon. */
function* above(daemon: number, from: number): Generator<Process> {
  for (let it = processAt(from); it !== null && it.pid > 1 && it.pid !== daemon; it = processAt(it.parent))
    yield it;
}

function daemonOf(stateDir: string): number {
  return Number(read(path.join(stateDir, "daemon.pid")));
}

function tokenOf(pid: number, stateDir: string): string | null {
  const env = environmentOf(pid);
  const token = variable(env, "OJ_AGENT_TOKEN");
  return token !== "" && isSameFolder(variable(env, "OJ_STATE_DIR"), stateDir) ? token : null;
}

function runOf(pid: number): string | null {
  const env = environmentOf(pid);
  const [job, run] = [variable(env, "OJ_JOB"), variable(env, "OJ_RUN")];
  return job !== "" && run !== "" ? `${job}/${run}` : null;
}

/** Compares folders under any name: a link to the folder is the folder. */
function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one, other].map((it) => fs.statSync(it, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** Somebody else opened this terminal in our tmux. Programs that we start there have a token. */
function isOurTmux(pid: number, stateDir: string): boolean {
  const words = read(`/proc/${pid}/cmdline`).split("\0");
  if (path.basename(words[0] ?? "") !== "tmux" && !words[0]?.startsWith("tmux:")) return false;
  const at = words.indexOf("-S");
  return at > 0 && isSameFolder(path.dirname(words[at + 1] ?? ""), stateDir);
}
