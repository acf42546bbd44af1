import assert from "node:assert/strict";
import { it } from "vitest";
import type { Run } from "../specs/support/agents.ts";
import { killDaemon } from "../specs/support/http.ts";
import { describeClaude } from "./describe.ts";
import { also } from "./everything.ts";
import type { Step } from "./model-api.ts";
import { bash, text, tool } from "./model-api.ts";
import { asks, parts, plans, planText, store } from "./scripts.ts";
import type { ClaudeStage, Role } from "./stage.ts";
import { claudeStage } from "./stage.ts";

/** A step that the client takes only when the test says so. */
function later(step: Step): { step: Step; now(): void } {
  let now = () => {};
  const called = new Promise<void>((resolve) => {
    now = resolve;
  });
  return { step: { after: called, next: step }, now };
}

describeClaude("interrupted in its terminal", () => {
  also("is idle after Esc, whatever it was doing, and gets what it is told next", async () => {
    const stage = await claudeStage({
      tool: { script: [bash("touch made; tail -f /dev/null"), text("Instead.")], more: "" },
      first: { script: [{ hang: true }], more: "" },
      second: { script: [text("One."), { hang: true }], more: "" },
    });
    const escaped = async (run: Run) => {
      await stage.shows(run, /esc to interrupt/);
      await stage.press(run, "Escape");
      return run.asked("idle");
    };
    const atTool = async () => {
      const run = await stage.job("tool");
      const allowed = await run.asked("approval");
      assert.equal((await stage.run("decision", "resolve", allowed.id, "1")).code, 0);
      const decision = await escaped(run);
      assert.equal((await stage.decision(allowed.id)).delivery.state, "acknowledged");
      assert.equal((await run.answer(decision, "1", "-m", "Something else.")).delivery.state, "acknowledged");
      assert.match(await stage.heard("tool", 1), /Something else\./);
    };
    const atFirst = async () => {
      const run = await stage.job("first");
      await stage.heard("first", 0);
      const decision = await escaped(run);
      const taken = await run.answer(decision, "1", "-m", "Please play #s:other");
      assert.equal(taken.delivery.state, "acknowledged");
      await stage.heard("other", 0);
    };
    const atSecond = async () => {
      const run = await stage.job("second");
      await run.answer(await run.asked("idle"), "1", "-m", "Go on.");
      await stage.heard("second", 1);
      assert.match((await escaped(run)).context, /Its last message:\n> One\./);
      assert.equal((await run.view()).status, "idle");
    };
    await Promise.all([atTool(), atFirst(), atSecond()]);
  });
});

