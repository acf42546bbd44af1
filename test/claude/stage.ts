/**
 * The real Claude Code, run by the product in its own terminal, against a scripted model: each agent's prompt names the
 * script that its model plays. What the model was told is what really reached the agent.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Run, Stage } from "../specs/support/agents.ts";
import { agentStage } from "../specs/support/agents.ts";
import { until } from "../specs/support/project.ts";
import { claudeEnv, prepareConfig } from "./environment.ts";
import { installClaude } from "./install.ts";
import type { ModelApi, Step } from "./model-api.ts";
import { startModelApi } from "./model-api.ts";

export interface Role {
  script: Step[];
  /** More scripts that this one leads to. */
  also?: Record<string, Step[]>;
  /** The agent's `run` line in the runbook. */
  run?: string;
  /** More attributes of the agent's block. */
  more?: string;
  /** Null to start it without a prompt. */
  prompt?: null;
}

export interface ClaudeStage extends Stage {
  api: ModelApi;
  /** Waits until the model was asked for that step; returns what it was told since its own last message. */
  heard(script: string, step: number): Promise<string>;
}

export const installed = installClaude();

/** The client takes seconds to start, and much longer on a busy machine. */
export const PATIENCE_MS = 120_000;

export async function claudeStage(
  roles: Record<string, Role>,
  given: { trusted?: boolean; onboarded?: boolean; env?: Record<string, string>; runbook?: string } = {},
): Promise<ClaudeStage> {
  if (installed.bin === null) throw new Error(installed.reason);
  const api = await startModelApi(
    Object.assign(
      {},
      ...Object.entries(roles).map(([name, { script, also }]) => ({ [name]: script, ...also })),
    ),
  );
  onTestFinished(api.close);
  const cast = Object.entries(roles).map(([name, { run = "claude", more = `on_idle = "done"`, prompt }]) => {
    return [
      name,
      { scenario: run, more, prompt: prompt === null ? null : `Please play #s:${name}` },
    ] as const;
  });
  const stage = await agentStage(Object.fromEntries(cast), given.runbook ? { runbook: given.runbook } : {});
  const config = path.join(stage.home, "claude");
  prepareConfig(config, {
    trusted: given.trusted === false ? null : stage.dir,
    onboarded: given.onboarded !== false,
  });
  const { PATH } = stage.env;
  Object.assign(stage.env, claudeEnv({ home: stage.home, config, api: api.url }), given.env, {
    PATH: `${installed.bin}:${PATH}`,
  });

  // the client takes its time to end with its terminal, and a test need not wait for that
  onTestFinished(async () => {
    const format = "#{?pane_dead,,#{pane_pid}}";
    const pids = await stage.tmux("list-panes", "-a", "-F", format).catch(() => "");
    for (const pid of pids.split("\n").filter((it) => it !== "")) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // it has just ended
      }
    }
  });

  const screen = (run: Run) => stage.tmux("capture-pane", "-p", "-t", `=${run.agent}:`);
  const patient: Stage["until"] = async (ask, what) => {
    try {
      return await until(ask, what, PATIENCE_MS);
    } catch (error) {
      throw Object.assign(error as Error, { message: `${(error as Error).message}\n${await report()}` });
    }
  };
  /** What a failure must show: the screens, what the model was told, the load. */
  async function report(): Promise<string> {
    const agents = stage.events.flatMap((it) => (it.type === "agent:created" ? [it.id] : []));
    const screens = await Promise.all(
      agents.map((it) =>
        stage.tmux("capture-pane", "-p", "-t", `=${it}:`).catch((error: Error) => error.message),
      ),
    );
    const asked = api.requests.map(
      (it) => `${it.script} ${it.step} ${it.heard.slice(-200).replaceAll("\n", " ")}`,
    );
    const facts = stage.events.map(
      (it) => `${it.seq} ${it.type} ${it.id} ${String(it.title ?? it.reason ?? it.error ?? "")}`,
    );
    const log = path.join(stage.stateDir, "daemon.log");
    const journal = fs.existsSync(log) ? fs.readFileSync(log, "utf8").split("\n").slice(-20) : [];
    return [
      "screens:",
      ...screens.map((it) => it.replace(/\n{3,}/g, "\n\n")),
      "model:",
      ...asked,
      "events:",
      ...facts,
      ...journal,
      `load ${os.loadavg()}`,
    ].join("\n");
  }
  stage.until = patient;
  const shows: Stage["shows"] = (run, what) =>
    patient(async () => {
      const now = await screen(run);
      return what.test(now) && now;
    }, `${what} on the screen`);
  const heard = (script: string, step: number) =>
    patient(() => api.heard(script, step), `step ${step} of ${script}`);
  return Object.assign(stage, { api, shows, heard });
}
