/**
 * Agents whose client calls no hooks, or none over HTTP: every source is still noticed, the answer is what the agent really got, and
 * people are told what is switched off.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also, few } from "../../everything.ts";
import type { Cast, Run, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { killDaemon } from "../support/http.ts";
import { undoAfter } from "../support/settings.ts";

interface Case {
  /** What the client itself supports. */
  hooks?: "command" | "none";
  /** The person's settings. */
  user?: object;
  silent: { off: "all" | "http"; by: RegExp } | null;
  /** How answers reach dialogs. */
  by: "hook" | "keys";
}

const CASES: Record<string, Case> = {
  "all hooks are off, and nothing says so": {
    hooks: "none",
    silent: { off: "all", by: /^null$/ },
    by: "keys",
  },
  "only commands are called, and nothing says so": {
    hooks: "command",
    silent: { off: "http", by: /^null$/ },
    by: "keys",
  },
  "the person has switched all hooks off": {
    user: { disableAllHooks: true },
    silent: { off: "all", by: /^disableAllHooks in \/.*\/settings\.json$/ },
    by: "keys",
  },
  "the person allows no HTTP hooks": { user: { allowedHttpHookUrls: [] }, silent: null, by: "hook" },
};

async function stageOf({ hooks, user }: Case, cast: Record<string, Cast>, runbook = ""): Promise<Stage> {
  const limited = Object.entries(cast).map(([name, it]) => [
    name,
    { ...it, scenario: { ...(it.scenario as object), ...(hooks ? { hooks } : {}) } },
  ]);
  const stage = await agentStage(Object.fromEntries(limited), { ...undoAfter(0), runbook });
  const config = path.join(stage.home, "claude");
  fs.mkdirSync(config);
  stage.env.CLAUDE_CONFIG_DIR = config;
  if (user) fs.writeFileSync(path.join(config, "settings.json"), JSON.stringify(user));
  return stage;
}

async function isSaid(stage: Stage, run: Run, { silent }: Case): Promise<void> {
  if (silent === null) {
    assert.deepEqual(run.events("agent:silent"), []);
    const note = /HTTP hooks are switched off by allowedHttpHookUrls in .*: it reports with curl/;
    assert.match((await stage.run("agent", "show", run.agent)).stdout.replace(/\s+/g, " "), note);
    return;
  }
  const said = await run.until(() => run.events("agent:silent")[0], "that it does not report");
  assert.equal(said.off, silent.off);
  assert.match(String(said.by), silent.by);
}

const DONE = { signal: "done" };
const store = { question: "Which store?", options: ["Postgres", "SQLite"] };
const parts = { question: "Which parts?", multiSelect: true, options: ["Auth", "Search", "Export"] };

