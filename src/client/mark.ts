/**
 * Recognizes an agent by its mark: a limit that everything it starts inherits, and that only root can raise again. A
 * program keeps the mark when it leaves its process tree, its process session or its terminal, or empties its
 * environment (`docs/adr/0009`). The limit is that of POSIX message queues, which hardly any program uses. Each agent
 * has a number of its own below the usual one.
 */
import fs from "node:fs";
import path from "node:path";
import { read } from "./proc.ts";

/**
 * What a call carries if its mark belongs to nobody we know: somebody has lowered the limit further. No agent has this
 * token.
 */
const UNKNOWN_MARK = "a-mark-of-nobody";

/** The token of the agent whose mark this process has; null if it has none. */
export function markedToken(stateDir: string, pid: number): string | null {
  const own = limitOf(pid);
  const daemon = limitOf(Number(read(path.join(stateDir, "daemon.pid"))));
  if (own === null) return null;
  const agents = path.join(stateDir, "agents");
  if (own < USUAL)
    for (const id of list(agents))
      if (read(path.join(agents, id, "mark")).trim() === String(own))
        return read(path.join(agents, id, "token")) || UNKNOWN_MARK;
  return daemon !== null && own < daemon ? UNKNOWN_MARK : null;
}

/** The limit on every system, unless somebody changed it. */
const USUAL = 819_200;

function limitOf(pid: number): number | null {
  const [, hard] = /^Max msgqueue size\s+\S+\s+(\S+)/m.exec(read(`/proc/${pid}/limits`)) ?? [];
  if (hard === undefined) return null;
  return hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard);
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
