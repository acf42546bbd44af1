/**
 * Keeps how each agent's client was started, as far as we need it to find its conversation again. The notes outlive the
 * daemon, as the client does.
 */
import fs from "node:fs/promises";
import path from "node:path";
import type { AgentClient, KeepingPlace } from "../../../agents/client.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { beginningOf } from "./file-parts.ts";

export interface LaunchNote {
  incarnation: number;
  conversation: string;
  started_at_ms: number;
  /** The variables that say where the client keeps its files. */
  env: Record<string, string>;
}

export interface Launches {
  note(id: AgentId, note: LaunchNote): Promise<void>;
  /** Null if the agent was started before such notes existed. `isOurs`: this daemon started the agent. */
  of(agent: Agent): Promise<(LaunchNote & { isOurs: boolean; place: KeepingPlace }) | null>;
}

const MAX_BYTES = 64 * 1024;

export function keepingVariables(
  { variables }: AgentClient,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = ["HOME", ...variables];
  return Object.fromEntries(names.flatMap((it) => (env[it] === undefined ? [] : [[it, env[it]]])));
}

export function startLaunches(dir: string): Launches {
  const ours = new Map<AgentId, LaunchNote>();
  const fileOf = (id: AgentId) => path.join(dir, id, "launch.json");
  return {
    async note(id, note) {
      ours.set(id, note);
      await fs.writeFile(fileOf(id), JSON.stringify(note), { mode: 0o600 });
    },
    async of({ id, incarnation, cwd }) {
      const own = ours.get(id);
      const note = own ?? parsed(await beginningOf(fileOf(id), MAX_BYTES));
      if (note?.incarnation !== incarnation) return null;
      const place = { env: note.env, home: note.env.HOME ?? "", cwd, folder: path.join(dir, id) };
      return { ...note, isOurs: own !== undefined, place };
    },
  };
}

function parsed(text: string): LaunchNote | null {
  try {
    return JSON.parse(text) as LaunchNote; // our own file, in our own folder
  } catch {
    return null; // there is no file, or a crash cut it short
  }
}
