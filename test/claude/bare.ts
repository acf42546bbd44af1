/**
 * Claude Code without the daemon: the real client in its own terminal, with its hooks recorded and its dialogs answered
 * by the pure functions of `src/agents`. A failure here means that those functions are wrong, or that what we know
 * about the client is.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { claudeCode } from "../../src/agents/claude/client.ts";
import type { Prompt, Reply } from "../../src/core/model/agent-types.ts";
import type { Choice } from "../../src/daemon/agents/terminal/typist.ts";
import { startTypist } from "../../src/daemon/agents/terminal/typist.ts";
import { claudeEnv, prepareConfig } from "./environment.ts";
import type { ModelApi, Step } from "./model-api.ts";
import { startModelApi } from "./model-api.ts";

const run = promisify(execFile);
const client = claudeCode;
const PATIENCE_MS = 90_000;

export interface Hook {
  hook_event_name: string;
  [field: string]: unknown;
}

export interface Bare {
  api: ModelApi;
  hooks: Hook[];
  folder: string;
  cwd: string;
  pid(): Promise<number>;
  screen(): Promise<string>;
  press(...keys: string[]): Promise<void>;
  paste(text: string): Promise<void>;
  /** Waits for the next dialog that has not been returned before. */
  dialog(): Promise<Prompt>;
  /** Answers the open hook. */
  reply(prompt: Prompt, reply: Reply): void;
  /** Answers with keys. */
  type(prompt: Prompt, reply: Reply): Promise<Choice>;
  /** Pastes text as the daemon does. */
  say(text: string): Promise<void>;
  /** Drops all open hooks, as a dying daemon would. */
  dropHooks(): void;
  hook(name: string, nth?: number): Promise<Hook>;
  until<T>(
    what: string,
    ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  ): Promise<T>;
  close(): Promise<void>;
}

export interface BareInput {
  bin: string;
  scripts: Record<string, Step[]>;
  prompt: string | null;
  /** The agent's `run` line in the runbook. */
  script?: string;
  resume?: string | null;
  conversation?: string;
  folder?: string;
  env?: Record<string, string>;
  trusted?: boolean;
  onboarded?: boolean;
  columns?: number;
  rows?: number;
  settings?: (settings: Record<string, unknown>) => object;
}

