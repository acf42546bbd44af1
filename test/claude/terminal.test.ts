import assert from "node:assert/strict";
import { it } from "vitest";
import type { Run, Stage } from "../specs/support/agents.ts";
import { untilWithdrawn } from "../specs/support/agents.ts";
import { killDaemon } from "../specs/support/http.ts";
import { describeClaude } from "./describe.ts";
import { also, EVERYTHING } from "./everything.ts";
import type { Step } from "./model-api.ts";
import { bash, text, tool } from "./model-api.ts";
import { asks, parts, plans, store } from "./scripts.ts";
import { claudeStage } from "./stage.ts";

/** A dialog ignores keys for its first moments. */
const GRACE_MS = 1500;

async function pressed(stage: Stage, run: Run, what: RegExp, ...keys: string[]): Promise<void> {
  await stage.shows(run, what);
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
  for (const key of keys) {
    await stage.press(run, key);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

describeClaude("answered in its terminal", () => {
  also("has its question withdrawn in oj, without an answer there", async () => {
    const script = [bash("touch made"), text("Done.")];
    const stage = await claudeStage({
      yes: { script },
      asks: { script: asks(store) },
      no: { script, more: "" },
    });
    const answered = async (name: string, source: string, what: RegExp, ...keys: string[]) => {
      const run = await stage.job(name);
      const { id } = await run.asked(source);
      await pressed(stage, run, what, ...keys);
      const { reason, by } = await untilWithdrawn(stage, id);
      assert.deepEqual([reason, by], ["answered in the terminal", "terminal"]);
      assert.equal((await stage.decision(id)).answer, null);
      return run;
    };
    const [yes, question, no] = await Promise.all([
      answered("yes", "approval", /❯ 1\. Yes/, "1"),
      answered("asks", "question", /❯ 1\. SQLite/, "2"),
      answered("no", "approval", /❯ 1\. Yes/, "Escape"),
    ]);
    assert.equal(await yes.ended(), "completed");
    assert.equal(await question.ended(), "completed");
    assert.match(await stage.heard("asks", 1), /="Postgres"/);
    await no.asked("idle"); // a bare No ends the turn
  });

  also("has its question withdrawn at once, however long the tool then runs", async () => {
    const wait = bash("touch began; while [ ! -e go ]; do sleep 0.1; done");
    const stage = await claudeStage({ builds: { script: [wait, text("Built.")] } });
    const run = await stage.job("builds");
    const { id } = await run.asked("approval");
    await pressed(stage, run, /❯ 1\. Yes/, "1");
    assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
    assert.equal((await run.view()).status, "working");
    stage.write({ go: "" });
    assert.equal(await run.ended(), "completed");
    assert.equal(stage.events.filter((it) => it.type === "decision:created").length, 1);
  });

  also("counts as working after somebody accepted its plan and cleared the context", async () => {
    const built = { "plan-built": [{ delayMs: 6000, next: text("Built.") }] };
    const stage = await claudeStage({
      plan: { run: "claude --permission-mode plan", script: plans("plan-built"), also: built, more: "" },
    });
    const run = await stage.job("plan");
    const { id } = await run.asked("plan");
    await pressed(stage, run, /❯ 1\. Yes, clear context/, "1");
    assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
    await run.asked("idle");
    const asked = stage.events.filter((it) => it.type === "decision:created").map((it) => it.source);
    assert.deepEqual(asked, ["plan", "idle"]);
    assert.equal(run.events("agent:idle").length, 1);
  });
});

describeClaude("whose daemon was killed during a dialog", () => {
  const write = tool("Write", { file_path: "made.txt", content: "one\ntwo\n" });
  const built = { "clear-built": [text("Built.")] };
  const planning = { run: "claude --permission-mode plan", more: `on_idle = "done"` };

  async function restarted(stage: Stage): Promise<void> {
    await killDaemon(stage);
    const { code, stderr } = await stage.run("daemon", "start");
    assert.equal(code, 0, stderr);
  }

  const deliveries = (stage: Stage, id: string) =>
    stage.events.filter((it) => it.type === "decision:delivered" && it.id === id).length;

  /** One agent asks all of it, one after the other; the daemon is killed and started again during each dialog. */
  async function oneByOne(script: Step[], answers: { words: string[]; hears: RegExp }[]): Promise<void> {
    const stage = await claudeStage({ asks: { script: [...script, text("Done.")] } });
    const run = await stage.job("asks");
    for (const [at, { words, hears }] of answers.entries()) {
      const decision = await run.asked();
      await stage.shows(run, /❯ 1\. /);
      await restarted(stage);
      assert.equal((await run.asked()).id, decision.id, "the question is still open");
      assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
      assert.match(await stage.heard("asks", at + 1), hears);
      assert.equal(deliveries(stage, decision.id), 1);
    }
    assert.equal(await run.ended(), "completed");
  }

  /** Each agent shows its dialog, the daemon is killed and started again, and then the answers arrive by keys. */
  async function afterRestart(
    roles: Parameters<typeof claudeStage>[0],
    answers: Record<
      string,
      { words: string[]; step?: readonly [script: string, step: number]; hears: RegExp }
    >,
  ): Promise<void> {
    const stage = await claudeStage(roles);
    const runs = await Promise.all(Object.keys(answers).map((name) => stage.job(name)));
    const asked = await Promise.all(runs.map((run) => run.asked()));
    await Promise.all(runs.map((run) => stage.shows(run, /❯ 1\. /)));
    await restarted(stage);
    await Promise.all(
      Object.entries(answers).map(async ([name, { words, step = [name, 1] as const, hears }], n) => {
        const [run, decision] = [runs[n], asked[n]];
        assert.ok(run && decision);
        assert.equal((await run.asked()).id, decision.id, "the question is still open");
        assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
        assert.match(await stage.heard(...step), hears);
        assert.equal(await run.ended(), "completed");
        assert.equal(deliveries(stage, decision.id), 1);
      }),
    );
  }

  const nextCommands = [
    ["the same command", "touch made"],
    ["another command", "touch made && echo more"],
  ];
  it.each(EVERYTHING ? nextCommands : nextCommands.slice(0, 1))(
    "gets a separate question for its next dialog: %s",
    async (_, next = "") => {
      const script = [bash("touch made"), bash(next), text("Done.")];
      const stage = await claudeStage({ touches: { script } });
      const run = await stage.job("touches");
      const first = await run.asked("approval");
      await stage.shows(run, /❯ 1\. Yes/);
      await killDaemon(stage);
      await pressed(stage, run, /❯ 1\. Yes/, "1");
      await stage.heard("touches", 1); // the first command has run
      await stage.shows(run, /❯ 1\. Yes/);
      const { code, stderr } = await stage.run("daemon", "start");
      assert.equal(code, 0, stderr);
      assert.equal((await untilWithdrawn(stage, first.id)).reason, "answered in the terminal");
      const second = await run.asked("approval");
      assert.equal(second.action?.input.command, next);
      await run.answer(second, "2", "-m", "Once is enough.");
      assert.match(await stage.heard("touches", 2), /Once is enough\.$/);
      assert.equal(await run.ended(), "completed");
    },
  );

  also("gets permissions by keys", async () => {
    await oneByOne(
      [bash("touch one; echo yes"), bash("touch two"), bash("touch three"), write],
      [
        { words: ["1", "-m", "Then test it."], hears: /^yes\n.*The user adds: Then test it\.$/ },
        { words: ["2"], hears: /^\[error\] [\s\S]*The user denied this\.$/ },
        { words: ["2", "-m", "Not here,\nbut there."], hears: /said:\nNot here, but there\.$/ },
        { words: ["1"], hears: /^File created successfully/ },
      ],
    );
  });

  also("gets answers to its questions by keys", async () => {
    const asking = (...questions: object[]) => tool("AskUserQuestion", { questions });
    await oneByOne(
      [asking(store), asking(store), asking(store, parts), asking(parts, store)],
      [
        { words: ["2"], hears: /="Postgres"/ },
        { words: ["3", "--text", "DuckDB, please"], hears: /="DuckDB, please"/ },
        { words: ["2", "1,3"], hears: /="Postgres", "Which features do you want\?"="Auth, Export"/ },
        {
          words: ["2,4", "1", "--text", "also PDF"],
          hears: /features do you want\?"="Search, also PDF", "Which database should we use\?"="SQLite"/,
        },
      ],
    );
  });

  also("gets its plan accepted in each mode, or revised, by keys", async () => {
    await afterRestart(
      {
        clear: { ...planning, script: plans("clear-built"), also: built },
        auto: { ...planning, script: plans("x") },
        manual: { ...planning, script: plans("x") },
        revise: { ...planning, script: plans("x") },
      },
      {
        clear: { words: ["1"], step: ["clear-built", 0], hears: /Implement the following plan:/ },
        auto: { words: ["2"], step: ["auto", 2], hears: /^User has approved your plan/ },
        manual: { words: ["3"], step: ["manual", 2], hears: /^User has approved your plan/ },
        revise: { words: ["4", "-m", "Add tests."], step: ["revise", 2], hears: /said:\nAdd tests\.$/ },
      },
    );
  });
});
