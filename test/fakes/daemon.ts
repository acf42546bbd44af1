/**
 * A whole daemon in this process, with fake ports: tests call it through its socket, and its agents report with hooks.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { HEADERS } from "../../src/api/api.ts";
import { send } from "../../src/client/http.ts";
import { loadConfig } from "../../src/config.ts";
import type { Event } from "../../src/core/model/events.ts";
import type { AgentId } from "../../src/core/model/ids.ts";
import { startDaemon } from "../../src/daemon/daemon.ts";
import type { Presence } from "../../src/ports.ts";
import { until } from "../contracts/temp.ts";
import { fakePorts } from "./ports.ts";

export interface Reply {
  status: number;
  type: string;
  text: string;
  json: unknown;
}

export async function fakeDaemon(
  files: Record<string, string>,
  settings = "",
  /** Other machines that share its log. */
  others: readonly Presence[] | null = null,
) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "oj-daemon-"));
  const dir = path.join(home, "shop");
  const config = { ".config/oj/config.toml": settings };
  for (const [name, text] of [
    ...Object.entries(files).map(([name, text]) => [path.join(dir, name), text] as const),
    ...Object.entries(config).map(([name, text]) => [path.join(home, name), text] as const),
  ]) {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, text);
  }
  const stateDir = path.join(home, "state");
  fs.mkdirSync(path.join(stateDir, "agents"), { recursive: true });
  const env = { HOME: home, OJ_STATE_DIR: stateDir, PATH: process.env.PATH ?? "" };
  const ports = fakePorts({ clock: { ...systemClock } }); // a test may set it
  if (others !== null) ports.log.share(others);
  const daemon = await startDaemon(ports, loadConfig(env, "/"), { repair: false, webDir: home });
  onTestFinished(async () => {
    daemon.stop();
    await daemon.stopped;
    fs.rmSync(home, { recursive: true });
  });
  const port = Number(fs.readFileSync(path.join(stateDir, "port"), "utf8"));

  async function call(
    method: string,
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const reply = await send(path.join(stateDir, "oj.sock"), {
      method,
      path: url,
      headers: { [HEADERS.user]: "ana", [HEADERS.via]: "cli", ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parts: Uint8Array[] = [];
    for await (const part of reply.body) parts.push(part);
    const text = Buffer.concat(parts).toString("utf8");
    const isJson = (reply.headers["content-type"] ?? "").startsWith("application/json");
    return {
      status: reply.status,
      type: reply.headers["content-type"] ?? "",
      text,
      json: isJson ? JSON.parse(text) : null,
    };
  }

  const events = (): Event[] => ports.log.committed();

  async function run(command: string, ...argv: string[]): Promise<{ owner: string; agent: AgentId }> {
    const body = { cwd: dir, project: "shop", command, argv, named: {}, env };
    const reply = await call("POST", "/run", body);
    assert.equal(reply.status, 200, reply.text);
    const owner = String(Object.values(reply.json as object)[0]);
    const ofIt = () =>
      events().find((it) => it.type === "agent:spawned" && agentsOf(owner).includes(it.id)) as
        | { id: AgentId }
        | undefined;
    await until(() => ofIt() !== undefined);
    return { owner, agent: ofIt()?.id ?? assert.fail() };
  }

  const agentsOf = (owner: string) =>
    events().flatMap((it) => (it.type === "agent:created" && it.owner.id === owner ? [it.id] : []));

  const tokenOf = (agent: AgentId) => ports.terminals.program(agent).started.env.OJ_AGENT_TOKEN ?? "";

  /** Sends a hook as the agent client would; returns the response, which may take long. */
  async function hook(agent: AgentId, body: object): Promise<unknown> {
    const reply = await fetch(`http://127.0.0.1:${port}/hooks/agent`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-oj-agent-token": tokenOf(agent) },
      body: JSON.stringify({ session_id: `s-${agent}`, ...body }),
    });
    assert.equal(reply.status, 200);
    return reply.json();
  }

  /** Logs in like a browser that opens the link. */
  async function logIn(link: string): Promise<void> {
    const { origin, hash } = new URL(link);
    const code = new URLSearchParams(hash.slice(1)).get("login");
    const headers = { "content-type": "application/json", origin };
    const body = JSON.stringify({ code });
    const reply = await fetch(`${origin}/login`, { method: "POST", headers, body });
    assert.equal(reply.status, 200, await reply.text());
  }

  return { dir, port, logIn, ports, call, run, hook, events, tokenOf };
}
