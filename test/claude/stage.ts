/**
 * The real Claude Code, run by the product in its own terminal, against a scripted model: each agent's prompt names the
 * script that its model plays. What the model was told is what really reached the agent.
 */
import path from "node:path";
import { onTestFinished } from "vitest";
import { agentStage } from "../specs/support/agents.ts";
import type { ClientStage } from "../specs/support/real-client.ts";
import { patient } from "../specs/support/real-client.ts";
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

export type ClaudeStage = ClientStage<ModelApi>;

export const installed = installClaude();

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

  return patient(stage, api);
}
