/** Requests for decisions, straight to the daemon: quick enough for thousands. */
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { DecisionView } from "../../../src/api.ts";
import { call } from "../../specs/support/http.ts";
import type { Given, Project } from "../../specs/support/project.ts";
import { tempProject } from "../../specs/support/project.ts";

/** Settings under which answers from the page go out after so many seconds. */
export function undoAfter(seconds: number): Given {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-config-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(path.join(folder, "oj"));
  fs.writeFileSync(path.join(folder, "oj/config.toml"), `[undo]\nweb_s = ${seconds}\n`);
  return { env: { XDG_CONFIG_HOME: folder } };
}

/** With its daemon, which lets answers go out at once unless told otherwise. */
export async function webProject(undo_s = 0): Promise<Project> {
  const project = await tempProject({}, undoAfter(undo_s));
  const { code, stderr } = await project.run("daemon", "start");
  assert.equal(code, 0, stderr);
  return project;
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
