import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Run } from "../specs/support/agents.ts";
import { untilTaken, untilWithdrawn } from "../specs/support/agents.ts";
import { describeClaude } from "./describe.ts";
import { also } from "./everything.ts";
import type { Step } from "./model-api.ts";
import { bash, text } from "./model-api.ts";
import { asks, store } from "./scripts.ts";
import { claudeStage } from "./stage.ts";

describeClaude("receives a nudge", () => {
  also("word for word, whatever it looks like", async () => {
    const stage = await claudeStage({
      idle: { script: Array.from({ length: 8 }, (_, n) => text(`Turn ${n}.`)), more: "" },
    });
    const run = await stage.job("idle");
    const words = [
      "Go on.",
      "!touch bad",
      "/exit",
      "exit",
      "It ends with \\",
      `Many lines:\n\n${Array.from({ length: 80 }, (_, n) => `${n}. ünï 漢字 $(id) \`x\``).join("\n")}`,
    ];
    for (const [n, message] of words.entries()) {
      const decision = await run.asked("idle");
      assert.match(decision.context, new RegExp(`Its last message:\n> Turn ${n}\\.`));
      assert.equal((await run.answer(decision, "1", "-m", message)).delivery.state, "acknowledged");
      const heard = await stage.heard("idle", n + 1);
      const guard = /^[!/]|^exit$/.test(message) ? "The user says: " : "";
      assert.equal(heard.trim(), `${guard}${message}`);
    }
    await run.answer(await run.asked("idle"), "2");
    assert.equal(await run.ended(), "completed");
    assert.equal(stage.api.requests.length, words.length + 1, "nothing was said twice");
    assert.ok(!fs.existsSync(path.join(stage.dir, "bad")));
  });
});

describeClaude("runs into an error", () => {
  const failing = (status: number): Step[] => [{ status, next: text("Well again.") }];

  also("whose kind oj recognises, and continues after Retry", async () => {
    const stage = await claudeStage({
      limited: { script: failing(429) },
      refused: { script: failing(401) },
      down: { script: failing(529) },
    });
    const meets = async (name: string, kind: string, message: RegExp) => {
      const run = await stage.job(name);
      const decision = await run.asked("error");
      assert.ok(decision.title.startsWith(`${kind}: `), decision.title);
      assert.match(decision.context, message);
      const taken = await run.answer(decision, "1", "-m", "Try again.");
      assert.equal(taken.delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      assert.match(await stage.heard(name, 0), /Try again\./);
    };
    await Promise.all([
      meets("limited", "Rate limited", /API Error: Request rejected \(429\)/),
      meets("refused", "Unauthorized", /API Error: 401/),
      meets("down", "Overloaded", /API Error: 529/),
    ]);
  });

  also("and continues without a person if its runbook says so", async () => {
    const more = `on_idle = "done"\n on_error = [{ match = "rate_limited", action = "resume", message = "Go on.", attempts = 3 }]`;
    const stage = await claudeStage({
      limited: { script: [{ status: 429, times: 2, next: text("Well.") }], more },
    });
    const run = await stage.job("limited");
    assert.equal(await run.ended(), "completed");
    assert.equal(run.events("agent:errored").length, 2);
    assert.equal(stage.events.filter((it) => it.type === "decision:created").length, 0);
  });
});

describeClaude("is killed", () => {
  const KILLED = "You were interrupted: your process died (killed by SIGKILL).";
  type ClaudeStage = Awaited<ReturnType<typeof claudeStage>>;
  const pidOf = async (stage: ClaudeStage, run: Run) =>
    Number(await stage.tmux("display-message", "-p", "-t", `=${run.agent}:`, "#{pane_pid}"));
  const transcriptOf = (run: Run) => String(run.events("agent:conversing").at(-1)?.transcript);
  /** The client writes its transcript with a short delay. */
  const isKept = (stage: ClaudeStage, run: Run) =>
    stage.until(() => {
      const file = transcriptOf(run);
      return fs.existsSync(file) && fs.readFileSync(file, "utf8").includes('"type":"assistant"');
    }, "a transcript");

  it("and resumes its conversation with the answer", async () => {
    const script = [bash("touch made"), bash("touch made"), text("Made.")];
    const stage = await claudeStage({ dies: { script } });
    const run = await stage.job("dies");
    const { id } = await run.asked("approval");
    await isKept(stage, run);
    process.kill(await pidOf(stage, run), "SIGKILL");
    assert.equal((await untilWithdrawn(stage, id)).reason, "the agent exited");
    const dead = await run.asked("dead");
    assert.match(dead.title, /^Died: killed by SIGKILL$/);
    assert.match(dead.context, /touch made/);
    const taken = await run.answer(dead, "1", "-m", "You may touch it.");
    assert.equal(taken.delivery.state, "acknowledged");
    assert.equal(run.events("agent:spawned").length, 2);
    assert.equal(run.events("agent:conversing").length, 1, "it is the same conversation");
    assert.equal(await run.ended(), "completed");
    assert.equal(await stage.heard("dies", 2), `${KILLED}\n\nYou may touch it.`);
    const asked = stage.events.filter((it) => it.type === "decision:created").map((it) => it.source);
    assert.deepEqual(asked, ["approval", "dead"]);
  });

  also("before its conversation was saved, and starts over with the answer", async () => {
    const stage = await claudeStage({ dies: { script: [{ hang: true }] } });
    const run = await stage.job("dies");
    await stage.heard("dies", 0);
    process.kill(await pidOf(stage, run), "SIGKILL");
    const dead = await run.asked("dead");
    fs.rmSync(transcriptOf(run), { force: true });
    assert.equal((await run.answer(dead, "1", "-m", "Once more.")).delivery.state, "acknowledged");
    await stage.until(() => stage.api.requests.length === 2, "its second start");
    assert.match(
      await stage.heard("dies", 0),
      /Please play #s:dies\n\nYou were interrupted: .*SIGKILL.*\n\nOnce more\./,
    );
    assert.equal(run.events("agent:conversing").length, 2);
  });

  also("before an answer reaches it, and gets the answer when it is resumed", async () => {
    const stage = await claudeStage({ idle: { script: [text("Hm."), text("Thanks.")], more: "" } });
    const run = await stage.job("idle");
    const decision = await run.asked("idle");
    await isKept(stage, run);
    const pid = await pidOf(stage, run);
    const terminals = Number(await stage.tmux("display-message", "-p", "#{pid}"));
    process.kill(terminals, "SIGSTOP"); // so that the words can't reach it
    await stage.json("decision", "resolve", decision.id, "1", "-m", "Mind the gap.");
    process.kill(pid, "SIGKILL");
    process.kill(terminals, "SIGCONT");
    await run.answer(await run.asked("dead"), "1", "-m", "Up again.");
    assert.equal((await untilTaken(stage, decision.id)).delivery.state, "acknowledged");
    assert.equal(await stage.heard("idle", 1), `Mind the gap.\n\n${KILLED}\n\nUp again.`);
  });

  also("and is resumed as often as its runbook says", async () => {
    const more = `on_dead = { action = "resume", message = "Go on.", attempts = 1 }`;
    const stage = await claudeStage({ hangs: { script: [text("Hm."), { hang: true }], more } });
    const run = await stage.job("hangs");
    await run.asked("idle");
    await isKept(stage, run);
    process.kill(await pidOf(stage, run), "SIGKILL");
    assert.equal(await stage.heard("hangs", 1), "Go on.");
    process.kill(await pidOf(stage, run), "SIGKILL");
    assert.match((await run.asked("dead")).context, /Tried before asking: resume once \(on_dead\)/);
  });
});

describeClaude("in print mode", () => {
  also(
    "asks for permission through its hook, is done when it exits well, and can't use AskUserQuestion",
    async () => {
      const stage = await claudeStage({
        prints: { run: "claude -p", script: [bash("touch made"), ...asks(store), text("Done.")], more: "" },
        gated: {
          run: "claude -p",
          script: [text("First."), text("Second.")],
          more: `on_signal = { action = "gate", run = "test -e passed || { touch passed; echo not yet; exit 1; }", attempts = 2 }`,
        },
        fails: { run: "claude -p", script: [{ status: 429, times: 9, next: text("Well.") }], more: "" },
      });
      const prints = await stage.job("prints");
      const decision = await prints.asked("approval");
      assert.equal((await prints.answer(decision, "1")).delivery.state, "acknowledged");
      assert.equal(await prints.ended(), "completed");
      assert.match(await stage.heard("prints", 2), /^\[error\].*AskUserQuestion is disabled/);

      const gated = await stage.job("gated");
      assert.equal(await gated.ended(), "completed");
      assert.match(await stage.heard("gated", 1), /not yet/);

      const fails = await stage.job("fails");
      assert.match((await fails.asked()).title, /^Rate limited: /);
    },
  );
});
