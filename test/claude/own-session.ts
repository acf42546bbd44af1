/**
 * The real Claude Code as a person runs it, outside oj, in a project with our hooks (`oj init claude`). It prints and
 * ends (`-p`), against a scripted model: what the model was told is what really reached the session.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Event } from "../specs/support/agents.ts";
import { follow } from "../specs/support/agents.ts";
import type { Project } from "../specs/support/project.ts";
import { tempProject, until } from "../specs/support/project.ts";
import { PATIENCE_MS } from "../specs/support/real-client.ts";
import { claudeEnv, prepareConfig } from "./environment.ts";
import type { ModelApi, Step } from "./model-api.ts";
import { startModelApi } from "./model-api.ts";
import { installed } from "./stage.ts";

const DIST = path.join(import.meta.dirname, "../../dist");

export interface OwnSession extends Project {
  api: ModelApi;
  /** Runs the client with that script until it ends. */
  claude(script: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Runs the client in a terminal, as a person does: they type there and see its screen. */
  terminal(script: string, ...args: string[]): Terminal;
  /** Every event so far. */
  events: Event[];
  /** Waits until the model was asked for that step; returns what it was told since its own last message. */
  heard(script: string, step: number): Promise<string>;
}

export interface Terminal {
  type(line: string): Promise<void>;
  shows(what: RegExp): Promise<string>;
}

export async function ownSession(
  scripts: Record<string, Step[]>,
  given: { init?: string[]; files?: Record<string, string> } = {},
): Promise<OwnSession> {
  if (installed.bin === null) throw new Error(installed.reason);
  const project = await tempProject(given.files);
  const api = await startModelApi(scripts);
  onTestFinished(api.close);
  const [bin, config] = [path.join(project.home, "bin"), path.join(project.home, "claude")];
  fs.mkdirSync(bin);
  fs.symlinkSync(path.join(DIST, "oj.cjs"), path.join(bin, "oj"));
  prepareConfig(config, { trusted: project.dir, onboarded: true });
  const { PATH } = project.env;
  Object.assign(project.env, claudeEnv({ home: project.home, config, api: api.url }), {
    PATH: `${bin}:${installed.bin}:${PATH}`,
  });
  assert.equal((await project.run("init", "claude", ...(given.init ?? []))).code, 0);

  return Object.assign(project, {
    api,
    claude: (script: string, ...args: string[]) =>
      new Promise<{ code: number | null; output: string }>((resolve, reject) => {
        const argv = ["-p", "--permission-mode", "bypassPermissions", ...args, `Please play #s:${script}`];
        const child = spawn("claude", argv, {
          cwd: project.dir,
          env: project.env,
          stdio: ["ignore", "pipe", "pipe"],
        });
        onTestFinished(() => void child.kill("SIGKILL"));
        let output = "";
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (part) => {
            output += part;
          });
        child.once("error", reject);
        child.once("close", (code) => resolve({ code, output }));
      }),
    terminal: (script: string, ...args: string[]) => terminalOf(project, script, args),
    events: follow(project),
    heard: (script: string, step: number) =>
      until(() => api.heard(script, step), `step ${step} of ${script}`, PATIENCE_MS),
    until: <T>(ask: Parameters<typeof until<T>>[0], what?: string) => until(ask, what, PATIENCE_MS),
  });
}

function terminalOf(project: Project, script: string, args: string[]): Terminal {
  const socket = path.join(project.home, "own.sock");
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
      cwd: project.dir,
      env: project.env,
      encoding: "utf8",
    });
  const argv = ["claude", "--permission-mode", "default", ...args, `Please play #s:${script}`];
  tmux("new-session", "-d", "-x", "120", "-y", "40", ...argv);
  onTestFinished(async () => {
    const pid = Number(tmux("display", "-p", "#{pane_pid}"));
    tmux("kill-server");
    await until(() => !fs.existsSync(`/proc/${pid}`), "its end", PATIENCE_MS);
  });
  const shows = (what: RegExp) =>
    until(
      () => {
        const screen = tmux("capture-pane", "-p");
        return what.test(screen) && screen;
      },
      `${what} on the screen`,
      PATIENCE_MS,
    );
  return {
    shows,
    async type(line) {
      tmux("send-keys", "-l", line);
      await shows(new RegExp(`❯.*${line.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}`));
      tmux("send-keys", "Enter");
    },
  };
}
