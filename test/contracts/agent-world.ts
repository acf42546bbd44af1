/**
 * The scripted agent as it is shipped, in a real terminal with a hook server of its own. All of it goes when the test has ended.
 *
 *     const agent = await startAgent({ turns: [[{ tool: "Bash", input: "touch x" }]] });
 *     const held = await agent.held();                 // the dialog is on the screen
 *     held.answer({ behavior: "allow" });
 *     await agent.recorded("allowed");
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { tempFolder, until } from "./temp.ts";

const PROGRAM = path.join(import.meta.dirname, "../../dist/oj-agent.cjs");
const run = promisify(execFile);

export type Json = Record<string, unknown>;

export interface HeldHook {
  body: Json;
  /** The client closed the connection before it was answered. */
  closed: boolean;
  answer(decision: Json): void;
}

export interface Agent {
  dir: string;
  conversation: string;
  /** Every hook body, in the order of arrival. */
  events: Json[];
  names(): string[];
  /** The next PermissionRequest that nobody took yet. */
  held(): Promise<HeldHook>;
  /** How a hook of this name is answered from now on. */
  reply(event: string, output: Json): void;
  screen(): Promise<string>;
  /** Waits until the screen shows it. */
  shows(what: string | RegExp): Promise<string>;
  press(...keys: string[]): Promise<void>;
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  signal(name: NodeJS.Signals): Promise<void>;
  record(): Json[];
  /** The next line of this kind that nobody took yet. */
  recorded(kind: string): Promise<Json>;
  /** The exit code as a shell reports it: 128 and more for a signal. */
  ended(): Promise<number>;
  /** Another run of the same conversation. */
  resume(prompt: string | null): Promise<Agent>;
}

export interface Given {
  prompt?: string | null;
  columns?: number;
  rows?: number;
  settings?: Json;
  args?: string[];
}

export async function startAgent(scenario: Json, given: Given = {}): Promise<Agent> {
  const dir = await tempFolder();
  const hooks = await startHookServer();
  fs.writeFileSync(path.join(dir, "scenario.json"), JSON.stringify(scenario));
  fs.writeFileSync(path.join(dir, "settings.json"), JSON.stringify(settingsFor(hooks.url, given.settings)));
  const conversation = randomUUID();
  const prompt = given.prompt === undefined ? "Go" : given.prompt;
  return openAgent({ dir, hooks, conversation, given }, [
    "--session-id",
    conversation,
    ...(prompt === null ? [] : [prompt]),
  ]);
}

interface World {
  dir: string;
  hooks: HookServer;
  conversation: string;
  given: Given;
}

let count = 0;

