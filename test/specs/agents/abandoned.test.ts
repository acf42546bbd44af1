import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, it } from "vitest";
import type { Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { call, socketOf } from "../support/http.ts";

/** Of each kind. `OJ_ABANDONED=500` for more. */
const TIMES = Number(process.env.OJ_ABANDONED ?? 160);
const AT_ONCE = 20;
/** More than the sockets in between can buffer. */
const MUCH = "a line of output that nobody reads to its end\n".repeat(80_000);

/** When the reader goes: before it hears anything, at the first byte, or at the head of the response. */
const MOMENTS = ["at once", "at the head", "half-way"] as const;
type Moment = (typeof MOMENTS)[number];

/** Opens it and goes away; returns when the connection is closed. */
function abandon(stage: Stage, to: string, moment: Moment): Promise<void> {
  return new Promise((resolve) => {
    const request = http.get({ socketPath: socketOf(stage), path: to, agent: false }, (response) => {
      response.on("error", () => undefined);
      if (moment === "half-way") response.once("data", () => request.destroy());
      else request.destroy();
    });
    request.on("error", () => undefined);
    request.on("close", () => resolve());
    if (moment === "at once") request.on("socket", (socket) => setTimeout(() => socket.destroy(), 1));
  });
}

async function abandonMany(stage: Stage, to: string): Promise<void> {
  for (let n = 0; n < TIMES; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, k) =>
        abandon(stage, to, MOMENTS[(n + k) % MOMENTS.length] ?? "at the head"),
      ),
    );
}

describe("abandoned reads", () => {
  it.skipIf(!fs.existsSync("/proc/self/fd"))("leave no descriptors and no memory behind", async () => {
    const asks = { ask: { question: "Which store?", options: ["Postgres", "SQLite"] } };
    const stage = await agentStage({ asks: { scenario: { turns: [[asks]] } } });
    const run = await stage.job("asks");
    await run.asked("question");
    for (const [kind, id] of [
      ["jobs", run.owner],
      ["agents", run.agent],
    ] as const)
      fs.appendFileSync(path.join(stage.stateDir, kind, id, "output.log"), MUCH);
    const pid = await stage.daemonPid();
    const descriptors = () => fs.readdirSync(`/proc/${pid}/fd`).length;
    const memory = async () =>
      (await call(stage, "GET", "/health")).json<{ memory_bytes: number }>().memory_bytes;
    await call(stage, "GET", `/jobs/${run.owner}/logs`); // what is loaded once has been loaded
    const [before, bytes] = [descriptors(), await memory()];

    for (const to of [
      `/jobs/${run.owner}/logs`,
      `/jobs/${run.owner}/logs?tail=10`,
      `/jobs/${run.owner}/logs?follow=true`,
      `/jobs/${run.owner}/logs?follow=true&tail=1`,
      `/agents/${run.agent}/logs`,
      `/agents/${run.agent}/logs?follow=true`,
      `/agents/${run.agent}/logs?follow=true&tail=1`,
      `/agents/${run.agent}/screens`,
      "/events",
      "/events?after=0",
    ]) {
      await abandonMany(stage, to);
      await stage.until(
        () => descriptors() <= before + 2,
        `${to}: ${descriptors()} descriptors, not ${before}`,
      );
    }

    // Followers that have gone must not collect what is written from now on.
    const lines = Buffer.alloc(1_000_000, "more of it\n");
    fs.appendFileSync(path.join(stage.stateDir, "agents", run.agent, "output.log"), lines);
    const grown = ((await memory()) - bytes) / 1e6;
    assert.ok(grown < 150, `the daemon grew by ${grown.toFixed(0)} MB`);
    const log = fs.readFileSync(path.join(stage.stateDir, "daemon.log"), "utf8");
    assert.doesNotMatch(log, /garbage collection|"error"/);
  });
});
