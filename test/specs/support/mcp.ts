/** The official MCP client, connected to `oj mcp` or to the daemon's `/mcp`. */
import assert from "node:assert/strict";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import type { Project } from "./project.ts";

export const OJ = path.join(import.meta.dirname, "../../../dist/oj.cjs");

/** The protocol with its handshake, which most clients use, and the one without. */
export const ERAS = ["legacy", "auto"] as const;

export interface Mcp {
  client: Client;
  /** What the tool says; fails if it refuses. */
  ask(tool: string, input?: object, how?: { timeout?: number }): Promise<string>;
  /** What the tool says when it refuses; fails if it doesn't. */
  refused(tool: string, input?: object): Promise<string>;
}

type Transport = Parameters<Client["connect"]>[0];

export async function connected(transport: Transport, mode: (typeof ERAS)[number] = "legacy"): Promise<Mcp> {
  const client = new Client({ name: "Test Client", version: "1" }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const say = async (name: string, input: object, how = {}) => {
    const result = await client.callTool({ name, arguments: { ...input } }, how);
    const [said] = result.content as { type: string; text: string }[];
    return { text: said?.text ?? "", isError: result.isError ?? false };
  };
  return {
    client,
    async ask(tool, input = {}, how = {}) {
      const { text, isError } = await say(tool, input, how);
      assert.equal(isError, false, text);
      return text;
    },
    async refused(tool, input = {}) {
      const { text, isError } = await say(tool, input);
      assert.equal(isError, true, text);
      return text;
    },
  };
}

export function atStdio({ dir, env }: Project, more: { args?: string[]; env?: Record<string, string> } = {}) {
  const args = [OJ, "mcp", ...(more.args ?? [])];
  return new StdioClientTransport({
    command: process.execPath,
    ...{ args, cwd: dir, env: { ...env, ...more.env }, stderr: "ignore" },
  });
}

export function atUrl(url: string, headers: Record<string, string>): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

export async function urlOf(project: Project): Promise<string> {
  const { port } = await project.json<{ port: number }>("daemon", "status");
  return `http://127.0.0.1:${port}/mcp`;
}

/** A token that a person created, for the folder's project. */
export async function tokenFor(project: Project, name: string, ...words: string[]) {
  return project.json<{ token: string; url: string }>("mcp", "--token", name, ...words);
}

export const yesOrNo = (prompt: string) => ({ prompt, options: [{ label: "Yes" }, { label: "No" }] });

export function idIn(text: string): string {
  const [id] = /dec-\w+/.exec(text) ?? [];
  assert.ok(id, text);
  return id;
}