export async function startBare(input: BareInput): Promise<Bare> {
  const folder = input.folder ?? fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "oj-bare-"));
  const cwd = path.join(folder, "shop");
  if (!input.folder) {
    fs.mkdirSync(cwd);
    fs.mkdirSync(path.join(folder, "home"));
    prepareConfig(path.join(folder, "config"), {
      trusted: input.trusted === false ? null : cwd,
      onboarded: input.onboarded !== false,
    });
  }
  const api = await startModelApi(input.scripts);
  const server = await hookServer();
  const launch = client.launch({
    script: input.script ?? "claude",
    values: {},
    message: input.prompt,
    resume: input.resume ?? null,
    conversation: input.conversation ?? crypto.randomUUID(),
    hookUrl: server.url,
    tokenVariable: "OJ_AGENT_TOKEN",
    hooks: "http",
    folder,
  });
  for (const [file, text] of Object.entries(launch.files)) {
    const change = input.settings ?? ((it) => it);
    fs.writeFileSync(file, file.endsWith("settings.json") ? JSON.stringify(change(JSON.parse(text))) : text);
  }
  const socket = path.join(folder, `tmux-${Math.random().toString(36).slice(2, 8)}`);
  const tmux = async (...args: string[]) =>
    (await run("tmux", ["-S", socket, ...args], { encoding: "utf8" })).stdout;
  const env = {
    ...claudeEnv({ home: path.join(folder, "home"), config: path.join(folder, "config"), api: api.url }),
    PATH: `${input.bin}:${process.env.PATH}`,
    ...launch.env,
    OJ_AGENT_TOKEN: "secret",
    ...input.env,
  };
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", String(input.columns ?? 120), "-y", String(input.rows ?? 40)];
  const program = ["env", "-i", ...assigned, ...launch.argv].map(quoted).join(" ");
  await tmux(
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    "-s",
    "a",
    "-c",
    cwd,
    ...size,
    program,
    ";",
    "set",
    "-g",
    "remain-on-exit",
    "on",
  );

  const screen = async () => (await tmux("capture-pane", "-p", "-t", "a")).replace(/[ \t]+$/gm, "").trimEnd();
  const press = async (...keys: string[]) => void (await tmux("send-keys", "-t", "a", ...keys));
  const paste = async (text: string) => {
    const file = path.join(folder, "paste");
    fs.writeFileSync(file, text);
    await tmux("load-buffer", "-b", "p", file, ";", "paste-buffer", "-p", "-d", "-b", "p", "-t", "a");
  };
  const terminals = {
    screen,
    press: (_: string, keys: readonly string[]) => press(...keys),
    paste: (_: string, text: string) => paste(text),
  };
  const typist = startTypist({ terminals: terminals as never, clock: systemClock });

  async function until<T>(
    what: string,
    ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  ): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const got = await ask();
      if (got) return got;
      await sleep(50);
    }
    const seen = server.hooks.map((it) => `  ${it.hook_event_name} ${String(it.tool_name ?? "")}`).join("\n");
    throw new Error(
      `${what} did not happen; load ${os.loadavg()[0]}\n${await screen().catch(String)}\nhooks:\n${seen}`,
    );
  }

  let shown = 0;
  return {
    api,
    hooks: server.hooks,
    folder,
    cwd,
    screen,
    press,
    paste,
    until,
    pid: async () => Number(await tmux("display", "-p", "-t", "a", "#{pane_pid}")),
    async dialog() {
      const asked = () => server.hooks.filter((it) => it.hook_event_name === "PermissionRequest")[shown];
      const hook = await until("a dialog", asked);
      shown += 1;
      const seen = client.read(hook)?.seen[0];
      if (seen?.type !== "prompted") throw new Error(`no prompt in ${JSON.stringify(hook)}`);
      return seen.prompt;
    },
    reply(prompt, reply) {
      const body = client.reply(prompt, reply);
      if (body === null) throw new Error("this reply has no hook form");
      server.answer(body);
    },
    type: (prompt, reply) =>
      typist.choose({ id: "agt-bare", prompt } as never, client, reply, async () => true),
    say: (words) => typist.say({ id: "agt-bare" } as never, client, words),
    dropHooks: server.drop,
    hook: (name, nth = 0) =>
      until(`hook ${name}`, () => server.hooks.filter((it) => it.hook_event_name === name)[nth]),
    async close() {
      const pid = Number(await tmux("display", "-p", "-t", "a", "#{pane_pid}").catch(() => "0"));
      await tmux("kill-server").catch(() => "");
      while (pid > 0 && fs.existsSync(`/proc/${pid}`)) await sleep(20);
      await server.close();
      await api.close();
      if (!input.folder) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function hookServer() {
  const hooks: Hook[] = [];
  const held = new Set<http.ServerResponse>();
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const hook = JSON.parse(Buffer.concat(parts).toString("utf8")) as Hook;
      hooks.push({ ...hook, "#token": request.headers["x-oj-agent-token"] });
      if (hook.hook_event_name !== "PermissionRequest") return void response.end("{}");
      held.add(response);
      response.once("close", () => {
        if (!response.writableFinished) hooks.push({ hook_event_name: "#closed", tool_name: hook.tool_name });
        held.delete(response);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    hooks,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/agent`,
    answer(body: object) {
      const [response] = [...held].slice(-1);
      response?.end(JSON.stringify(body));
    },
    drop() {
      for (const it of held) it.destroy();
      server.close();
      server.closeAllConnections();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
