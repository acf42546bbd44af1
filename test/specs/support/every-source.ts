/** A decision from every source, all pending at once, each with the keys that answer it and where that leads. */
import assert from "node:assert/strict";
import type { Cast, Stage } from "./agents.ts";
import { agentStage } from "./agents.ts";
import { call } from "./http.ts";
import { undoAfter } from "./settings.ts";

const DONE = { signal: "done" };

const CAST: Record<string, Cast> = {
  idle: { scenario: { turns: [[{ say: "Hm." }]], otherwise: [DONE] } },
  dead: { scenario: { turns: [[{ crash: 7 }, DONE]] } },
  error: { scenario: { turns: [[{ error: "rate_limit" }]], otherwise: [DONE] } },
  gate: { scenario: { turns: [[{ say: "Done?" }]] }, more: `on_idle = { action = "gate", run = "false" }` },
  approval: { scenario: { turns: [[{ tool: "Bash", input: "git push" }, DONE]] } },
  question: { scenario: { turns: [[{ ask: { question: "Which?", options: ["Oak", "Elm"] } }, DONE]] } },
  plan: { scenario: { turns: [[{ plan: "# Plan" }, DONE]] } },
};

const STEP = `
command "release" { run = { job = "release" } }
job "release" {
  step "confirm" {
    decision {
      prompt = "Release?"
      option "go" { label = "Go" }
      option "stop" { label = "Stop" action = "cancel" }
    }
  }
}`;

/** The option that lets each run end well, by number. */
export const NUMBERS = {
  idle: { number: "1", label: "Nudge" },
  dead: { number: "1", label: "Retry" },
  error: { number: "1", label: "Retry" },
  gate: { number: "2", label: "Skip" },
  approval: { number: "1", label: "Approve" },
  question: { number: "2", label: "Elm" },
  plan: { number: "1", label: "Accept (clear context)" },
  step: { number: "1", label: "Go" },
  request: { number: "2", label: "No" },
};

type Source = keyof typeof NUMBERS;
const SOURCES = Object.keys(NUMBERS) as Source[];

export interface EverySource {
  stage: Stage;
  /** What is pending, by id. */
  sources: Map<string, Source>;
  /** Until every job has run to its end. */
  ended(): Promise<void>;
}

/** Answers go out at once. */
export async function everySource(): Promise<EverySource> {
  const stage = await agentStage(CAST, { ...undoAfter(0), runbook: STEP });
  const asked = (source: Source) =>
    stage.until(
      () => stage.events.find((it) => it.type === "decision:created" && it.source === source)?.id,
      `a decision of ${source}`,
    );
  const ids = SOURCES.map(async (source): Promise<[string, Source]> => {
    if (source === "request") await requested(stage);
    else if (source === "step") await started(stage);
    else await stage.job(source);
    return [await asked(source), source];
  });
  return { stage, sources: new Map(await Promise.all(ids)), ended: () => allEnded(stage) };
}

async function requested(stage: Stage): Promise<void> {
  const options = [{ label: "Yes" }, { label: "No" }];
  const body = { project: "shop", cwd: stage.dir, prompt: "Ship it?", options, as: "bot" };
  const reply = await call(stage, "POST", "/decisions", { body });
  assert.equal(reply.status, 200, reply.text);
}

async function started(stage: Stage): Promise<void> {
  const body = { cwd: stage.dir, project: "shop", command: "release", argv: [], named: {}, env: stage.env };
  const reply = await call(stage, "POST", "/run", { body });
  assert.equal(reply.status, 200, reply.text);
}

async function allEnded({ events, until }: Stage): Promise<void> {
  const jobs = events.filter((it) => it.type === "job:created").map((it) => it.id);
  assert.equal(jobs.length, SOURCES.length - 1);
  for (const id of jobs)
    await until(() => events.some((it) => it.id === id && it.type === "job:completed"), `the end of ${id}`);
}
