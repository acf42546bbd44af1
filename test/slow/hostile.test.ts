/** An agent that does all it can to hurt: the others are served, memory stays bounded, and the person sees the truth. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import type { Run, Stage } from "../specs/support/agents.ts";
import { agentStage } from "../specs/support/agents.ts";
import { ends } from "../specs/support/answers.ts";
import { call } from "../specs/support/http.ts";

const ESC = "\u001b";
const FAKE = `Bash command\n  rm -rf /\nDo you want to proceed?\n❯ 1. Yes\n  2. No\nEsc to cancel`;

const HOSTILE = {
  noise: { scenario: { turns: [[{ output: { bytes: 100_000_000 } }, { say: "Loud enough?" }]] } },
  fakes: {
    scenario: {
      turns: [
        [
          { escape: `${ESC}]0;owned\u0007${ESC}[2J${ESC}[?1049h${ESC}]52;c;aGk=\u0007${ESC}P+q544e${ESC}\\` },
          { escape: `${ESC}[?1049l` },
          { fake_dialog: FAKE },
          { say: `${ESC}[31mApproved by ana${ESC}[0m \u202egnp.exe` },
        ],
      ],
    },
  },
  loops: {
    scenario: { turns: [Array.from({ length: 30 }, () => ({ crash: 1 }))] },
    more: `on_dead = { action = "resume", attempts = 20 }`,
  },
  hooks: {
    scenario: {
      turns: [
        [
          ...[
            "no json",
            "{",
            "[]",
            "null",
            `{"hook_event_name":5}`,
            `{"hook_event_name":"PermissionRequest"}`,
            { hook_event_name: "Stop", background_tasks: "x", last_assistant_message: { a: 1 } },
            { hook_event_name: "PostToolBatch", tool_calls: [null, 1, "x"] },
            `{"hook_event_name":"Stop","x":"${"y".repeat(5_000_000)}"}`,
          ].map((hook) => ({ hook })),
          { hook: {}, headers: { "x-oj-agent-token": "wrong" } },
          { flood: 1000, seconds: 8 },
          { say: "Flooded." },
        ],
      ],
    },
  },
};

describe("hostile agents", () => {
  it("neither slow the daemon down for others, nor fill it, nor deceive", async () => {
    const good = {
      scenario: { turns: [[{ ask: { question: "Now?", options: ["Yes", "No"] } }, { signal: "done" }]] },
    };
    const stage = await agentStage({ ...HOSTILE, good });
    const bad = await Promise.all(Object.keys(HOSTILE).map((it) => stage.crew(it)));
    const [noise, fakes, loops, hooks] = bad as [Run, Run, Run, Run];
    const measured = await measure(stage);
    for (let n = 0; n < 5; n++) {
      const run = await stage.job("good");
      await run.answer(await run.asked("question"), "1");
      await ends("completed")(run);
    }
    await hooks.until(() => hooks.told("flood").length === 1, "the end of the flood");
    await noise.until(() => noise.told("said").length === 1, "the end of the noise");
    const fake = await fakes.asked("idle");
    const looped = await loops.asked("dead");
    const { p99, floor, rssMb, asked } = await measured();
    const words = `p99 of ${asked} GET /decisions: ${p99.toFixed(0)} ms, of a bare server beside it ${floor.toFixed(0)} ms`;
    process.stderr.write(`${words}; the daemon takes ${rssMb.toFixed(0)} MB\n`);

    const flood = hooks.told("flood")[0] as unknown as { sent: number; ok: number; failed: number };
    assert.equal(flood.sent, 8000);
    assert.ok(p99 - floor < 200, words);
    assert.ok(rssMb < 400, `the daemon takes ${rssMb} MB`);
    assert.match(looped.context, /Tried before asking: resume 20 times/);
    await checkFake(stage, fake);
    const { stdout } = await stage.run("agent", "logs", noise.agent, "-n", "3");
    assert.match(stdout, /Loud enough\?|the quick brown fox/);
    assert.ok(!stage.events.some((it) => it.type === "decision:created" && it.source === "approval"));
  });
});

/** It is shown as an agent that stopped; nothing of what it drew is a question, and none of its codes reach a terminal. */
async function checkFake(stage: Stage, { id }: { id: string }): Promise<void> {
  const { stdout } = await stage.run("decision", "show", id);
  assert.match(stdout, /Nudge[\s\S]*Done[\s\S]*Cancel[\s\S]*Dismiss/);
  assert.ok(!stdout.includes(ESC) && !stdout.includes("\u202e"), JSON.stringify(stdout));
  const decision = await stage.decision(id);
  assert.deepEqual([decision.source, decision.answer], ["idle", null]);
}

/** The same request to the daemon and, as the floor of a loaded machine, to a bare server beside it. */
async function measure(stage: Stage) {
  const socket = path.join(stage.home, "floor.sock");
  const bare = `require("http").createServer((_, r) => r.end("[]")).listen(${JSON.stringify(socket)})`;
  const server = spawn(process.execPath, ["-e", bare], { env: stage.env, stdio: "ignore" });
  onTestFinished(() => void server.kill("SIGKILL"));
  await stage.until(() => fs.existsSync(socket));
  const pid = await stage.daemonPid();
  const times: number[] = [];
  const floor: number[] = [];
  let rssMb = 0;
  let over = false;
  const timed = async (ask: () => Promise<unknown>, to: number[]) => {
    const began = performance.now();
    await ask();
    to.push(performance.now() - began);
  };
  const going = (async () => {
    while (!over) {
      await timed(async () => assert.equal((await call(stage, "GET", "/decisions")).status, 200), times);
      await timed(() => get(socket), floor);
      const rss = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      rssMb = Math.max(rssMb, Number(rss) / 1024);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    over = true;
    await going;
    return { p99: p99Of(times), floor: p99Of(floor), rssMb, asked: times.length };
  };
}

function get(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get({ socketPath, path: "/", agent: false }, (response) => {
      response.resume().on("end", resolve);
    });
    request.on("error", reject);
  });
}

function p99Of(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}