describeClaude("continues while no daemon runs", () => {
  /** Each agent has begun, the daemon is killed, and what happens next goes unseen. */
  async function unseen(
    roles: Record<string, Omit<Role, "script"> & { script: (now: Step) => Step[]; does: Step }>,
    shows: RegExp,
  ): Promise<{ stage: ClaudeStage; runs: Record<string, Run> }> {
    const held = Object.entries(roles).map(([name, { script, does, ...role }]) => {
      const { step, now } = later(does);
      return { name, now, role: { more: "", ...role, script: script(step) } };
    });
    const stage = await claudeStage(Object.fromEntries(held.map((it) => [it.name, it.role])));
    const runs = await Promise.all(held.map(async ({ name }) => [name, await stage.job(name)] as const));
    await Promise.all(held.map(({ name }) => stage.heard(name, 0)));
    await stage.until(() => runs.every(([, it]) => it.events("agent:conversing").length > 0), "a first hook");
    await killDaemon(stage);
    for (const { now } of held) now();
    await Promise.all(runs.map(([, run]) => stage.shows(run, shows)));
    const { code, stderr } = await stage.run("daemon", "start");
    assert.equal(code, 0, stderr);
    return { stage, runs: Object.fromEntries(runs) };
  }

  also("and what it asks meanwhile becomes an ordinary question, answered by keys", async () => {
    const write = tool("Write", { file_path: "made.txt", content: "one\ntwo\n" });
    const one = (last: string) => (now: Step) => [now, text(last)];
    const { stage, runs } = await unseen(
      {
        bash: { script: one("Done."), does: bash("touch made; echo yes"), more: `on_idle = "done"` },
        write: { script: one("Written."), does: write, more: `on_idle = "done"` },
        both: { script: one("Thanks."), does: asks(store, parts)[0] as Step, more: `on_idle = "done"` },
      },
      /❯ 1\. (Yes|SQLite)/,
    );
    const asked = async (name: string, source: string, title: string) => {
      const run = runs[name];
      assert.ok(run);
      const decision = await run.asked(source);
      assert.equal(decision.title, title);
      return { run, decision };
    };
    const answer = async (
      { run, decision }: Awaited<ReturnType<typeof asked>>,
      name: string,
      hears: RegExp,
      ...words: string[]
    ) => {
      assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
      assert.match(await stage.heard(name, 1), hears);
      assert.equal(await run.ended(), "completed");
    };
    const yes = await asked("bash", "approval", "Bash: touch made; echo yes");
    assert.deepEqual(yes.decision.action?.input, { command: "touch made; echo yes", description: "a test" });
    const no = await asked("write", "approval", "Write: made.txt");
    assert.equal(no.decision.action?.input.content, "one\ntwo\n");
    const both = await asked("both", "question", "2 questions: Which database should we use?");
    assert.deepEqual(
      both.decision.questions.map((it) => it.options.map((option) => option.label)),
      [
        ["SQLite", "Postgres"],
        ["Auth", "Search", "Export"],
      ],
    );
    await Promise.all([
      answer(yes, "bash", /^yes$/, "1"),
      answer(no, "write", /said:\nNot here\.$/, "2", "-m", "Not here."),
      answer(both, "both", /="Postgres", "Which features do you want\?"="Auth, Export"/, "2", "1,3"),
    ]);
  });

  it("and what it asked before is still pending, even with invisible characters in it", async () => {
    const command = "touch made\u202e; echo 'y\u200be\u2066s'";
    const stage = await claudeStage({
      hidden: { script: [bash(command), text("Done.")], more: `on_idle = "done"` },
    });
    const run = await stage.job("hidden");
    const asked = await run.asked("approval");
    await stage.shows(run, /❯ 1\. Yes/);
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    const decision = await stage.decision(asked.id);
    assert.deepEqual([decision.state, decision.action?.input.command], ["pending", command]);
    assert.equal((await run.answer(asked, "1")).delivery.state, "acknowledged");
    assert.match(await stage.heard("hidden", 1), /^y\u200be\u2066s$/);
    assert.equal(await run.ended(), "completed");
  });

  also("and what its subagent asks meanwhile becomes an ordinary question too", async () => {
    const { step, now } = later(bash("touch made; echo yes"));
    const start = { description: "one", prompt: "Play #s:one", subagent_type: "general-purpose" };
    const stage = await claudeStage({
      leads: {
        script: [tool("Agent", start), text("Waiting."), text("It is back.")],
        also: { one: [step, text("Done.")] },
        more: `on_idle = "done"`,
      },
    });
    const run = await stage.job("leads");
    await stage.heard("leads", 1);
    await killDaemon(stage);
    now();
    await stage.shows(run, /❯ 1\. Yes/);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    const decision = await run.asked("approval");
    assert.equal(decision.title, "Bash: touch made; echo yes");
    assert.deepEqual(decision.action?.input, { command: "touch made; echo yes", description: "a test" });
    assert.equal((await run.answer(decision, "1")).delivery.state, "acknowledged");
    assert.match(await stage.heard("one", 1), /^yes$/);
    assert.equal(await run.ended(), "completed");
  });

  also("and presents its plan, which is accepted", async () => {
    const [write, present, last] = plans("x") as [Step, Step, Step];
    const { stage, runs } = await unseen(
      {
        plan: {
          run: "claude --permission-mode plan",
          script: (now) => [write, now, last],
          does: present,
          more: `on_idle = "done"`,
        },
      },
      /❯ 1\. Yes, clear context/,
    );
    const run = runs.plan;
    assert.ok(run);
    const decision = await run.asked("plan");
    assert.equal((decision.action?.input as { plan: string } | undefined)?.plan.trim(), planText("x").trim());
    assert.equal((await run.answer(decision, "3")).delivery.state, "acknowledged");
    assert.match(await stage.heard("plan", 2), /^User has approved your plan/);
  });

  also("and oj then sees that it failed, or that it stopped and what it said last", async () => {
    const { runs } = await unseen(
      {
        limited: { script: (now) => [now], does: { status: 429, next: text("Well.") } },
        stops: { script: (now) => [now], does: text("All is done.") },
      },
      /done \d/,
    );
    assert.match((await runs.limited?.asked("error"))?.title ?? "", /^Rate limited: /);
    assert.match((await runs.stops?.asked("idle"))?.context ?? "", /Its last message:\n> All is done\./);
  });
});
