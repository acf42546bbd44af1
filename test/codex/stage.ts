/** The real Codex, run by the product in its own terminal, against a scripted model. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { agentStage } from "../specs/support/agents.ts";
import type { Project } from "../specs/support/project.ts";
import type { ClientStage } from "../specs/support/real-client.ts";
import { patient } from "../specs/support/real-client.ts";
import { installCodex } from "./install.ts";
import type { ModelApi, Step } from "./model-api.ts";
import { startModelApi } from "./model-api.ts";

export interface Role {
  script: Step[];
  /** The agent's `run` line in the runbook. */
  run?: string;
  /** More attributes of the agent's block. */
  more?: string;
  /** Null to start it without a prompt. */
  prompt?: null;
}

export const installed = installCodex();

export async function codexStage(
  roles: Record<string, Role>,
  given: { trusted?: boolean } = {},
): Promise<ClientStage<ModelApi>> {
  if (installed.bin === null) throw new Error(installed.reason);
  const scripts = Object.entries(roles).map(([name, { script }]) => [name, script] as const);
  const api = await startModelApi(Object.fromEntries(scripts));
  onTestFinished(api.close);
  const cast = Object.entries(roles).map(([name, { run = "codex", more = `on_idle = "done"`, prompt }]) => {
    const task = prompt === null ? null : `Please play #s:${name}`;
    return [name, { scenario: run, more, prompt: task }] as const;
  });
  const stage = await agentStage(Object.fromEntries(cast));
  settle(stage, installed.bin, config(api.url, given.trusted === false ? null : stage.dir));
  if (given.trusted === false) spawnSync("git", ["init", "-q"], { cwd: stage.dir }); // otherwise it does not ask
  return patient(stage, api);
}

/** Gives the client a home of its own in the project's. */
export function settle({ home, dir, env }: Project, bin: string, settings: string): void {
  const own = path.join(home, "codex");
  fs.mkdirSync(own, { recursive: true });
  Object.assign(env, {
    HOME: home,
    TMPDIR: home, // otherwise it leaves files in the system's folder
    CODEX_HOME: own,
    OJ_TEST_KEY: "x",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PATH: `${bin}:${env.PATH}`,
  });
  fs.writeFileSync(path.join(own, "config.toml"), settings);
  // clients that start for the first time at the same moment spoil each other's database
  spawnSync(path.join(bin, "codex"), ["app-server"], { cwd: dir, env, input: "", timeout: 60_000 });
}

/** `gpt-6.1-sol` is a model that the client gives its tool for patches. */
export function config(url: string, trusted: string | null): string {
  return `
model = "gpt-6.1-sol"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[analytics]
enabled = false
[tui]
animations = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
env_key = "OJ_TEST_KEY"
request_max_retries = 0
stream_max_retries = 0
${trusted === null ? "" : `[projects.${JSON.stringify(trusted)}]\ntrust_level = "trusted"\n`}`;
}
