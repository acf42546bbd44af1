/** A real client as a person runs it, outside oj, in a terminal of their own and with the hooks of `oj init`. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Decision } from "./agents.ts";
import type { Project } from "./project.ts";
import { tempProject, until } from "./project.ts";
import type { Model } from "./real-client.ts";
import { PATIENCE_MS } from "./real-client.ts";

const DIST = path.join(import.meta.dirname, "../../../dist");

type Ask<T> = Parameters<typeof until<T>>[0];

export type Asked = Decision & { requested_by: string | null };

export interface OwnClient {
  /** Its name in `oj init`, and the flags there. */
  init: [string, ...string[]];
  /** The words that start it, in the project's folder. */
  start: string[];
  model: Model & { close(): Promise<void> };
  /** Gives the client a home of its own in the project's. */
  settle(project: Project): void;
}

export async function ownSession({ init, start, model, settle }: OwnClient) {
  const project = await tempProject();
  onTestFinished(model.close);
  settle(project);
  const bin = path.join(project.home, "bin");
  fs.mkdirSync(bin);
  fs.symlinkSync(path.join(DIST, "oj.cjs"), path.join(bin, "oj"));
  project.env.PATH = `${bin}:${project.env.PATH}`;
  assert.equal((await project.run("init", ...init)).code, 0);
  await project.run("daemon", "start");
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-S", path.join(project.home, "own.sock"), "-f", "/dev/null", ...words], {
      cwd: project.dir,
      env: project.env,
      encoding: "utf8",
    });
  tmux("new-session", "-d", "-x", "120", "-y", "40", ...start);
  const pid = Number(tmux("display", "-p", "#{pane_pid}"));
  /** The server ends with its only terminal. */
  const kill = async () => {
    if (fs.existsSync(`/proc/${pid}`)) process.kill(pid, "SIGKILL");
    await until(() => !fs.existsSync(`/proc/${pid}`), "its end", PATIENCE_MS);
  };
  onTestFinished(kill);
  const screen = () => tmux("capture-pane", "-p");
  /** What a failure must show: the screen, what the model was told, the load. */
  const patient = async <T>(ask: Ask<T>, what: string): Promise<T> => {
    try {
      return await until(ask, what, PATIENCE_MS);
    } catch (error) {
      const told = model.requests.map((it) => `${it.step} ${it.heard.slice(-200)}`);
      const seen = [screen().replace(/\n{3,}/g, "\n\n"), ...told, `load ${os.loadavg()}`].join("\n");
      throw Object.assign(error as Error, { message: `${(error as Error).message}\n${seen}` });
    }
  };
  const shows = (what: RegExp) => patient(() => what.test(screen()), `${what} on the screen`);
  /** The only decision that waits. */
  const asked = (source: string) =>
    patient(async () => {
      const [it, ...more] = await project.json<Asked[]>("decision", "list");
      return it?.source === source && more.length === 0 && it;
    }, `a decision with source ${source}`);
  const ended = (id: string, how: RegExp) =>
    patient(async () => how.test((await project.run("decision", "show", id)).stdout), `${id}: ${how}`);
  const heard = (step: number) => patient(() => model.heard("all", step), `step ${step}`);
  const answer = async (id: string, ...words: string[]) =>
    assert.equal((await project.run("decision", "resolve", id, ...words)).code, 0);
  const press = (...keys: string[]) => tmux("send-keys", ...keys);
  return { ...project, screen, shows, asked, ended, heard, answer, press, kill, patient };
}
