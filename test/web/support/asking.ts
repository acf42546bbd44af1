/** Requests for decisions, straight to the daemon: quick enough for thousands. */
import assert from "node:assert/strict";
import fs from "node:fs";
import type { DecisionView } from "../../../src/api/api.ts";
import { logIn, writePending } from "../../bench/data.ts";
import { call } from "../../specs/support/http.ts";
import type { Project } from "../../specs/support/project.ts";
import { tempProject } from "../../specs/support/project.ts";
import { undoAfter } from "../../specs/support/settings.ts";

/** With its daemon, which sends answers out at once unless told otherwise; so many are pending already. */
export async function webProject(undo_s = 0, { pending = 0 } = {}): Promise<Project> {
  const project = await tempProject({}, undoAfter(undo_s));
  if (pending > 0) await wait(project, pending);
  const { code, stderr } = await project.run("daemon", "start");
  assert.equal(code, 0, stderr);
  return project;
}

async function wait({ stateDir }: Project, pending: number): Promise<void> {
  fs.mkdirSync(stateDir, { mode: 0o700 });
  const log = logIn(stateDir);
  await log.open();
  await writePending(log, pending);
  await log.close();
}

export interface Asked {
  as?: string;
  project?: string;
  prompt: string;
  options?: { label: string; description?: string }[];
  recommend?: number;
  context?: unknown;
  urgency?: "high" | "medium" | "low";
}

const YES_NO = [{ label: "Yes" }, { label: "No" }];

export async function ask(project: Project, asked: Asked): Promise<DecisionView> {
  const body = { project: "shop", cwd: project.dir, options: YES_NO, as: asked.prompt, ...asked };
  const reply = await call(project, "POST", "/decisions", { body });
  assert.equal(reply.status, 200, reply.text);
  return reply.json<DecisionView>();
}

export async function decisionOf(project: Project, id: string): Promise<DecisionView> {
  return (await call(project, "GET", `/decisions/${id}`)).json<DecisionView>();
}

/** By somebody else. */
export async function answer(project: Project, id: string, number = 1): Promise<void> {
  const reply = await call(project, "POST", `/decisions/${id}/resolve`, { body: { choices: [[number]] } });
  assert.equal(reply.status, 200, reply.text);
}

/** The decision, once it is answered. */
export function untilAnswered(project: Project, id: string): Promise<DecisionView> {
  return project.until(async () => {
    const it = await decisionOf(project, id);
    return it.answer ? it : null;
  }, "the answer");
}
