import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Run } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { ends } from "../support/answers.ts";
import { killDaemon } from "../support/http.ts";

const DONE = { signal: "done" };
const says = { turns: [[{ say: "Hm." }]] };
const heard = (run: Run) => run.heard().map((it) => it.replace(/\s+/g, " ").trim());

describe("on_idle", () => {
  it("nudges as often as allowed, never before the cooldown, even across a killed daemon; then says what was tried", async () => {
    const more = `on_idle = { action = "nudge", message = "Go on.", attempts = 2, cooldown = "6s" }`; // longer than a machine may pause
    const stage = await agentStage({ idles: { scenario: says, more } });
    const run = await stage.job("idles");
    await run.until(() => run.events("agent:cooling").length === 1, "the cooldown");
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    const decision = await run.asked("idle");
    assert.match(decision.context, /Tried before asking: nudge 2 times \(on_idle\)/);
    assert.deepEqual(heard(run), ["Go on.", "Go on."]);
    const [first, second] = run.events("agent:tried").map((it) => Number(it.at_ms));
    assert.ok((second ?? 0) - (first ?? 0) >= 6000, "the second nudge came too soon");
  });

  also("can be done, fail, or a gate", async () => {
    const stage = await agentStage({
      done: { scenario: says, more: `on_idle = "done"` },
      fail: { scenario: says, more: `on_idle = { action = "fail", message = "It gave up." }` },
      passes: { scenario: says, more: `on_idle = { action = "gate", run = "true" }` },
      gated: { scenario: says, more: `on_idle = { action = "gate", run = "echo no; false", attempts = 1 }` },
    });
    const runs = await Promise.all(["done", "fail", "passes", "gated"].map((it) => stage.job(it)));
    const [done, fail, passes, gated] = runs as [Run, Run, Run, Run];
    await ends("completed")(done);
    await ends("failed")(fail);
    assert.match((await stage.run("job", "show", fail.owner)).stdout, /It gave up\./);
    await ends("completed")(passes);
    const decision = await gated.asked("gate");
    assert.match(decision.context, /no\n[\s\S]*Tried before asking: gate once \(on_idle\)/);
    assert.match(
      heard(gated)[0] ?? "",
      /^Not done yet: this check failed\. \$ echo no; false exit code 1 no$/,
    );
  });
});

describe("on_dead", () => {
  also("resumes the conversation as often as allowed, then asks; or completes, or fails", async () => {
    const crashes = { turns: [[{ crash: 3 }, { crash: 4 }, { crash: 5 }, DONE]] };
    const stage = await agentStage({
      dies: { scenario: crashes, more: `on_dead = { action = "resume", attempts = 2, message = "Again." }` },
      done: { scenario: crashes, more: `on_dead = "done"` },
      fail: { scenario: crashes, more: `on_dead = "fail"` },
    });
    const runs = await Promise.all(["dies", "done", "fail"].map((it) => stage.job(it)));
    const [dies, done, fail] = runs as [Run, Run, Run];
    await ends("completed")(done);
    await ends("failed")(fail);
    const decision = await dies.asked("dead");
    assert.match(decision.context, /exit code 5[\s\S]*Tried before asking: resume 2 times \(on_dead\)/);
    assert.deepEqual(heard(dies), ["Again.", "Again."]);
    assert.deepEqual(
      dies.told("session").map((it) => it.source),
      ["startup", "resume", "resume"],
    );
    await dies.answer(decision, "1");
    await ends("completed", dies.heard())(dies);
  });
});

describe("on_error", () => {
  it("follows the first entry that matches, and counts each separately", async () => {
    const more = `on_error = [
      { match = "rate_limited", action = "resume", cooldown = "100ms", attempts = 2, message = "Slower." },
      { match = "unauthorized", action = "fail", message = "Log in first." },
      { action = "escalate" },
    ]`;
    const errs = (...kinds: string[]) => ({ scenario: { turns: kinds.map((error) => [{ error }]) }, more });
    const stage = await agentStage({
      limited: errs("rate_limit"),
      mixed: errs("rate_limit", "overloaded"),
      login: errs("authentication_failed"),
    });
    const runs = await Promise.all(["limited", "mixed", "login"].map((it) => stage.job(it)));
    const [limited, mixed, login] = runs as [Run, Run, Run];
    await ends("failed")(login);
    const asked = await limited.asked("error");
    assert.match(asked.context, /rate_limited[\s\S]*Tried before asking: resume 2 times \(on_error\)/);
    assert.deepEqual(heard(limited), ["Slower.", "Slower."]);
    assert.match((await mixed.asked("error")).context, /^The agent hit an error: overloaded\n/);
    assert.deepEqual(heard(mixed), ["Slower."]);
  });
});

describe("on_prompt and on_signal", () => {
  also("do what the runbook says without asking", async () => {
    const asks = { turns: [[{ tool: "Bash", input: "ls" }, DONE]] };
    const stage = await agentStage({
      done: { scenario: asks, more: `on_prompt = "done"` },
      fail: { scenario: asks, more: `on_prompt = "fail"` },
      escalates: { scenario: { turns: [[DONE]] }, more: `on_signal = "escalate"` },
      gives_up: { scenario: { turns: [[{ signal: "fail", message: "No way." }]] } },
    });
    const names = ["done", "fail", "escalates", "gives_up"];
    const [done, fail, escalates, givesUp] = (await Promise.all(names.map((it) => stage.job(it)))) as [
      Run,
      Run,
      Run,
      Run,
    ];
    await ends("completed")(done);
    await ends("failed")(fail);
    await ends("failed")(givesUp);
    assert.match((await stage.run("job", "show", givesUp.owner)).stdout, /No way\./);
    const decision = await escalates.asked("idle");
    assert.equal(decision.title, "Says it is done");
    await escalates.answer(decision, "2");
    await ends("completed")(escalates);
  });
});

