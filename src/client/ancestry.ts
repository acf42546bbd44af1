/**
 * Whether we are called from within an agent's session by somebody who took the agent's token out of the environment: a program
 * above us still has it. No wall, as whoever speaks to the socket by other means passes by; but `env -u` alone makes no person.
 */
import fs from "node:fs";
import path from "node:path";

const MOST_ABOVE = 64;

/** The token of an agent of this state folder that a program above us has. Null where none does, or where that can't be seen. */
export function tokenAbove(stateDir: string, from = process.ppid): string | null {
  const daemon = Number(read(path.join(stateDir, "daemon.pid")));
  let pid = from;
  for (let n = 0; n < MOST_ABOVE && pid > 1; n++) {
    if (pid === daemon) return null; // what the daemon runs is no agent's, whoever started the daemon
    const env = read(`/proc/${pid}/environ`);
    const token = variable(env, "OJ_AGENT_TOKEN");
    if (token !== "" && variable(env, "OJ_STATE_DIR") === stateDir) return token;
    pid = parentOf(pid);
  }
  return null;
}

function parentOf(pid: number): number {
  // the name, in parentheses, may hold anything; the state and the parent follow it
  const [, parent] = /\) \S (\d+) [^)]*$/.exec(read(`/proc/${pid}/stat`)) ?? [];
  return Number(parent ?? 0);
}

function variable(env: string, name: string): string {
  const start = `\0${env}`.indexOf(`\0${name}=`);
  return start < 0 ? "" : (env.slice(start + name.length + 1).split("\0", 1)[0] ?? "");
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return ""; // it has ended, is somebody else's, or there is no /proc
  }
}
