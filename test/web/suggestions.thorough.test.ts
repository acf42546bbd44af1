/** A rule that answers suggest, in the browser: the line, what it rests on, two keys, and that it stays away once declined. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { call } from "../specs/support/http.ts";
import { live, whyNotLater } from "../specs/support/later.ts";
import type { Project } from "../specs/support/project.ts";
import { tempProject } from "../specs/support/project.ts";
import { assertAccessible, inboxOf, noBrowser, SIZES } from "./support/browser.ts";

interface Pending {
  id: string;
  session: string;
}

async function approved(project: Project, session: string, command: string): Promise<void> {
  const hook = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
  const body = { session_id: session, cwd: project.dir, ...hook };
  const reply = call(project, "POST", "/hooks/session", { body });
  const { id } = await project.until(async () =>
    (await call(project, "GET", "/decisions")).json<Pending[]>().find((it) => it.session === session),
  );
  await call(project, "POST", `/decisions/${id}/resolve`, { body: { option: "approve" } });
  await reply;
}

/** Approved five times each, on two days and in two sessions. */
async function history(...commands: string[]): Promise<Project> {
  const project = await tempProject({});
  await project.run("daemon", "start");
  const all = async (...sessions: string[]) => {
    for (const command of commands) for (const it of sessions) await approved(project, it, command);
  };
  await all("s1", "s2", "s1");
  live(project, "26h");
  await project.run("daemon", "restart");
  await all("s2", "s1");
  return project;
}

const suggested = async (project: Project) =>
  (await call(project, "GET", "/suggestions")).json<{ what: string }[]>().map((it) => it.what);

describe.skipIf(noBrowser || whyNotLater !== null).each(SIZES)("a suggested rule %s", (_, size) => {
  it("shows what it rests on and would have answered, and counts after two keys; another is declined", async () => {
    const project = await history("npm test", "git status");
    const page = await inboxOf(project, size);
    const line = page.getByText(/You approved .* 5 times and never refused it: let a policy do it\?/);
    await line.waitFor();
    await page.getByRole("button", { name: /Look at it/ }).click();
    const dialog = page.getByRole("dialog", { name: "Your answers suggest a rule" });
    await dialog.getByText('command = "git status"').waitFor();
    await dialog.getByText("it would have answered 5 of 10, agreed 5, disagreed 0").waitFor();
    await dialog.getByText("Approved 5 times on 2 days in 2 jobs or sessions of").waitFor();
    assert.equal(await dialog.locator(".evidence li").count(), 5);
    await assertAccessible(page, "a suggested rule");
    await dialog.getByRole("radio", { name: /Always in this project/ }).check();
    const accept = dialog.getByRole("button", { name: /Let it count|Read on/ });
    await project.until(async () => {
      if (!(await dialog.isVisible())) return true;
      await accept.click({ timeout: 2000 }).catch(() => {}); // it may close meanwhile
      return undefined;
    });
    const file = path.join(project.dir, ".oj/runbooks/remembered.hcl");
    await project.until(async () => fs.existsSync(file) || undefined);
    await project.until(async () => (await suggested(project)).join() === "npm test" || undefined);
    await page.getByText(/You approved npm test 5 times/).waitFor();

    await page.getByRole("button", { name: /Look at it/ }).click();
    await dialog.getByText('command = "npm test"').waitFor();
    await dialog.getByRole("radio", { name: /^2?\s*No/ }).check();
    await dialog.getByRole("button", { name: /Don't suggest it again/ }).click();
    await line.waitFor({ state: "detached" });
    await page.close(); // it would complain that the daemon is gone
    await project.run("daemon", "restart");
    assert.deepEqual(await suggested(project), [], "declined is declined");
    const policies = await project.json<{ name: string; state: string }[]>("policy", "list");
    assert.deepEqual(
      policies.map((it) => [it.name, it.state]),
      [["git status", "on"]],
    );
  });
});
