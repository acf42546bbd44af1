/** Approvals with a change: what really runs, what is recorded, what the agent hears, and where it is refused. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Decision, Run, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { ends } from "../support/answers.ts";
import { call, killDaemon } from "../support/http.ts";
import { openTerminal } from "../support/terminal.ts";

interface Changed {
  edited?: { before: object; after: object };
  answer: { input?: object; input_sha256?: string };
}

const asks = (name = "asked") => ({
  tool: "Bash",
  input: { command: `touch ${name}`, description: "Make it" },
  real: true,
});
const DONE = { signal: "done" };
const CHANGED = { command: "touch changed", description: "Make it" };
const TOLD = "A person changed the command before it ran: touch changed";
const made = ({ dir }: Stage) => fs.readdirSync(dir).filter((it) => it === "asked" || it === "changed");
const shown = (stage: Stage, id: string) => stage.json<Decision & Changed>("decision", "show", id);
const heard = (run: Run) => run.told("context").map((it) => it.text);
const next = { tool: "Bash", input: "true", real: true, asks: false };
const stageOf = () => agentStage({ asks: { scenario: { turns: [[asks(), next, { say: "Fine." }, DONE]] } } });

async function started(stage: Stage): Promise<{ run: Run; decision: Decision }> {
  const run = await stage.job("asks");
  return { run, decision: await run.asked("approval") };
}

describe("a command that a person changed", () => {
  it("runs as changed, by --edit or --input; both are on record, and the agent is told", async () => {
    const stage = await stageOf();
    stage.write({ "changed.json": JSON.stringify(CHANGED) });
    stage.env.EDITOR = "sed -i s/asked/changed/";
    await runsChanged(stage, "--edit");
    await runsChanged(stage, "--edit", "-m", "Not that one.");
    await runsChanged(stage, "--input", JSON.stringify(CHANGED));
    await runsChanged(stage, "--input", "@changed.json");
  });

  async function runsChanged(stage: Stage, ...words: string[]): Promise<void> {
    for (const it of made(stage)) fs.rmSync(path.join(stage.dir, it));
    const { run, decision } = await started(stage);
    await run.answer(decision, "1", ...words);
    await ends("completed")(run);
    assert.deepEqual(made(stage), ["changed"]);
    const { action, answer, delivery, edited } = await shown(stage, decision.id);
    assert.deepEqual(edited, { before: asks().input, after: CHANGED });
    assert.deepEqual([action?.input, answer.input], [asks().input, CHANGED]);
    assert.match(answer.input_sha256 ?? "", /^[0-9a-f]{64}$/);
    assert.notEqual(answer.input_sha256, action?.sha256);
    assert.equal(delivery.state, "acknowledged");
    const told = words.includes("-m") ? `${TOLD}\n\nThe user adds: Not that one.` : TOLD;
    assert.deepEqual(heard(run), [told]);
    const { stdout } = await stage.run("decision", "show", decision.id);
    assert.match(stdout, /touch asked[\s\S]*Approved with a change[\s\S]*touch changed/);
    assert.match(stdout, /Approve, with a change/);
  }

  also("in the terminal's inbox with E, and sent with Enter, runs as changed", async () => {
    const stage = await stageOf();
    stage.env.EDITOR = "sed -i s/asked/changed/";
    const { run, decision } = await started(stage);
    const terminal = await openTerminal(stage, ["decision", "watch"], { columns: 120, rows: 40 });
    await terminal.shows(/touch asked/);
    await terminal.press("E");
    await terminal.shows(/changed: Enter approves it as you changed it/);
    assert.equal((await stage.decision(decision.id)).state, "pending");
    await terminal.press("Enter");
    await ends("completed")(run);
    assert.deepEqual(made(stage), ["changed"]);
    await terminal.press("q");
  });

  also("can be taken back while it is on hold, and is sent as changed if it is not", async () => {
    const stage = await stageOf();
    const { run, decision } = await started(stage);
    const give = () =>
      call(stage, "POST", `/decisions/${decision.id}/resolve`, {
        body: { choices: [[1]], input: CHANGED },
        headers: { "x-oj-via": "tui" },
      });
    assert.equal((await give()).status, 200);
    assert.deepEqual((await stage.decision(decision.id)).state, "pending");
    assert.equal((await stage.run("decision", "undo", decision.id)).code, 0);
    assert.deepEqual(made(stage), []);
    assert.equal((await give()).status, 200);
    await ends("completed")(run);
    assert.deepEqual(made(stage), ["changed"]);
  });

  also("is refused if it is none, or not one of what was asked, and the question stays", async () => {
    const input = (value: object) => ["--input", JSON.stringify(value)];
    const refusals: [string[], RegExp, editor?: string][] = [
      [["2", ...input(CHANGED)], /only goes with Approve/],
      [["1", ...input({ command: "ls" })], /description is missing/],
      [["1", ...input({ ...CHANGED, x: 1 })], /x is not in the original/],
      [["1", ...input({ ...CHANGED, command: 1 })], /must be a string, not a number/],
      [["1", "--input", "ls"], /JSON object/],
      [["1", "--edit"], /nothing was changed, so nothing was sent/],
      [["1", "--edit"], /ended with exit code 3; nothing was sent/, "exit 3;"],
    ];
    const stage = await stageOf();
    const { run, decision } = await started(stage);
    for (const [words, message, editor = "true"] of refusals) {
      stage.env.EDITOR = editor;
      const { code, stderr } = await stage.run("decision", "resolve", decision.id, ...words);
      assert.notEqual(code, 0, words.join(" "));
      assert.match(stderr, message);
      assert.equal((await stage.decision(decision.id)).state, "pending");
      assert.deepEqual(made(stage), []);
    }
    await run.answer(decision, "3");
  });

  it("is neither offered nor taken where no hook waits any more: keys take what is shown", async () => {
    const stage = await stageOf();
    const { run, decision } = await started(stage);
    await stage.shows(run, /❯ 1\. Yes/);
    const asIs = async () => (await stage.decision(decision.id)).action?.as_is ?? false;
    assert.equal(await asIs(), false);
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    await stage.until(async () => (await stage.decision(decision.id)).state === "pending");
    assert.equal(await asIs(), true, "no surface offers to change it");
    const words = ["decision", "resolve", decision.id, "1", "--input", JSON.stringify(CHANGED)];
    const { code, stderr } = await stage.run(...words);
    assert.equal(code, 1);
    assert.match(stderr, /no hook waits for the answer any more, and keys take what is shown as it is/);
    await run.answer(decision, "1");
    await ends("completed")(run);
    assert.deepEqual(made(stage), ["asked"]);
  });

  it("never runs as it was asked for, even if oj is killed right after the answer", async () => {
    const stage = await stageOf();
    const { run, decision } = await started(stage);
    await stage.shows(run, /❯ 1\. Yes/);
    const body = { choices: [[1]], input: CHANGED };
    const { status } = await call(stage, "POST", `/decisions/${decision.id}/resolve`, { body });
    assert.equal(status, 200);
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    const { delivery } = await stage.until(async () => {
      const now = await stage.decision(decision.id);
      return ["acknowledged", "failed"].includes(now.delivery.state) && now;
    }, "the end of the delivery");
    const isLost = delivery.error?.endsWith("nothing was approved") ?? false;
    if (isLost) {
      const again = await run.asked("approval");
      assert.notEqual(again.id, decision.id);
      await run.answer(again, "3");
    } else if (delivery.state === "failed")
      assert.match(delivery.error ?? "", /not known whether the change arrived|the change itself arrived/);
    assert.deepEqual(made(stage), isLost ? [] : ["changed"]);
  });
});

describe("a plan that a person changed", () => {
  const PLAN = "# Search\n\n1. Index names";
  const planned = async () => {
    const stage = await agentStage({ plans: { scenario: { turns: [[{ plan: PLAN }, next, DONE]] } } });
    stage.env.EDITOR = "sed -i 's/names/names and prices/'";
    const run = await stage.job("plans");
    return { stage, run, decision: await run.asked("plan") };
  };
  const built = "# Search\n\n1. Index names and prices";

  it("is built as changed, by --edit; both are on record, and the agent is told", async () => {
    const { stage, run, decision } = await planned();
    const clears = await stage.run("decision", "resolve", decision.id, "1", "--edit");
    assert.match(clears.stderr, /a changed plan only goes with an Accept that keeps the context/);
    await run.answer(decision, "3", "--edit", "-m", "Prices too.");
    await ends("completed")(run);
    const [accepted] = run.told("plan_accepted");
    assert.deepEqual([accepted?.plan, accepted?.edited, accepted?.mode], [built, true, "default"]);
    const { edited, delivery } = await shown(stage, decision.id);
    assert.deepEqual([edited?.before, edited?.after].map(planIn), [PLAN, built]);
    assert.equal(delivery.state, "acknowledged");
    assert.deepEqual(heard(run), [
      "A person changed your plan before accepting it.\n\nThe user adds: Prices too.",
    ]);
    const { stdout } = await stage.run("decision", "show", decision.id);
    assert.match(stdout, /Index names\n[\s\S]*Accepted with a change[\s\S]*Index names and prices/);
  });

  also("in the terminal's inbox with E, and sent with Enter, is built as changed", async () => {
    const { stage, run } = await planned();
    const terminal = await openTerminal(stage, ["decision", "watch"], { columns: 120, rows: 40 });
    await terminal.shows(/1\. Index names/);
    await terminal.press("E");
    await terminal.shows(/changed: Enter approves it as you changed it/);
    await terminal.press("Enter");
    await ends("completed")(run);
    assert.equal(run.told("plan_accepted")[0]?.plan, built);
    await terminal.press("q");
  });

  const planIn = (it: object | undefined) => (it as { plan?: string } | undefined)?.plan?.trim();
});

describe("a change elsewhere", () => {
  also.each([
    ["a question", { ask: { question: "Which?", options: ["A", "B"] } }, "question"],
    ["an agent that stopped", { say: "Well." }, "idle"],
  ])("is refused for %s", async (_, step, source) => {
    const stage = await agentStage({ asks: { scenario: { turns: [[step]] } } });
    const run = await stage.job("asks");
    const { id } = await run.asked(source);
    for (const words of [["--edit"], ["--input", "{}"]]) {
      const { code, stderr } = await stage.run("decision", "resolve", id, "1", ...words);
      assert.equal(code, 1);
      assert.match(stderr, /only an approval or a plan can be changed/);
    }
    await stage.run("decision", "resolve", id, "cancel");
    await ends("cancelled")(run);
  });

  also("is refused for a program's own prompt, which takes keys", async () => {
    const stage = await agentStage({
      asks: {
        scenario: `bash -c 'read -p "Go on? [y/n] " it; touch said-$it'`,
        prompt: null,
        more: `prompts = [{ match = "Go on\\\\? .*$", options = [{ label = "Yes", keys = "y Enter" }, { label = "No", keys = "n Enter" }] }]\n on_dead = "done"`,
      },
    });
    const run = await stage.job("asks");
    const { id } = await run.asked("approval");
    const { stderr } = await stage.run("decision", "resolve", id, "1", "--input", '{"command":"x"}');
    assert.match(stderr, /answered with keys in the agent's terminal/);
    await stage.run("decision", "resolve", id, "1");
    await ends("completed")(run);
  });
});
