/**
 * Who calls, by the programs above us: an agent's session is found again by somebody who took the agent's token out of the environment,
 * went into the background, or left its process tree. No wall, as whoever speaks to the socket by other means passes by; but it takes
 * more than `env -u`, `nohup` or `setsid` to pass for a person. Linux only: it is read from `/proc`.
 */
import fs from "node:fs";
import path from "node:path";
import { markedToken } from "./mark.ts";
import type { Process } from "./proc.ts";
import { environmentOf, processAt, read, variable } from "./proc.ts";

/** What a call shows that comes from our terminals and not from a program that we started there. No agent has it. */
const FROM_A_TERMINAL = "a-program-in-our-terminals";

/** What we belong to: an agent, by its token; a step of a job, as `job/run`. */
export interface Above {
  token: string | null;
  run: string | null;
}

/** Of this state folder. Null where we belong to none, or where that can't be seen. */
export function callerAbove(stateDir: string, from = process.pid): Above {
  const daemon = daemonOf(stateDir);
  const seen = new Set<number>();
  for (const it of above(daemon, from)) {
    // the daemon gave it a token, or meant it to have none
    if (it.parent === daemon) return { token: tokenOf(it.pid, stateDir), run: runOf(it.pid) };
    // whoever went into the background left their parents, and is still of their terminal's session
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

/** The processes above us, the nearest first, as `pid.start`: a number alone is given again. */
export function processesAbove(stateDir: string, from = process.ppid): string[] {
  return [...above(daemonOf(stateDir), from)].map((it) => `${it.pid}.${it.start}`).slice(0, MOST_TOLD);
}

const MOST_TOLD = 1000;

/** Up to the daemon: what it runs is nobody's above it, whoever started the daemon. */
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

/** By whichever name: a link to the folder is the folder. */
function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one, other].map((it) => fs.statSync(it, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** A terminal that somebody else had our tmux open. Programs that we start there have a token. */
function isOurTmux(pid: number, stateDir: string): boolean {
  const words = read(`/proc/${pid}/cmdline`).split("\0");
  if (path.basename(words[0] ?? "") !== "tmux" && !words[0]?.startsWith("tmux:")) return false;
  const at = words.indexOf("-S");
  return at > 0 && isSameFolder(path.dirname(words[at + 1] ?? ""), stateDir);
}
