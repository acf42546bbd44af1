/** Hostile agents at full speed: the daemon stays small, stays quick for the others, and loses none of their answers. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { few } from "../../everything.ts";
import type { Cast, Run, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { percentile, startFloor, timed } from "../support/floor.ts";
import { call } from "../support/http.ts";

const SECONDS = 2;
/** For the 99th percentile, if the bare server shows that the machine has nothing else to do. */
const MOST_MS = 500;
const QUIET_MS = 25;
/** Otherwise: for the median, in proportion to the bare server; and nobody ever waits this long. */
const MOST_TIMES_FLOOR = 8;
const STALL_MS = 30_000;
const MOST_MB = 300;
const MOST_GROWTH_MB = 200;
/** jobs.log_max_mb */
const MOST_LOG_BYTES = 10e6;

type Figures = [p50: number, p99: number, worst: number];

const DONE = { signal: "done" };
const floods = (body?: object, perSecond = 1000) => ({
  scenario: { turns: [[{ flood: perSecond, seconds: SECONDS, ...(body ? { body } : {}) }, DONE]] },
});
const permission = (command: string) => ({
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command },
});
const MEGABYTE = { ...permission("x".repeat(1e6)), hook_event_name: "PreToolUse", tool_use_id: "t" };

const HOSTILE: [string, Cast][] = [
  ["floods with permissions to give", floods(permission("true"))],
  ["floods with ends of turns", floods({ hook_event_name: "Stop", last_assistant_message: "Well?" })],
  ["floods with tool calls", floods()],
  ["floods with a megabyte each", floods(MEGABYTE, 200)],
  ["prints 40 MB", { scenario: { turns: [[{ output: { bytes: 40_000_000 } }, DONE]] } }],
  [
    "dies in a loop",
    {
      scenario: { turns: [Array(30).fill({ crash: 9 })] },
      more: `on_dead = { action = "resume", attempts = 8 }`,
    },
  ],
];

describe("a hostile agent", () => {
  it.each(few(HOSTILE, 1))("that %s takes nothing away from the others", async (_, hostile) => {
    const question = { question: "Which?", options: ["A", "B"] };
    const asks = { scenario: { turns: [[...Array(5).fill({ ask: question }), DONE]] } };
    const stage = await agentStage({ hostile, asks });
    const pid = (await stage.daemonPid()) ?? 0;
    const askFloor = await startFloor(stage.home);
    const before = memoryOf(pid);

    const others = await Promise.all([stage.crew("asks"), stage.crew("asks"), stage.crew("asks")]);
    const harm = await stage.crew("hostile");
    const people = others.map((it) => answerAll(stage, it));
    const times = { floor: [] as number[], daemon: [] as number[] };
    const isOver = () =>
      harm.told("flood").length > 0 || hasAsked(harm, stage) || harm.events("agent:ended").length > 0;
    const look = async () => {
      for (let after = 100; after > 0; isOver() && after--) {
        await timed(times.floor, askFloor);
        await timed(times.daemon, () => call(stage, "GET", "/decisions"));
      }
    };
    await Promise.all([look(), ...people]);
    const after = memoryOf(pid);

    const [p50, p99, worst] = [0.5, 0.99, 1].map((it) => percentile(times.daemon, it)) as Figures;
    const floor99 = percentile(times.floor, 0.99);
    const figures = [
      `GET /decisions, ${times.daemon.length} times: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`,
      `a bare server: p99 ${floor99.toFixed(1)} ms`,
      `memory: ${before.now.toFixed(0)} MB, then ${after.now.toFixed(0)}, at most ${after.peak.toFixed(0)}`,
    ].join("; ");
    process.stderr.write(`${figures}\n`);
    if (floor99 < QUIET_MS) assert.ok(p99 < MOST_MS, figures);
    assert.ok(p50 < Math.max(MOST_MS, MOST_TIMES_FLOOR * floor99) && worst < STALL_MS, figures);
    assert.ok(after.peak < MOST_MB && after.now < before.now + MOST_GROWTH_MB, figures);
    assert.ok(keptBytes(stage, harm) <= MOST_LOG_BYTES, `${keptBytes(stage, harm)} bytes are kept`);
    assert.ok(fs.statSync(path.join(stage.stateDir, "daemon.log")).size < 1e6);
  });
});

/** Answers what the agent asks until it has ended; each answer is received. */
async function answerAll(stage: Stage, run: Run): Promise<void> {
  for (let n = 0; n < 5; n++) await run.answer(await run.asked("question"), "2");
  assert.equal(await run.ended(), "completed");
  const answers = run.told("answered").map((it) => (it.answers as Record<string, string>)["Which?"]);
  assert.deepEqual(answers, Array(5).fill("B"));
  const about = stage.events.filter((it) => it.type === "decision:created" && it.agent_id === run.agent);
  const decisions = await Promise.all(about.map(({ id }) => stage.decision(id)));
  const answered = decisions.filter((it) => it.answer !== null).map((it) => it.delivery.state);
  assert.deepEqual(answered, Array(5).fill("acknowledged"), JSON.stringify(decisions));
}

function hasAsked(run: Run, stage: Stage): boolean {
  return stage.events.some(
    (it) => it.type === "decision:created" && it.agent_id === run.agent && it.source === "dead",
  );
}

function memoryOf(pid: number): { now: number; peak: number } {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

function keptBytes({ stateDir }: Stage, { agent }: Run): number {
  const folder = path.join(stateDir, "agents", agent);
  const logs = fs.readdirSync(folder).filter((it) => it.startsWith("output"));
  return logs.reduce((sum, it) => sum + fs.statSync(path.join(folder, it)).size, 0);
}