describe.each(few(Object.entries(CASES), 1))("where %s", (_, given) => {
  it("an approval is still asked about, and takes a Yes, a remark or a No", async () => {
    const next = { tool: "Bash", input: "true", asks: false }; // only what it does next shows what it has read
    const scenario = { turns: [[{ tool: "Bash", input: "git push", denied: "I see." }, next, DONE]] };
    const cast = { yes: { scenario }, remark: { scenario }, no: { scenario, more: `on_idle = "done"` } };
    const stage = await stageOf(given, cast);
    const answer = async (name: string, ...words: string[]) => {
      const run = await stage.job(name);
      const decision = await run.asked("approval");
      assert.equal(decision.title, "Bash: git push");
      assert.equal(decision.action?.input.command, "git push");
      assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      return run;
    };
    const [yes, remark, no] = await Promise.all([
      answer("yes", "1"),
      answer("remark", "1", "-m", "Then test it."),
      answer("no", "2", "-m", "Not today."),
    ]);
    assert.deepEqual([yes?.told("allowed").length, yes?.told("allowed")[0]?.by], [1, given.by]);
    const added =
      given.by === "keys" ? remark?.told("allowed")[0]?.remark : remark?.told("context").at(-1)?.text;
    assert.match(String(added), /Then test it\.$/);
    assert.deepEqual([no?.told("denied")[0]?.message, no?.told("denied")[0]?.by], ["Not today.", given.by]);
    if (yes) await isSaid(stage, yes, given);
  });

  also("several questions at once are asked with all their options, and each gets its answer", async () => {
    const stage = await stageOf(given, { asks: { scenario: { turns: [[{ ask: [store, parts] }, DONE]] } } });
    const run = await stage.job("asks");
    const decision = await run.asked("question");
    assert.deepEqual(
      decision.questions.map((it) => [it.question, it.multi_select, it.options.length]),
      [
        ["Which store?", false, 2],
        ["Which parts?", true, 3],
      ],
    );
    assert.equal((await run.answer(decision, "2", "1,3")).delivery.state, "acknowledged");
    assert.equal(await run.ended(), "completed");
    const [one, ...more] = run.told("answered");
    assert.deepEqual(one?.answers, { "Which store?": "SQLite", "Which parts?": "Auth, Export" });
    assert.deepEqual([one?.by, more], [given.by, []]);
  });

  also(
    "a plan is presented, and can be accepted with or without its context, with a message, or sent back",
    async () => {
      const scenario = { turns: [[{ plan: ["# Plan\n1. Build it", "# Plan\n1. Test it"] }, DONE]] };
      const kept = { turns: [[{ plan: "# Plan\n1. Build it" }, { say: "Built." }], [DONE]] };
      const stage = await stageOf(given, {
        clear: { scenario },
        words: { scenario: kept, more: `on_idle = { action = "nudge", message = "Well?" }` },
        revise: { scenario },
      });
      const answer = async (run: Run, ...words: string[]) => {
        const taken = await run.answer(await run.asked("plan"), ...words);
        assert.equal(taken.delivery.state, "acknowledged");
      };
      const clear = async () => {
        const run = await stage.job("clear");
        await answer(run, "1");
        assert.equal(await run.ended(), "completed");
        assert.deepEqual(
          run.told("plan_accepted").map((it) => [it.by, it.clear]),
          [["keys", true]],
        );
      };
      const words = async () => {
        const run = await stage.job("words");
        await answer(run, "3", "-m", "Step by step.");
        assert.equal(await run.ended(), "completed");
        assert.equal(run.told("plan_accepted").length, 1);
        const heard = [...run.heard(), ...run.told("context").map((it) => it.text)];
        assert.ok(heard.includes("The user adds: Step by step."), JSON.stringify(heard));
      };
      const revise = async () => {
        const run = await stage.job("revise");
        await answer(run, "4", "-m", "Add tests.");
        await answer(run, "3");
        assert.equal(await run.ended(), "completed");
        assert.deepEqual(
          run.told("denied").map((it) => it.message),
          ["Add tests."],
        );
        assert.equal(run.told("plan_accepted")[0]?.plan, "# Plan\n1. Test it");
      };
      await Promise.all([clear(), words(), revise()]);
    },
  );

  it("an agent that stops, fails, dies or waits for its own work is noticed, and hears what it is told", async () => {
    const then = { otherwise: [DONE] };
    const stage = await stageOf(given, {
      stops: { scenario: { turns: [[{ say: "All is done." }]], ...then } },
      fails: { scenario: { turns: [[{ error: "rate_limit" }]], ...then } },
      dies: { scenario: { turns: [[{ say: "Oh." }, { crash: 7 }, DONE]] } },
      unasked: { scenario: { turns: [[{ tool: "Bash", input: "make", asks: false }, DONE]] }, prompt: null },
    });
    const told = async (name: string, source: string, matches: RegExp, ...failed: string[]) => {
      const run = await stage.job(name);
      const decision = await run.asked(source);
      assert.match(`${decision.title}\n${decision.context}`, matches);
      assert.equal((await run.answer(decision, "1", "-m", "Go on.")).delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      assert.deepEqual(
        run
          .told("prompt")
          .map((it) => it.text)
          .slice(-1),
        [[...failed, "Go on."].join("\n\n")],
      );
    };
    await Promise.all([
      told("stops", "idle", /Its last message:\n> All is done\./),
      told(
        "fails",
        "error",
        /^Rate limited: /,
        "An error interrupted you: API Error: Request rejected (429) · Rate limited",
      ),
      told("dies", "dead", /exit code 7/, "You were interrupted: your process died (exit code 7)."),
      told("unasked", "idle", /stopped and is waiting/),
    ]);
  });
});

describe("an agent whose hooks are off", () => {
  const off = CASES["the person has switched all hooks off"] as Case;

  also(
    "is reported in list, show, status and doctor: what is off, in which file, and what that costs",
    async () => {
      const stage = await stageOf(off, { stops: { scenario: { turns: [[{ say: "Done." }]] } } });
      const run = await stage.job("stops");
      await run.asked("idle");
      const file = path.join(stage.home, "claude/settings.json");
      const flat = async (...words: string[]) => (await stage.run(...words)).stdout.replace(/\s+/g, "");
      const by = `disableAllHooks in ${file}`.replace(/\s+/g, "");
      const show = await flat("agent", "show", run.agent);
      assert.ok(show.includes(`Itsclientrunsnohooks:switchedoffby${by}.`), show);
      const status = await flat("status");
      assert.ok(status.includes(`${run.agent}:itshooksareoff(${by})`), status);
      const doctor = await flat("doctor");
      assert.ok(doctor.includes(`switchedoffby${by}`), doctor);
      assert.ok(doctor.includes(`${run.agent}doesnotreport`), doctor);
      assert.ok(doctor.includes(`removedisableAllHooksfrom${file}`), doctor);
      const view = await stage.json<{ silent: { off: string; by: string } }>("agent", "show", run.agent);
      assert.deepEqual([view.silent.off, view.silent.by], ["all", `disableAllHooks in ${file}`]);
      const init = await flat("init", "claude");
      assert.ok(init.includes(`theyareswitchedoffby${by}`), init);
      assert.ok((await flat("status")).includes(`thehooksofojinitclaudeareswitchedoffby${by}`));
    },
  );

  also(
    "only for HTTP, without a setting that says so, reports through commands from its next start on",
    async () => {
      const scenario = { turns: [[{ tool: "Bash", input: "git push" }, DONE]] };
      const stage = await stageOf(CASES["only commands are called, and nothing says so"] as Case, {
        pushes: { scenario },
      });
      const by: unknown[] = [];
      for (const isFirst of [true, false]) {
        const run = await stage.job("pushes");
        const decision = await run.asked("approval");
        if (isFirst) await run.until(() => run.events("agent:silent")[0], "that it does not report");
        assert.equal((await run.answer(decision, "1")).delivery.state, "acknowledged");
        assert.equal(await run.ended(), "completed");
        by.push(run.told("allowed")[0]?.by, run.events("agent:silent").length);
      }
      assert.deepEqual(by, ["keys", 1, "hook", 0]);
    },
  );

  also("starts with the output of `prime`, since no hook will ask for it", async () => {
    const scenario = { turns: [[{ expect: "Read the house rules", of: "prompt" }, DONE]] };
    const stage = await stageOf(off, {
      primed: { scenario, more: `prime = "echo Read the house rules"` },
    });
    const run = await stage.job("primed");
    assert.equal(await run.ended(), "completed");
    assert.match(run.told("prompt")[0]?.text ?? "", /Read the house rules\s+Begin\./);
  });

  it("is still served after the daemon was killed", async () => {
    const stage = await stageOf(off, {
      asks: { scenario: { turns: [[{ say: "Hm." }], [{ ask: store }, { say: "Thanks." }], [DONE]] } },
    });
    const run = await stage.job("asks");
    const idle = await run.asked("idle");
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    assert.equal((await run.answer(idle, "1", "-m", "Ask me.")).delivery.state, "acknowledged");
    const question = await run.asked("question");
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    assert.equal((await run.answer(question, "2")).delivery.state, "acknowledged");
    assert.deepEqual(run.told("answered")[0]?.answers, { "Which store?": "SQLite" });
    const again = await run.asked("idle");
    assert.equal((await run.answer(again, "1")).delivery.state, "acknowledged");
    assert.equal(await run.ended(), "completed");
  });

  also("completes or fails as its conversation file says, if it ends with its turn", async () => {
    const plain = { scenario: { turns: [[{ say: "Printed." }]] } };
    const failing = { scenario: { turns: [[{ error: "rate_limit" }]] } };
    const stage = await stageOf(off, { plain, failing });
    const runbook = path.join(stage.dir, ".oj/runbooks/agents.hcl");
    fs.writeFileSync(
      runbook,
      fs.readFileSync(runbook, "utf8").replaceAll("oj-agent --scenario", "oj-agent -p --scenario"),
    );
    const done = await stage.job("plain");
    assert.equal(await done.ended(), "completed");
    assert.equal((await done.view()).last_message, "Printed.");
    const failed = await stage.job("failing");
    assert.match((await failed.asked("error")).title, /^Rate limited: /);
  });
});
