/**
 * Makes the marks of agents: a resource limit whose value everything they start inherits. `client/mark.ts` reads marks,
 * and says why they exist.
 */
import { randomInt } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { AgentId } from "../../core/model/ids.ts";

export interface Marks {
  /** The agent's mark, made if it has none. Null if the system has no such limit. */
  of(agent_id: AgentId): Promise<number | null>;
}

/** The default of every system, unless somebody changed it. */
const USUAL = 819_200;

export function agentMarks(dir: string): Marks {
  return {
    async of(agent_id) {
      const file = path.join(dir, agent_id, "mark");
      const kept = Number(await fs.readFile(file, "utf8").catch(() => ""));
      if (kept > 0) return kept;
      const top = await ownLimit();
      if (top === null) return null;
      const mark = randomInt(Math.floor(top / 2), top);
      await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await fs.writeFile(file, String(mark), { mode: 0o600 });
      return mark;
    },
  };
}

/** A daemon that an agent started has a mark itself; the marks of its own agents are lower. */
async function ownLimit(): Promise<number | null> {
  const limits = await fs.readFile("/proc/self/limits", "utf8").catch(() => "");
  const [, hard] = /^Max msgqueue size\s+\S+\s+(\d+|unlimited)/m.exec(limits) ?? [];
  if (hard === undefined) return null;
  const top = hard === "unlimited" ? USUAL : Math.min(Number(hard), USUAL);
  return top > 1000 ? top : null;
}

/** A command line that sets the mark before the program starts. On a system without such a limit, nothing is set. */
export function marked(argv: readonly string[], mark: number | null): string[] {
  return mark === null
    ? [...argv]
    : ["bash", "-c", 'ulimit -q "$0" 2>/dev/null; exec "$@"', String(mark), ...argv];
}
