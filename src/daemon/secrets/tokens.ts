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
  agentOf(token: string): AgentId | null;
  /** Reads the tokens of these agents, as a new daemon must do. */
  load(ids: Iterable<AgentId>): Promise<void>;
  forget(agent_id: AgentId): Promise<void>;
}

export function agentTokens(dir: string): Tokens {
  const agents = new Map<string, AgentId>();
  const fileOf = (id: AgentId) => path.join(dir, id, "token");
  const hash = (token: string) => createHash("sha256").update(token).digest("hex");

  return {
    async of(agent_id) {
      const kept = await fs.readFile(fileOf(agent_id), "utf8").catch(() => null);
      const token = kept ?? randomBytes(32).toString("base64url");
      if (kept === null) {
        await fs.mkdir(path.dirname(fileOf(agent_id)), { recursive: true, mode: 0o700 });
        await fs.writeFile(fileOf(agent_id), token, { mode: 0o600 });
      }
      agents.set(hash(token), agent_id);
      return token;
    },
    agentOf: (token) => agents.get(hash(token)) ?? null,
    async load(ids) {
      for (const id of ids) {
        const token = await fs.readFile(fileOf(id), "utf8").catch(() => null);
        if (token !== null) agents.set(hash(token), id);
      }
    },
    async forget(agent_id) {
      for (const [key, id] of agents) if (id === agent_id) agents.delete(key);
      await fs.rm(fileOf(agent_id), { force: true });
    },
  };
}