async function openAgent(world: World, args: string[]): Promise<Agent> {
  const { dir, hooks, conversation, given } = world;
  const socket = path.join(dir, `tmux-${++count}`);
  const recordFile = path.join(dir, `record-${count}.jsonl`);
  const config = path.join(dir, "tmux.conf");
  fs.writeFileSync(
    config,
    "set -g remain-on-exit on\nset -g remain-on-exit-format ''\nset -g escape-time 0\nset -g status off\n",
  );
  const tmux = async (...words: string[]) =>
    (await run("tmux", ["-f", config, "-S", socket, ...words])).stdout;
  const files = [
    "--scenario",
    path.join(dir, "scenario.json"),
    "--settings",
    path.join(dir, "settings.json"),
  ];
  const exitFile = path.join(dir, `exit-${count}`);
  // tmux sometimes forgets the exit code when it is busy
  const shell = ["sh", "-c", `"$@"; echo $? > '${exitFile}'`, "sh"];
  const argv = [
    ...shell,
    process.execPath,
    PROGRAM,
    ...files,
    "--record",
    recordFile,
    ...(given.args ?? []),
    ...args,
  ];
  const size = ["-x", String(given.columns ?? 120), "-y", String(given.rows ?? 40)];
  await tmux(
    "new-session",
    "-d",
    "-s",
    "a",
    ...size,
    "-c",
    dir,
    "-e",
    "OJ_TOKEN=secret",
    "-e",
    "OTHER=hidden",
    "--",
    ...argv,
  );
  const pid = () => Number(agent.record().find((it) => it.kind === "start")?.pid ?? 0);
  onTestFinished(async () => {
    await tmux("kill-server").catch(() => {});
    await until(() => !isAlive(pid())).finally(() => isAlive(pid()) && process.kill(pid(), "SIGKILL"));
  });

  const taken = { holds: 0, records: new Set<number>() };
  const agent: Agent = {
    dir,
    conversation,
    events: hooks.events,
    names: () => hooks.events.map((it) => String(it.hook_event_name)),
    async held() {
      await until(() => hooks.holds.length > taken.holds);
      const next = hooks.holds[taken.holds++];
      assert.ok(next);
      return next;
    },
    reply: (event, output) => void hooks.replies.set(event, output),
    screen: () => tmux("capture-pane", "-p", "-t", "a"),
    async shows(what) {
      let screen = "";
      const isThere = async () => {
        screen = await agent.screen();
        return typeof what === "string" ? screen.includes(what) : what.test(screen);
      };
      await until(isThere).catch(() => assert.fail(`the screen does not show ${what}:\n${screen}`));
      return screen;
    },
    async press(...keys) {
      await tmux("send-keys", "-t", "a", ...keys);
    },
    async paste(text) {
      await tmux(
        "set-buffer",
        "-b",
        "oj",
        "--",
        text,
        ";",
        "paste-buffer",
        "-p",
        "-d",
        "-b",
        "oj",
        "-t",
        "a",
      );
    },
    async resize(columns, rows) {
      await tmux("resize-window", "-t", "a", "-x", String(columns), "-y", String(rows));
    },
    async signal(name) {
      process.kill(pid(), name);
    },
    record: () => (fs.existsSync(recordFile) ? jsonLines(recordFile) : []),
    async recorded(kind) {
      let at = -1;
      const isThere = () => {
        at = agent.record().findIndex((it, n) => it.kind === kind && !taken.records.has(n));
        return at >= 0;
      };
      await until(isThere).catch(async () =>
        assert.fail(
          `not recorded: ${kind}\n${JSON.stringify(agent.record(), null, 1)}\n${await agent.screen()}`,
        ),
      );
      taken.records.add(at);
      return agent.record()[at] ?? {};
    },
    async ended() {
      await until(() => fs.existsSync(exitFile) && fs.readFileSync(exitFile, "utf8") !== "");
      return Number(fs.readFileSync(exitFile, "utf8"));
    },
    resume: (prompt) => openAgent(world, ["--resume", conversation, ...(prompt === null ? [] : [prompt])]),
  };
  return agent;
}

/** A zombie that this container's init does not reap is as dead as it gets. */
function isAlive(pid: number): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return !/ Z /.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function jsonLines(file: string): Json[] {
  const lines = fs.readFileSync(file, "utf8").split("\n").slice(0, -1); // whatever has no end yet is being written
  return lines.map((it) => JSON.parse(it) as Json);
}

/** As `agents/claude/client.ts` writes it, with every event that there is. */
function settingsFor(url: string, more: Json = {}): Json {
  const headers = { "x-oj-agent-token": "$OJ_TOKEN", "x-other": "$OTHER" };
  const post = [{ hooks: [{ type: "http", url, headers, allowedEnvVars: ["OJ_TOKEN"], timeout: 600 }] }];
  const curl = `curl --silent --max-time 10 -H "x-oj-agent-token: $OJ_TOKEN" --data-binary @- ${url}`;
  const events = [
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolBatch",
    "Stop",
    "StopFailure",
    "SessionEnd",
  ];
  return {
    showClearContextOnPlanAccept: true,
    hooks: {
      SessionStart: [{ hooks: [{ type: "command", command: curl, timeout: 15 }] }],
      ...Object.fromEntries(events.map((it) => [it, post])),
    },
    ...more,
  };
}

interface HookServer {
  url: string;
  events: Json[];
  holds: HeldHook[];
  replies: Map<string, Json>;
}

async function startHookServer(): Promise<HookServer> {
  const events: Json[] = [];
  const holds: HeldHook[] = [];
  const replies = new Map<string, Json>();
  const server = http.createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      const body = parsed(text);
      events.push({ ...body, token: request.headers["x-oj-agent-token"], other: request.headers["x-other"] });
      const event = String(body.hook_event_name);
      const reply = replies.get(event);
      if (event !== "PermissionRequest" || reply)
        return void response.end(reply ? JSON.stringify(reply) : "");
      const held: HeldHook = {
        body,
        closed: false,
        answer: (decision) =>
          void response.end(JSON.stringify({ hookSpecificOutput: { hookEventName: event, decision } })),
      };
      response.on("close", () => {
        held.closed = !response.writableFinished;
      });
      holds.push(held);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, events, holds, replies };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text };
  }
}
