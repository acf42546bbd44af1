import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { tempProject } from "./support/project.ts";
import { openTerminal } from "./support/terminal.ts";

const RUNBOOK = `
job "nightly" {
  step "build" { run = "echo compiling; echo 'make: *** Error 2'; exit 2" }
}
command "nightly" { run = { job = "nightly" } }
`;

interface Failed {
  id: string;
  step: string;
  error: string;
  tail: string;
}

const failedOf = async (project: Awaited<ReturnType<typeof tempProject>>) =>
  (await project.json<{ failed: Failed[] }[]>("status")).flatMap((it) => it.failed);

async function failedJob() {
  const project = await tempProject({ ".oj/runbooks/nightly.hcl": RUNBOOK });
  const { job_id } = await project.json<{ job_id: string }>("run", "nightly");
  const [failed] = await project.until(async () => {
    const all = await failedOf(project);
    return all.length > 0 ? all : null;
  });
  assert.equal(failed?.id, job_id);
  return { project, id: job_id, failed };
}

describe("a job that failed without asking anybody", () => {
  it("is in the status until it is dropped, and never a decision", async () => {
    const { project, id, failed } = await failedJob();
    assert.deepEqual([failed?.step, failed?.error], ["build", "exit code 2"]);
    assert.match(failed?.tail ?? "", /make: \*\*\* Error 2$/);
    const { stdout, stderr } = await project.run("status");
    assert.match(stdout, new RegExp(`1 failed\\n  ✗  ${id} .* nightly · build .* exit code 2`));
    assert.match(
      stderr,
      new RegExp(`Retry: oj job resume ${id}\n.*Open the job: oj job show ${id}\n.*Drop: oj job drop ${id}`),
    );
    assert.deepEqual(await project.json("decision", "list", "--all"), []);
    assert.equal((await project.run("job", "drop", id)).stdout, `${id} is no longer in the inbox\n`);
    assert.deepEqual(await failedOf(project), []);
    assert.match((await project.run("job", "resume", id)).stdout, /continues at build/);
  });

  also(
    "has been seen once somebody opened it or dropped everything; a script's look does not count",
    async () => {
      const { project, id } = await failedJob();
      await project.json("job", "show", id);
      assert.equal((await failedOf(project)).length, 1);
      await project.run("job", "show", id);
      assert.deepEqual(await failedOf(project), []);
      await project.json("run", "nightly");
      await project.until(async () => (await failedOf(project)).length === 1);
      await project.run("job", "drop", "--all");
      assert.deepEqual(await failedOf(project), []);
    },
  );

  also("is no news to whoever waited for it", async () => {
    const project = await tempProject({ ".oj/runbooks/nightly.hcl": RUNBOOK });
    assert.equal((await project.run("run", "nightly", "--wait")).code, 1);
    assert.deepEqual(await failedOf(project), []);
  });

  it("is in the inbox with Retry, Open and Drop, and two keys settle it", async () => {
    const { project, id } = await failedJob();
    const terminal = await openTerminal(project, ["decision", "watch"], { columns: 80, rows: 24 });
    await terminal.shows(/1 waiting for you[\s\S]*Failed at build: make: \*\*\* Error 2/);
    const screen = await terminal.shows(/make: \*\*\* Error 2[\s\S]*1 +Retry[\s\S]*2 +Open[\s\S]*3 +Drop/);
    assert.doesNotMatch(screen, /t reply|r why|p peek/, "nobody would hear it");
    await terminal.press("3", "Enter");
    await terminal.shows(/nothing is waiting for you/i);
    assert.deepEqual(await failedOf(project), []);
    await project.json("run", "nightly");
    await terminal.shows(/1 waiting for you[\s\S]*Failed at build/);
    await terminal.press("1", "Enter");
    await terminal.shows(/Failed at build/);
    await terminal.press("q");
    await project.until(terminal.isOver);
    assert.match((await project.run("job", "show", id)).stdout, /failed/);
  });

  also("is dropped only by its id, or with all of them", async () => {
    const { project } = await failedJob();
    const { code, stderr } = await project.run("job", "drop");
    assert.equal(code, 2);
    assert.match(stderr, /name the jobs to drop, or say --all/);
  });
});
