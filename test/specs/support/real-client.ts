/** A stage with a real client and a scripted model: patient, and with everything in view when a test fails. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Run, Stage } from "./agents.ts";
import { until } from "./project.ts";

/** A client takes seconds to start, and much longer on a busy machine. */
export const PATIENCE_MS = 120_000;

/** What the scripted model of any client remembers. */
export interface Model {
  /** Every request so far that belonged to a script, oldest first. */
  requests: { script: string; step: number; heard: string; at: number }[];
  /** Everything that the model was told since its own last message, as one text; null before it was asked. */
  heard(script: string, step: number): string | null;
}

export interface ClientStage<M extends Model> extends Stage {
  api: M;
  /** Waits until the model was asked for that step; returns what it was told since its own last message. */
  heard(script: string, step: number): Promise<string>;
}

export function patient<M extends Model>(stage: Stage, api: M): ClientStage<M> {
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
  const untilShown: Stage["until"] = async (ask, what) => {
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
  stage.until = untilShown;
  const shows: Stage["shows"] = (run, what) =>
    untilShown(async () => {
      const now = await screen(run);
      return what.test(now) && now;
    }, `${what} on the screen`);
  const heard = (script: string, step: number) =>
    untilShown(() => api.heard(script, step), `step ${step} of ${script}`);
  return Object.assign(stage, { api, shows, heard });
}
