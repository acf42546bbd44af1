/** What cancelling a job says and does, and what status says about answers that have not arrived. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Job {
  status: string;
  step: string;
  cancelled_by: string | null;
  cancelling: { by: string; tidying: boolean } | null;
  steps: { name: string; status: string }[];
}

const WORK = `
command "work" { run = { job = "work" } }
job "work" {
  step "work" {
    run       = "touch begun; sleep 600"
    on_cancel = { step = "tidy" }
  }
  step "tidy" { run = "until [ -e go ]; do sleep 0.05; done; touch tidied" }
}`;
const PARENT = `${WORK}
command "whole" { run = { job = "whole" } }
job "whole" {
  step "part" { run = { job = "work" } }
}
command "ask" { run = { job = "ask" } }
job "ask" {
  step "ask" {
    decision {
      prompt = "Ship?"
      option "yes" {}
    }
  }
}`;

const begin = async (project: Project, name: string) => {
  const { job_id } = await project.json<{ job_id: string }>("run", name);
  if (name !== "ask") await project.until(() => fs.existsSync(path.join(project.dir, "begun")));
  return job_id;
};
const show = (project: Project, id: string) => project.json<Job>("job", "show", id);
const at = (project: Project, id: string, step: string, status: string) =>
  project.until(async () =>
    (await show(project, id)).steps.some((it) => it.name === step && it.status === status),
  );

describe("oj job cancel", () => {
  it("says what is being stopped; a second cancel lets on_cancel finish, and both carry the person's name", async () => {
    const project = await tempProject({ ".oj/runbooks/work.hcl": PARENT });
    const id = await begin(project, "work");
    const first = await project.run("job", "cancel", id, "--reason", "wrong branch");
    assert.match(first.stdout, /is being cancelled: what work runs is being stopped|its on_cancel step tidy/);
    await at(project, id, "tidy", "running");
    const second = await project.run("job", "cancel", id);
    assert.match(second.stdout, new RegExp(`${id} will be cancelled once its on_cancel step tidy is done`));
    assert.match(second.stderr, new RegExp(`→ oj job cancel ${id} --now`));
    assert.deepEqual((await show(project, id)).cancelling, { by: "ana", tidying: true });
    project.write({ go: "" });
    await project.until(async () => (await show(project, id)).status === "cancelled");
    const { cancelled_by, cancelling, steps } = await show(project, id);
    assert.deepEqual([cancelled_by, cancelling], ["ana", null]);
    assert.deepEqual(
      steps.map((it) => it.status),
      ["cancelled", "completed"],
    );
    assert.ok(fs.existsSync(path.join(project.dir, "tidied")));
    assert.match((await project.run("job", "show", id)).stdout, /cancelled +by ana\n +reason +wrong branch/);
  });

  also("--now ends an on_cancel that hangs", async () => {
    const project = await tempProject({ ".oj/runbooks/work.hcl": PARENT });
    const id = await begin(project, "work");
    await project.run("job", "cancel", id);
    await at(project, id, "tidy", "running");
    assert.equal((await project.run("job", "cancel", id, "--now")).code, 0);
    await project.until(async () => (await show(project, id)).status === "cancelled");
    assert.equal(fs.existsSync(path.join(project.dir, "tidied")), false);
  });

  also("says that the inner job is cancelled first, and lets its on_cancel finish", async () => {
    const project = await tempProject({ ".oj/runbooks/work.hcl": PARENT });
    const id = await begin(project, "whole");
    const { stdout } = await project.run("job", "cancel", id);
    assert.match(stdout, /is being cancelled, after job-\w+, which part is waiting for/);
    project.write({ go: "" });
    await project.until(async () => (await show(project, id)).status === "cancelled");
    assert.ok(fs.existsSync(path.join(project.dir, "tidied")));
  });

  also("withdraws the job's question from the inbox, in the person's name", async () => {
    const project = await tempProject({ ".oj/runbooks/work.hcl": PARENT });
    const id = await begin(project, "ask");
    const [asked] = await project.until(async () => {
      const all = await project.json<{ id: string }[]>("decision", "list");
      return all.length > 0 ? all : null;
    });
    assert.match((await project.run("job", "cancel", id)).stdout, new RegExp(`${id} is cancelled\n`));
    const { stdout } = await project.run("decision", "show", asked?.id ?? "");
    assert.match(stdout, /withdrawn: ask was cancelled, by ana (just now|\d+ seconds ago)/);
  });
});

describe("oj status", () => {
  it("shows an overdue answer, with its age, until it arrives", async () => {
    const project = await tempProject();
    const words = ["--as", "bot", "--prompt", "Ship?", "--option", "Yes"];
    const { id } = await project.json<{ id: string }>("decision", "request", ...words);
    await project.run("decision", "resolve", id, "1");
    const shown = await project.until(async () => {
      const { stdout } = await project.run("status");
      return stdout.includes("owed") ? stdout : null;
    });
    assert.match(shown, /1 answer not delivered/);
    assert.match(shown, new RegExp(`! +${id} +owed +\\d+s +bot +answered, not delivered yet.*: Ship\\?`));
    await project.run("decision", "await", id);
    assert.match((await project.run("status")).stdout, /nothing is running and nothing is waiting/);
  });
});
