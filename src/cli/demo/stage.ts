/** Where the tour takes place: a state folder, a project and a daemon of its own, all gone at the end, whatever happens. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "../../client/connect.ts";
import { untilGone } from "../../client/process.ts";
import { loadConfig } from "../../config.ts";
import type { Context } from "../base/command.ts";
import { directClient } from "../base/patience.ts";
import { connectionOf, livingPid, probe } from "../daemon/process.ts";
import { makeAgentsProject } from "./agents-project.ts";
import { GIT_ENV, makeProject } from "./project.ts";
import { sweep } from "./sweep.ts";

export interface Stage {
  /** As for any command, but for the tour's project and daemon. */
  context: Context;
  close(): Promise<void>;
}

/** main.ts gives an interrupted command a second. */
const STOPS_WITHIN_MS = 600;
const GONE_WITHIN_MS = 10_000;

/** Which of `oj`'s own variables are passed on: who the person is. The caller may be an agent, or a job. */
const KEPT = ["OJ_USER", "OJ_DEBUG"];

export function setStage(from: Context, kind: "agents" | "shell"): Stage {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "oj-demo-"));
  const project = path.join(folder, "shop");
  const env = Object.fromEntries(
    Object.entries(from.config.env).filter(([name]) => !name.startsWith("OJ_") || KEPT.includes(name)),
  );
  const own = {
    ...env,
    ...GIT_ENV,
    PATH: `${path.join(folder, "bin")}:${env.PATH ?? ""}`,
    OJ_STATE_DIR: path.join(folder, "state"),
    XDG_CONFIG_HOME: path.join(folder, "config"),
  };
  const removeAtOnce = () => {
    endTerminals(own.OJ_STATE_DIR);
    sweep(folder, livingPid({ stateDir: own.OJ_STATE_DIR }));
  };
  process.once("exit", removeAtOnce); // even if we are ended in the middle
  putPrograms(path.join(folder, "bin"));
  put(path.join(own.XDG_CONFIG_HOME, "oj/config.toml"), "[notices]\nquiet = true\n"); // a tour is no news
  if (kind === "agents") makeAgentsProject(project);
  else makeProject(project, own);
  const config = loadConfig(own, project);
  const { out, abort } = from;
  const client = connect(connectionOf({ config, out, abort }));
  const context: Context = { ...from, client, config };
  return {
    context,
    async close() {
      await stopDaemon(context);
      removeAtOnce();
      process.off("exit", removeAtOnce);
    },
  };
}

/** Ends the tour's daemon as a crash would. Returns the pid it had, when it is gone. */
export async function crashDaemon({ config }: Context): Promise<number | null> {
  const pid = livingPid(config);
  if (pid === null) return null;
  process.kill(pid, "SIGKILL");
  await untilGone(pid, GONE_WITHIN_MS);
  return pid;
}

/** Not with the tour's own abort: it may have been interrupted. */
async function stopDaemon({ config }: Context): Promise<void> {
  const abort = AbortSignal.timeout(STOPS_WITHIN_MS);
  try {
    const status = await probe({ config, abort }, STOPS_WITHIN_MS);
    if (!status) return;
    await directClient({ config }, abort).stop({ kill: true });
    await untilGone(status.pid, STOPS_WITHIN_MS);
  } catch {
    // it is killed then
  }
}

/** Null if agents can live here, otherwise the sentence that says why not. */
export function tmuxProblem(env: Readonly<Record<string, string>>): string | null {
  const how = { env, encoding: "utf8", timeout: 5000, killSignal: "SIGKILL" } as const;
  const { error, stdout } = spawnSync("tmux", ["-V"], how);
  if (error)
    return "Agents run in tmux, and tmux is not installed (apt install tmux, dnf install tmux, or brew install tmux).";
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  if (major === undefined || Number(major) * 100 + Number(minor) >= 302) return null;
  return `Agents need tmux 3.2 or newer, but ${stdout.trim()} is installed.`;
}

/** The tour's own `oj` and `oj-agent`, from this package, whatever else is on the path. */
function putPrograms(folder: string): void {
  fs.mkdirSync(folder);
  for (const name of ["oj", "oj-agent"]) {
    const file = fileURLToPath(new URL(`${name}.cjs`, import.meta.url));
    const start = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(file)} "$@"\n`;
    fs.writeFileSync(path.join(folder, name), start, { mode: 0o755 });
  }
}

function put(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Agents outlive their daemon; those of the tour must not outlive the tour. */
function endTerminals(stateDir: string): void {
  const socket = path.join(stateDir, "tmux.sock");
  if (fs.existsSync(socket))
    spawnSync("tmux", ["-S", socket, "kill-server"], {
      stdio: "ignore",
      timeout: 2000,
      killSignal: "SIGKILL",
    });
}
