/** The runbook examples from the seed documents, as written: each is read, and run to the end that a person would expect. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { tempProject } from "../support/project.ts";

const FOLDER = path.join(import.meta.dirname, "../../fixtures/seed-runbooks");
const DONE = { signal: "done" };
const OFFER = { run: `oj decision request --prompt "Go on?" --option Continue --option Stop` };

const seed = (name: string) => fs.readFileSync(path.join(FOLDER, `${name}.hcl`), "utf8");
/** The text between the braces of its only block. */
const bodyOf = (name: string) => /\{\n([\s\S]*)\n\}\n$/.exec(seed(name))?.[1] ?? "";

const ISSUE = `
command "issue" {
  args = "<issue>"
  run  = { job = "issue" }
}
job "issue" {
  vars = ["issue"]
  step "work" { run = { agent = "worker" } }
}`;

/** A program that the example calls and that is not one of ours. */
function program(stage: Stage, name: string, text: string): void {
  fs.writeFileSync(path.join(stage.home, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

async function check(stage: Pick<Stage, "run">) {
  const { stdout, code } = await stage.run("runbook", "check");
  return { stdout, code };
}

describe("the seeds' on_signal", () => {
  it("gate with ${agent.id} passes an agent that asked for a decision, and no other", async () => {
    const stage = await agentStage({
      worker: { scenario: { turns: [[DONE], [DONE]] }, more: bodyOf("signal") },
    });
    program(stage, "check-decision-offered", `echo "$1" >> asked; [ -e "offered-$1" ]`);
    assert.equal((await check(stage)).code, 0);
    const run = await stage.job("worker");
    await run.until(() => run.heard().length === 1, "the words of the gate");
    assert.match(run.heard()[0] ?? "", /this check failed/);
    assert.match(fs.readFileSync(path.join(stage.dir, "asked"), "utf8"), new RegExp(`^${run.agent}\n`));
    const { id } = await run.asked("gate");
    stage.write({ [`offered-${run.agent}`]: "" });
    await stage.run("decision", "resolve", id, "1");
    assert.equal(await run.ended(), "completed");
  });

  it("gate on a pending decision leaves the new question, and the step, to the person", async () => {
    const turns = [[DONE], [OFFER, DONE], [{ say: "I go on." }, DONE]];
    const stage = await agentStage(
      { worker: { scenario: { turns }, more: bodyOf("prime-signal") } },
      { runbook: ISSUE },
    );
    program(stage, "wok", `echo "issue $2: mend the cart"`);
    program(stage, "bd", `[ "$*" = "decision list --pending --json" ] && exec oj decision list -o json`);
    assert.equal((await check(stage)).code, 0);
    const run = await stage.job("issue", "7");
    await run.until(() => run.heard().length === 1, "the words of the gate");
    const [back = ""] = run.heard();
    assert.match(back, /You must offer a decision point[\s\S]*bd decision create --prompt/);
    const { id } = await run.asked("request");
    await run.until(() => run.events("agent:gated").length === 2, "the second look of the gate");
    assert.deepEqual(
      run.events("agent:gated").map((it) => it.passed),
      [false, true],
    );
    await run.until(() => run.status() === "step:waiting", "the waiting job");
    assert.equal((await stage.decision(id)).state, "pending");
    await stage.run("decision", "resolve", id, "1", "-m", "yes, go on");
    await run.until(() => run.heard().some((it) => it.includes("yes, go on")), "the answer");
    const isAcknowledged = async () => (await stage.decision(id)).delivery.state === "acknowledged";
    await run.until(isAcknowledged, "its receipt");
    // With nothing pending the gate is back, and after its one attempt a person is asked.
    const gate = await run.asked("gate");
    await stage.run("decision", "resolve", gate.id, "2");
    assert.equal(await run.ended(), "completed");
  });

  also("gate with attempts = 0 asks at the first failure", async () => {
    const stage = await agentStage({
      worker: {
        scenario: { turns: [[DONE]] },
        more: `on_signal = { action = "gate", run = "echo 2 fail; false", attempts = 0 }`,
      },
    });
    const run = await stage.job("worker");
    const { id, context } = await run.asked("gate");
    assert.match(context, /2 fail/);
    assert.deepEqual(run.heard(), []);
    await stage.run("decision", "resolve", id, "2");
    assert.equal(await run.ended(), "completed");
  });
});

describe("the seeds' prompt", () => {
  also("includes the file's text and runs", async () => {
    const stage = await agentStage(
      { worker: { scenario: { turns: [[DONE]] }, more: bodyOf("prompt"), prompt: null } },
      { files: { ".oj/prompts/worker.md": "You mend carts.\n" } },
    );
    assert.equal((await check(stage)).code, 0);
    const run = await stage.job("worker");
    assert.equal(await run.ended(), "completed");
    const [first] = run.told("prompt");
    assert.match(first?.text ?? "", /^You mend carts\.[\s\S]*## Decision Points[\s\S]*"tried":\[\.\.\.\]/);
  });
});

describe("the seeds' decision step", () => {
  const feature = () =>
    agentStage(
      { planner: { scenario: { turns: [[DONE]] } }, builder: { scenario: { turns: [[DONE]] } } },
      { runbook: `command "feature" { run = { job = "feature" } }\n${seed("decision-step")}` },
    );
  const asked = (stage: Stage) =>
    stage.until(() => stage.events.find((it) => it.type === "decision:created" && it.source === "step"));

  also("builds after the choice, and its check warns about a Cancel that cancels nothing", async () => {
    const stage = await feature();
    const { stdout, code } = await check(stage);
    assert.equal(code, 0);
    assert.match(stdout, /! .*agents\.hcl:\d+:\d+ {2}option "cancel" has no action/);
    assert.match(stdout, /→ write action = "cancel" to do what it says/);
    const { job_id } = await stage.json<{ job_id: string }>("run", "feature");
    const { id } = await asked(stage);
    const shown = await stage.run("decision", "show", id);
    assert.match(shown.stdout, /Scrap this feature\n +→ the job continues/);
    await stage.run("decision", "resolve", id, "1");
    assert.equal((await stage.run("job", "wait", job_id)).code, 0);
  });
});

describe("the seeds' context and templates", () => {
  const job = (steps: string) => `command "j" { run = { job = "j" } }\njob "j" {\n${steps}\n}\n`;

  also("show what the shell line printed", async () => {
    const project = await tempProject();
    project.write({
      ".oj/runbooks/j.hcl": job(
        `  step "branch" { run = "git init -q -b main . && git config user.email a@b && git config user.name a && git add -A && git commit -qm one && git checkout -qb work && echo x > new.txt && git add -A && git commit -qm two" }\n${seed("context")}`,
      ),
    });
    assert.match((await check(project)).stdout, /no problems/);
    const { job_id } = await project.json<{ job_id: string }>("run", "j");
    const waiting = await project.until(async () => {
      const { pending_decision } = await project.json<{ pending_decision: string | null }>(
        ...["job", "show", job_id],
      );
      return pending_decision;
    });
    const { stdout } = await project.run("decision", "show", waiting);
    assert.match(stdout, /new\.txt \| 1 \+/);
    await project.run("decision", "resolve", waiting, "1");
    assert.equal((await project.run("job", "wait", job_id)).code, 0);
  });

  it("are required of requests as written", async () => {
    const project = await tempProject({ ".oj/runbooks/t.hcl": seed("templates") });
    assert.match((await check(project)).stdout, /no problems/);
    const ask = (template: string, context: object, ...more: string[]) =>
      project.run(
        ...["decision", "request", "--prompt", "Well?", "--template", template],
        ...["--context", JSON.stringify(context), ...more],
      );
    const good: [string, object, ...string[]][] = [
      ["checkpoint", { progress: "half", next_steps: "the rest" }],
      ["tradeoff", { options: ["a", "b"], recommendation: "a" }, "--option", "a", "--option", "b"],
      ["stuck", { blocker: "no key", tried: "the old one" }, "--no-file-check"],
    ];
    for (const [template, context, ...more] of good) {
      assert.equal((await ask(template, context, ...more)).code, 0, template);
      const [missing = ""] = Object.keys(context);
      const refused = await ask(template, { ...context, [missing]: "" }, ...more);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, new RegExp(`"${missing}" is missing`));
    }
  });

  it("are refused by check and by run if a step gives no context, with what to write; with that it runs", async () => {
    const project = await tempProject({
      ".oj/runbooks/t.hcl": seed("templates"),
      ".oj/runbooks/j.hcl": job(seed("template-step")),
    });
    const bad = await check(project);
    assert.equal(bad.code, 1);
    assert.match(
      bad.stdout,
      /j\.hcl:4:25 {2}template "checkpoint" needs more context: "progress" is missing; "next_steps" is missing/,
    );
    assert.match(bad.stdout, /→ fields = \{ progress = "…", next_steps = "…" \}, or context =/);
    const refused = await project.run("run", "j");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /"j" can't be run: its runbook has a problem\n.*j\.hcl:4:25 {2}template/);
    assert.deepEqual(await project.json("job", "list"), []);
    project.write({
      ".oj/runbooks/j.hcl": job(
        `  step "count" { run = "echo 3 of 5" }\n  step "mid-check" {\n    decision {\n      template = "checkpoint"\n      fields = { progress = "\${step.count.output}", next_steps = ["test it", "ship it"] }\n    }\n  }`,
      ),
    });
    assert.equal((await check(project)).code, 0);
    const { job_id } = await project.json<{ job_id: string }>("run", "j");
    const id = await project.until(
      async () =>
        (await project.json<{ pending_decision: string | null }>("job", "show", job_id)).pending_decision,
    );
    const view = await project.json<{ title: string; fields: object }>("decision", "show", id);
    assert.deepEqual(view.fields, { progress: "3 of 5", next_steps: ["test it", "ship it"] });
    assert.equal(view.title, "Summarize progress and next steps");
    const { stdout } = await project.run("decision", "show", id);
    assert.match(stdout, /progress: 3 of 5\n.*next_steps:\n.*- test it/);
    await project.run("decision", "resolve", id, "1");
    assert.equal((await project.run("job", "wait", job_id)).code, 0);
  });
});
