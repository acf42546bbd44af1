/**
 * Keeps the tokens that a person made for MCP clients that oj does not run: whose they are, and for which project. Only
 * hashes are kept.
 */
import { createHash, randomBytes } from "node:crypto";
import type { McpTokenView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { keptJson } from "./kept-json.ts";

export interface McpToken extends McpTokenView {
  /** The project's folder, whose templates and rules apply. */
  root: string;
}

export interface McpTokens {
  /** Makes a new token. A token that the name had before stops working. */
  make(token: McpToken): Promise<string>;
  revoke(name: string): Promise<void>;
  list(): McpTokenView[];
  find(token: string): McpToken | null;
}

/** Nobody has more clients than this. */
const MOST = 1000;

export async function mcpTokens(file: string): Promise<McpTokens> {
  const kept = keptJson<Record<string, McpToken>>(file);
  const byHash = new Map(Object.entries((await kept.read()) ?? {}));
  const save = () => kept.save(Object.fromEntries(byHash));

  function forget(name: string): boolean {
    const before = byHash.size;
    for (const [hash, it] of byHash) if (it.name === name) byHash.delete(hash);
    return byHash.size < before;
  }

  return {
    async make(token) {
      forget(token.name);
      if (byHash.size >= MOST)
        throw new Refusal("request.too-many", `${MOST} names already have a token`, "oj mcp --revoke NAME");
      const text = `ojm_${randomBytes(32).toString("base64url")}`;
      byHash.set(hashOf(text), token);
      await save();
      return text;
    },
    async revoke(name) {
      if (!forget(name)) throw new Refusal("request.not-found", `${name} has no token`, "oj mcp --tokens");
      await save();
    },
    list: () => [...byHash.values()].map(({ root: _, ...view }) => view),
    find: (token) => byHash.get(hashOf(token)) ?? null,
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
