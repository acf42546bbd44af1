/** The real opencode, run by the product, against a scripted model. */
import { spawnSync } from "node:child_process";
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
import { installOpencode } from "./install.ts";
import { completions } from "./model-api.ts";

export interface Role {
  script: Step[];
  /** The agent's `run` line in the runbook. */
  run?: string;
  /** More attributes of the agent's block. */
  more?: string;
  /** Null to start it without a prompt. */
  prompt?: null;
}

export const installed = installOpencode();

export async function opencodeStage(
  roles: Record<string, Role>,
  standard = "opencode",
  isFresh = false,
): Promise<ClientStage<ModelServer>> {
  const { bin, reason } = installed;
  if (bin === null) throw new Error(reason);
  const scripts = Object.entries(roles).map(([name, { script }]) => [name, script] as const);
  const api = await startModelServer(Object.fromEntries(scripts), completions);
  onTestFinished(api.close);
  const cast = Object.entries(roles).map(([name, { run = standard, more = `on_idle = "done"`, prompt }]) => {
    const task = prompt === null ? null : `Please play #s:${name}`;
    return [name, { scenario: run, more, prompt: task }] as const;
  });
  const stage = await agentStage(Object.fromEntries(cast), {
    before: (project) => settle(project, bin, api.url, isFresh),
  });
  return patient(stage, api);
}

export const pidOf = async (stage: Stage, run: Run) =>
  Number(await stage.tmux("display-message", "-p", "-t", `=${run.agent}:`, "#{pane_pid}"));

/**
 * Gives the client a home of its own in the project's, where it asks about every command and change. It has run there
 * before, unless the home is to be fresh.
 */
export function settle({ home, dir, env }: Project, bin: string, url: string, isFresh = false): void {
  const config = path.join(home, ".config/opencode");
  fs.mkdirSync(config, { recursive: true });
  Object.assign(env, {
    HOME: home,
    TMPDIR: home, // otherwise it leaves files in the system's folder
    XDG_CONFIG_HOME: path.join(home, ".config"),
    XDG_DATA_HOME: path.join(home, ".local/share"),
    XDG_CACHE_HOME: path.join(home, ".cache"),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    npm_config_offline: "true", // it fetches a package for plugins, and waits for that
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PATH: `${bin}:${env.PATH}`,
  });
  const settings = {
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    autoupdate: false,
    share: "disabled",
    permission: { bash: "ask", edit: "ask" },
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "scripted",
        options: { baseURL: `${url}/v1`, apiKey: "x" },
        models: {
          scripted: { name: "scripted", tool_call: true, limit: { context: 200_000, output: 8000 } },
        },
      },
    },
  };
  fs.writeFileSync(path.join(config, "opencode.json"), JSON.stringify(settings));
  if (isFresh) return;
  // whoever starts it together with others would wait for its database
  const listed = spawnSync(path.join(bin, "opencode"), ["session", "list"], {
    cwd: dir,
    env,
    timeout: 240_000,
  });
  if (listed.status !== 0) throw new Error(`opencode could not set up its database: ${listed.stderr}`);
}
