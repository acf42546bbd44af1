/** Tokens that a person made for MCP clients which oj does not run: whose they are, and for which project. Only hashes are kept. */
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import type { McpTokenView } from "../api.ts";
import { Refusal } from "../core/errors.ts";

export interface McpToken extends McpTokenView {
  /** The project's folder: its templates and rules count. */
  root: string;
}

export interface McpTokens {
  /** A new token; one that the name had is no longer any good. */
  make(token: McpToken): Promise<string>;
  revoke(name: string): Promise<void>;
  list(): McpTokenView[];
  find(token: string): McpToken | null;
}

/** Nobody has more clients than that. */
const MOST = 1000;

export async function mcpTokens(file: string): Promise<McpTokens> {
  const byHash = await read(file);
  let saving: Promise<unknown> = Promise.resolve();

  /** One after the other, each whole: a daemon that is killed leaves the old file or the new one. */
  function save(): Promise<void> {
    const saved = saving.then(async () => {
      const text = JSON.stringify(Object.fromEntries(byHash));
      const handle = await fs.open(`${file}.new`, "w", 0o600);
      await handle
        .writeFile(text)
        .then(() => handle.sync())
        .finally(() => handle.close());
      await fs.rename(`${file}.new`, file);
    });
    saving = saved.catch(() => {});
    return saved;
  }

  function forget(name: string): boolean {
    const before = byHash.size;
    for (const [hash, it] of byHash) if (it.name === name) byHash.delete(hash);
    return byHash.size < before;
  }

  return {
    async make(token) {
      forget(token.name);
      if (byHash.size >= MOST)
        throw new Refusal("request.too-many", `${MOST} names have a token`, "oj mcp --revoke NAME");
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

async function read(file: string): Promise<Map<string, McpToken>> {
  const text = await fs.readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  return new Map(Object.entries(JSON.parse(text) as Record<string, McpToken>));
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
