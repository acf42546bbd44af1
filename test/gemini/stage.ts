/** The real Gemini CLI, run by the product, against a scripted model. */
import fs from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Run, Stage } from "../specs/support/agents.ts";
import { agentStage } from "../specs/support/agents.ts";
import type { ModelServer, Step } from "../specs/support/model-server.ts";
import { startModelServer } from "../specs/support/model-server.ts";
import type { Project } from "../specs/support/project.ts";
import type { ClientStage } from "../specs/support/real-client.ts";
import { patient } from "../specs/support/real-client.ts";
import { installGemini } from "./install.ts";
import { generate } from "./model-api.ts";

export interface Role {
  script: Step[];
  /** The agent's `run` line in the runbook. */
  run?: string;
  /** More attributes of the agent's block. */
  more?: string;
  /** Null to start it without a prompt. */
  prompt?: null;
}

export const installed = installGemini();

export async function geminiStage(
  roles: Record<string, Role>,
  standard = "gemini",
): Promise<ClientStage<ModelServer>> {
  const { bin, reason } = installed;
  if (bin === null) throw new Error(reason);
  const scripts = Object.entries(roles).map(([name, { script }]) => [name, script] as const);
  const api = await startModelServer(Object.fromEntries(scripts), generate);
  onTestFinished(api.close);
  const cast = Object.entries(roles).map(([name, { run = standard, more = `on_idle = "done"`, prompt }]) => {
    const task = prompt === null ? null : `Please play #s:${name}`;
    return [name, { scenario: run, more, prompt: task }] as const;
  });
  const stage = await agentStage(Object.fromEntries(cast), {
    before: (project) => settle(project, bin, api.url),
  });
  return patient(stage, api);
}

export const pidOf = async (stage: Stage, run: Run) =>
  Number(await stage.tmux("display-message", "-p", "-t", `=${run.agent}:`, "#{pane_pid}"));

/** Gives the client a home of its own in the project's. */
export function settle({ home, env }: Project, bin: string, url: string): void {
  const own = path.join(home, ".gemini");
  fs.mkdirSync(own, { recursive: true });
  Object.assign(env, {
    HOME: home,
    TMPDIR: home, // otherwise it leaves files in the system's folder
    GEMINI_API_KEY: "x",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_CLI_NO_RELAUNCH: "true",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PATH: `${bin}:${env.PATH}`,
  });
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
    model: { name: "gemini-2.5-pro" }, // otherwise it asks a model which model to ask
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  };
  fs.writeFileSync(path.join(own, "settings.json"), JSON.stringify(settings));
}