describe("prime", () => {
  also("reaches the agent at its start, on resume, and when a gate sends it back", async () => {
    const more = `
      prime     = { startup = "echo begin in $(basename $PWD)", resume = ["echo again", "echo and again"], signal = "echo look twice" }
      on_dead   = { action = "resume" }
      on_signal = { action = "gate", run = "[ -e passed ] || { touch passed; false; }" }`;
    const stage = await agentStage({
      primed: { scenario: { turns: [[{ crash: 1 }, DONE]], otherwise: [DONE] }, more },
    });
    const run = await stage.job("primed");
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(
      run.told("context").map((it) => it.text?.trim()),
      ["begin in shop", "again\n\nand again"],
    );
    assert.match(heard(run).at(-1) ?? "", /^Not done yet: this check failed\..* look twice$/);
  });
});

describe("a gate", () => {
  it("runs in the agent's folder, with values that can't become syntax, and is stopped when it takes too long", async () => {
    const stage = await agentStage(
      {},
      {
        files: { "deep/here.txt": "" },
        runbook: `
        command "gated" { args = "<what>"  run = { job = "gated" } }
        job "gated" {
          vars = ["what"]
          step "work" { run = { agent = "gated" } }
        }
        agent "gated" {
          run       = "oj-agent --scenario \${job.root}/done.json"
          prompt    = "Begin."
          cwd       = "deep"
          env       = { SIZE = "large" }
          on_signal = { action = "gate", timeout = "6s", attempts = 1, run = <<-SH
            ls; printf '<%s>\\n' "\${var.what}" '\${var.what}' \${var.what} "$SIZE"
            sleep 600
          SH
          }
        }`,
      },
    );
    stage.write({ "done.json": JSON.stringify({ turns: [[DONE]] }) });
    const what = `a'b"; touch ../oops; $(touch ../oops) \``;
    const run = await stage.job("gated", what);
    const decision = await run.asked("gate");
    const [context = ""] = decision.context.split("Tried before asking: gate once");
    assert.match(context, /\ntimed out after 6 s\n/);
    assert.match(context, /here\.txt\n/);
    assert.equal(context.split(`<${what}>\n`).length, 4, context);
    assert.match(context, /<large>/);
    assert.ok(!fs.existsSync(path.join(stage.dir, "oops")));
  });
});

describe("a gate with a cooldown", () => {
  also(
    "never runs again before that, even across a killed daemon, and nobody is asked meanwhile",
    async () => {
      const more = `on_signal = { action = "gate", run = "date +%s%3N >> runs; false", attempts = 1, cooldown = "6s" }`; // longer than a machine may pause
      const stage = await agentStage({ gated: { scenario: { turns: [[DONE]], otherwise: [DONE] }, more } });
      const run = await stage.job("gated");
      await run.until(() => run.events("agent:cooling").length === 1, "the cooldown");
      await killDaemon(stage);
      assert.equal((await stage.run("daemon", "start")).code, 0);
      const decision = await run.asked("gate");
      assert.match(decision.context, /Tried before asking: gate once \(on_signal\)/);
      assert.equal(stage.events.filter((it) => it.type === "decision:created").length, 1);
      const runs = fs.readFileSync(path.join(stage.dir, "runs"), "utf8").trim().split("\n").map(Number);
      assert.equal(runs.length, 2);
      assert.ok((runs[1] ?? 0) - (runs[0] ?? 0) >= 6000, `the gate ran too soon: ${runs}`);
    },
  );
});

describe("notify", () => {
  also("uses notify-send, and neither its failure nor its slowness holds anything up", async () => {
    const stage = await agentStage(
      {},
      {
        runbook: `
        command "told" { run = { job = "told" } }
        job "told" {
          notify { on_start = "off we go" on_done = "there" on_decision = "\${job.name} asks" }
          step "work" { run = { agent = "told" } }
        }
        agent "told" { run = "oj-agent --scenario \${job.root}/say.json"  prompt = "Begin." }`,
      },
    );
    stage.write({ "say.json": JSON.stringify(says) });
    const said = path.join(stage.home, "said");
    const script = `#!/bin/sh\necho "$@" >> ${said}\ncase "$*" in *asks*) exec sleep 2 ;; esac\nexit 1\n`;
    fs.writeFileSync(path.join(stage.home, "bin/notify-send"), script, { mode: 0o755 });
    const run = await stage.job("told");
    const asked = await run.asked("idle");
    await stage.until(() => fs.readFileSync(said, "utf8").includes("told asks"));
    await run.answer(asked, "2");
    assert.equal(await run.ended(), "completed");
    const lines = await stage.until(() => {
      const text = fs.readFileSync(said, "utf8");
      return text.includes("there") && text;
    });
    for (const it of [/off we go/, /told asks/, /there/]) assert.match(lines, it);
  });
});
