/**
 * Knows which agent a token stands for. Tokens have 256 bits and are kept in a file per agent; only their hashes are in
 * memory.
 */
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { AgentId } from "../../core/model/ids.ts";

export interface Tokens {
  /** The agent's token, made if it has none. */
  of(agent_id: AgentId): Promise<string>;
  /** Null if it has none. */
  kept(agent_id: AgentId): Promise<string | null>;
  agentOf(token: string): AgentId | null;
  /** Reads the tokens of these agents, as a new daemon must do. */
  load(ids: Iterable<AgentId>): Promise<void>;
  forget(agent_id: AgentId): Promise<void>;
}

export function agentTokens(dir: string): Tokens {
  const agents = new Map<string, AgentId>();
  const fileOf = (id: AgentId) => path.join(dir, id, "token");
  const hash = (token: string) => createHash("sha256").update(token).digest("hex");

  /** Null if it has none, or if only half of one was written. */
  const kept = async (id: AgentId) => (await fs.readFile(fileOf(id), "utf8").catch(() => null)) || null;
  const making = new Map<AgentId, Promise<string>>();

  async function made(id: AgentId): Promise<string> {
    const before = await kept(id);
    const token = before ?? randomBytes(32).toString("base64url");
    if (before === null) {
      const file = fileOf(id);
      await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await fs.writeFile(`${file}.new`, token, { mode: 0o600 });
      await fs.rename(`${file}.new`, file); // whoever dies in between leaves no empty token, which is nobody's
    }
    agents.set(hash(token), id);
    return token;
  }

  return {
    of(agent_id) {
      const token = making.get(agent_id) ?? made(agent_id).finally(() => making.delete(agent_id));
      making.set(agent_id, token);
      return token;
    },
    kept,
    agentOf: (token) => agents.get(hash(token)) ?? null,
    async load(ids) {
      for (const id of ids) {
        const token = await kept(id);
        if (token !== null) agents.set(hash(token), id);
      }
    },
    async forget(agent_id) {
      for (const [key, id] of agents) if (id === agent_id) agents.delete(key);
      await fs.rm(fileOf(agent_id), { force: true });
    },
  };
}
