/** What our hooks cost a tool call of the real Claude Code: the same run without hooks, with hooks to a bare server, and under oj. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claudeCode } from "../../src/agents/claude/client.ts";
import { claudeEnv, prepareConfig } from "../claude/environment.ts";
import { installClaude } from "../claude/install.ts";
import { startModelApi, text, tool } from "../claude/model-api.ts";
import type { Place } from "../torture/daemon.ts";
import { makePlace, startLife } from "../torture/daemon.ts";
import { callerOn } from "./http.ts";
import { SETTINGS } from "./latency.ts";
import type { Row } from "./rows.ts";
import { median, ms, row, times } from "./rows.ts";

const GROUP = "the real Claude Code, a tool call that needs no permission (3 hooks)";
const CALLS = 60;
const ROUNDS = 5;
const PATIENCE_MS = 120_000;

export async function measureClaude(dir: string): Promise<Row[]> {
  const installed = installClaude();
  if (installed.bin === null) return [row(GROUP, `skipped: ${installed.reason}`, { values: {} })];
  fs.mkdirSync(path.join(dir, "shop/.oj/runbooks"), { recursive: true });
  const shop = path.join(dir, "shop");
  const read = tool("Read", { file_path: path.join(shop, "notes.txt") });
  fs.writeFileSync(path.join(shop, "notes.txt"), "A line.\n");
  const api = await startModelApi({ reads: [...Array.from({ length: CALLS }, () => read), text("Done.")] });
  const place = makePlace(dir, SETTINGS);
  const config = path.join(dir, "claude");
  prepareConfig(config, { trusted: shop, onboarded: true });
  Object.assign(place.env, claudeEnv({ home: dir, config, api: api.url }), {
    PATH: `${installed.bin}:${process.env.PATH}`,
  });
  fs.writeFileSync(
    path.join(shop, ".oj/runbooks/bench.hcl"),
    `command "reads" { run = { agent = "reads" } }\nagent "reads" {\n  run = "claude -p"\n  prompt = "Play #s:reads"\n}\n`,
  );
  const bare = await startBareHooks();
  const life = startLife(place);
  await life.ready;
  try {
    const settings = bareSettings(dir, bare.url);
    const ways: Record<"none" | "bare" | "ours", () => Promise<unknown>> = {
      none: () => plain(place, shop, []),
      bare: () => plain(place, shop, ["--settings", settings]),
      ours: () => underOj(place, shop),
    };
    const taken = { none: [] as number[], bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const way of ["none", "bare", "ours"] as const) {
        const perCall = await callMs(api, ways[way]);
        if (round > 0) taken[way].push(perCall); // the first of each warms up
      }
    }
    return rowsOf(Math.min(...taken.none), Math.min(...taken.bare), Math.min(...taken.ours));
  } finally {
    await life.kill();
    await new Promise((resolve) =>
      spawn("tmux", ["-S", path.join(place.stateDir, "tmux.sock"), "kill-server"]).once("close", resolve),
    );
    bare.close();
    await api.close();
  }
}

function rowsOf(none: number, bare: number, ours: number): Row[] {
  const values = { none_ms: none, bare_ms: bare, ours_ms: ours };
  return [
    row(GROUP, "under oj, against no hooks", {
      measured: ms(ours),
      floor: `${ms(none)} no hooks`,
      ratio: times(ours / none),
      values,
    }),
    row(GROUP, "under oj, against hooks to a bare server", {
      measured: ms(ours),
      floor: `${ms(bare)} bare Node`,
      ratio: times(ours / bare),
      target: "< 1 ms over, each hook",
      ok: ours - bare < 3,
      values,
    }),
  ];
}

/**
 * How long a call takes, from one request to the model to the next: its start and end separately, without what others on the machine did.
 */
export async function callMs(
  api: { requests: { at: number }[] },
  run: () => Promise<unknown>,
  calls = CALLS,
): Promise<number> {
  const before = api.requests.length;
  await run();
  const deadline = Date.now() + PATIENCE_MS;
  while (api.requests.length < before + calls + 1) {
    if (Date.now() > deadline) throw new Error(`only ${api.requests.length - before} requests came`);
    await sleep(20);
  }
  const at = api.requests.slice(before).map((it) => it.at);
  return median(at.slice(1).map((it, n) => it - (at[n] ?? 0)));
}

function plain({ env }: Place, cwd: string, args: string[]): Promise<unknown> {
  const child = spawn("claude", ["-p", ...args, "Play #s:reads"], { cwd, env, stdio: "ignore" });
  return new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
}

/** Ended when its crew has; the wait is for the model's requests. */
export async function underOj({ socket, env }: Place, cwd: string): Promise<void> {
  const caller = callerOn(socket);
  try {
    const body = { cwd, project: "shop", command: "reads", argv: [], named: {}, env };
    await caller.call("POST", "/run", body);
  } finally {
    caller.close();
  }
}

function bareSettings(folder: string, hookUrl: string): string {
  const { files } = claudeCode.launch({
    script: "claude -p",
    values: {},
    message: null,
    resume: null,
    conversation: "none",
    hookUrl,
    tokenVariable: "OJ_AGENT_TOKEN",
    hooks: "http",
    folder,
  });
  const [[file, content] = ["", ""]] = Object.entries(files);
  fs.writeFileSync(file, content);
  return file;
}

async function startBareHooks(): Promise<{ url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 2 });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/agent`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
