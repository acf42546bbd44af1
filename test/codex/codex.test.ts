/** The real Codex: everything it asks, answered through oj; what its model was told is what really reached it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { it } from "vitest";
import { also } from "../everything.ts";
import type { Run, Stage } from "../specs/support/agents.ts";
import { untilWithdrawn } from "../specs/support/agents.ts";
import { killDaemon } from "../specs/support/http.ts";
import { describeCodex } from "./describe.ts";
import { bash, text, tool } from "./model-api.ts";
import { codexStage } from "./stage.ts";

const store = {
  id: "store",
  header: "Database",
  question: "Which database should we use?",
  options: [
    { label: "SQLite", description: "One file" },
    { label: "Postgres (Recommended)", description: "A server" },
  ],
};
const colour = {
  id: "colour",
  header: "Colour",
  question: "Which colour?",
  options: [
    { label: "Red", description: "As blood" },
    { label: "Blue", description: "As the sky" },
  ],
};
const asking = (...questions: object[]) => [tool("request_user_input", { questions }), text("Thanks.")];
/** By itself, Codex asks questions in its plan mode only. */
const QUESTIONS = "codex --enable default_mode_request_user_input";
const patch = "*** Begin Patch\n*** Add File: made.txt\n+hello\n*** End Patch";

const pidOf = async (stage: Stage, run: Run) =>
  Number(await stage.tmux("display-message", "-p", "-t", `=${run.agent}:`, "#{pane_pid}"));

/** Attaches to the agent's terminal, as a person does, from a terminal of their own. */
const attach = (stage: Stage, run: Run) =>
  stage.tmux(
    ...["new-session", "-d", "-s", `visits-${run.agent}`, "env", "-u", "TMUX", "tmux"],
    ...["-S", path.join(stage.stateDir, "tmux.sock"), "attach-session", "-t", `=${run.agent}`],
  );

/** Presses a key as a person does: again if the dialog, which ignores keys in its first moments, is still there. */
async function pressHere(stage: Stage, run: Run, key: string): Promise<void> {
  const isOpen = async () =>
    /Yes, proceed/.test(await stage.tmux("capture-pane", "-p", "-t", `=${run.agent}:`));
  for (let n = 0; n < 20; n++) {
    await stage.press(run, key);
    for (const end = Date.now() + 3000; Date.now() < end; await sleep(50)) if (!(await isOpen())) return;
  }
  assert.fail(`the dialog does not take ${key}`);
}

describeCodex("asks and is told", () => {
  it("everything, each agent in its own terminal", async () => {
    const commands = ["touch one", "touch two", "touch three"];
    const stage = await codexStage({
      asks: { script: [...commands.map(bash), text("All done.")] },
      one: { run: QUESTIONS, script: asking(store) },
      both: { run: QUESTIONS, script: asking(store, colour) },
      idle: { script: Array.from({ length: 6 }, (_, n) => text(`Turn ${n}.`)), more: "" },
      limited: { script: [{ status: 429, next: text("Well again.") }] },
      waits: { script: [text("Hello.")], prompt: null, more: "" },
      dies: { script: [bash("touch made"), text("Hm."), text("Made.")] },
      prints: { run: "codex exec --skip-git-repo-check", script: [text("Done.")], more: "" },
    });

    /** A Yes, a Yes with a remark, a No with a reason. */
    const asks = async () => {
      const run = await stage.job("asks");
      const answers = [["1"], ["1", "-m", "Then test it."], ["2", "-m", "Not in this folder."]];
      const heard: string[] = [];
      for (const [at, words] of answers.entries()) {
        const decision = await run.asked("approval");
        assert.equal(decision.title, `Bash: ${commands[at]}`);
        assert.deepEqual(decision.action?.input, { command: commands[at], description: "May I?" });
        const labels = decision.options.map((it) => it.label);
        assert.deepEqual(labels, ["Approve", "Deny", "Cancel", "Dismiss"]);
        assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
        heard.push(await stage.heard("asks", at + 1));
      }
      assert.equal(await run.ended(), "completed");
      assert.match(heard[0] ?? "", /Process exited with code 0/);
      assert.match(heard[1] ?? "", /^The user adds: Then test it\.\n[\s\S]*Process exited with code 0/);
      assert.match(heard[2] ?? "", /Not in this folder\./);
      const made = ["one", "two", "three"].filter((it) => fs.existsSync(path.join(stage.dir, it)));
      assert.deepEqual(made, ["one", "two"]);
    };

    const one = async () => {
      const run = await stage.job("one");
      const decision = await run.asked("question");
      const labels = decision.options.map((it) => it.label);
      assert.deepEqual(labels, ["SQLite", "Postgres (Recommended)", "Other", "Cancel", "Dismiss"]);
      assert.equal((await run.answer(decision, "2", "-m", "Mind the port.")).delivery.state, "acknowledged");
      assert.deepEqual(JSON.parse(await stage.heard("one", 1)).answers, {
        store: { answers: ["Postgres (Recommended)", "user_note: Mind the port."] },
      });
      assert.equal(await run.ended(), "completed");
    };

    const both = async () => {
      const run = await stage.job("both");
      const decision = await run.asked("question");
      const answered = await run.answer(decision, "1", "Other", "--text", "Green, please");
      assert.equal(answered.delivery.state, "acknowledged");
      assert.deepEqual(JSON.parse(await stage.heard("both", 1)).answers, {
        store: { answers: ["SQLite"] },
        colour: { answers: ["None of the above", "user_note: Green, please"] },
      });
    };

    const idle = async () => {
      const words = ["!touch bad", "Ask $skill", `Many lines:\n\n${"x 漢字\n".repeat(30)}`];
      const run = await stage.job("idle");
      for (const [n, message] of words.entries()) {
        const decision = await run.asked("idle");
        assert.match(decision.context, new RegExp(`Its last message:\n> Turn ${n}\\.`));
        assert.equal((await run.answer(decision, "1", "-m", message)).delivery.state, "acknowledged");
        const guard = /^!/.test(message) ? "The user says: " : "";
        assert.equal((await stage.heard("idle", n + 1)).trim(), `${guard}${message}`.trim());
      }
      const turns = stage.api.requests.filter((it) => it.script === "idle");
      assert.equal(turns.length, words.length + 1, "nothing was said twice");
      assert.ok(!fs.existsSync(path.join(stage.dir, "bad")));
    };

    const limited = async () => {
      const run = await stage.job("limited");
      const decision = await run.asked("error");
      assert.match(decision.title, /^Rate limited: /);
      assert.equal((await run.answer(decision, "1", "-m", "Try again.")).delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      assert.match(await stage.heard("limited", 0), /Try again\./);
    };

    const waits = async () => {
      const run = await stage.job("waits");
      const decision = await run.asked("idle");
      assert.equal((await run.answer(decision, "1", "-m", "Play #s:waits")).delivery.state, "acknowledged");
      assert.match(await stage.heard("waits", 0), /Play #s:waits$/);
      assert.deepEqual(run.events("agent:silent"), [], "its reports were not missed");
    };

    const dies = async () => {
      const run = await stage.job("dies");
      const { id } = await run.asked("approval");
      process.kill(await pidOf(stage, run), "SIGKILL");
      assert.equal((await untilWithdrawn(stage, id)).reason, "the agent exited");
      const dead = await run.asked("dead");
      assert.equal((await run.answer(dead, "1", "-m", "You may touch it.")).delivery.state, "acknowledged");
      assert.equal(run.events("agent:conversing").length, 1, "it is the same conversation");
      assert.match(await stage.heard("dies", 1), /killed by SIGKILL[\s\S]*You may touch it\./);
      assert.equal(await run.ended(), "completed");
    };

    const prints = async () => {
      const run = await stage.job("prints");
      assert.equal(await run.ended(), "completed");
      assert.equal(run.events("agent:idle")[0]?.last_message, "Done.");
    };

    await Promise.all([asks(), one(), both(), idle(), limited(), waits(), dies(), prints()]);
  });
});

describeCodex("is answered by keys", () => {
  it("when the daemon was killed with a dialog open", async () => {
    const stage = await codexStage({
      yes: { script: [tool("apply_patch", patch), text("Patched.")] },
      no: { script: [bash("touch made"), text("Instead."), text("Instead.")] },
      asks: { run: QUESTIONS, script: asking(colour, store) },
    });
    const runs = { yes: await stage.job("yes"), no: await stage.job("no"), asks: await stage.job("asks") };
    const decisions = {
      yes: await runs.yes.asked("approval"),
      no: await runs.no.asked("approval"),
      asks: await runs.asks.asked("question"),
    };
    assert.deepEqual(decisions.yes.action?.input, { command: patch });
    assert.equal(decisions.yes.title, "apply_patch: made.txt");
    await killDaemon(stage);
    await stage.shows(runs.yes, /Yes, proceed/);
    await stage.run("daemon", "start");
    const answered = await Promise.all([
      runs.yes.answer(decisions.yes, "1"),
      runs.no.answer(decisions.no, "2", "-m", "Not here."),
      runs.asks.answer(decisions.asks, "2", "1"),
    ]);
    for (const it of answered) assert.equal(it.delivery.state, "acknowledged");
    assert.equal(fs.readFileSync(path.join(stage.dir, "made.txt"), "utf8"), "hello\n");
    assert.match(await stage.heard("no", 1), /Not here\./);
    assert.deepEqual(JSON.parse(await stage.heard("asks", 1)).answers, {
      store: { answers: ["SQLite"] },
      colour: { answers: ["Blue"] },
    });
  });

  also("when somebody is attached, who sees the dialog and may be first", async () => {
    const stage = await codexStage({
      first: { script: [bash("touch first; tail -f /dev/null"), text("Ended.")], more: "" },
      second: { script: [bash("touch second"), text("Made.")] },
      esc: { script: [bash("touch never"), text("Hm.")], more: "" },
    });
    const shown = async (name: string) => {
      const run = await stage.job(name);
      const decision = await run.asked("approval");
      await attach(stage, run);
      await stage.shows(run, /Yes, proceed/);
      return { run, decision };
    };
    const first = async () => {
      const { run, decision } = await shown("first");
      await pressHere(stage, run, "y");
      assert.equal((await untilWithdrawn(stage, decision.id)).reason, "answered in the terminal");
      assert.equal((await run.view()).status, "working");
    };
    const second = async () => {
      const { run, decision } = await shown("second");
      assert.equal((await run.answer(decision, "1")).delivery.state, "acknowledged");
      assert.ok(fs.existsSync(path.join(stage.dir, "second")));
    };
    const esc = async () => {
      const { run, decision } = await shown("esc");
      await pressHere(stage, run, "Escape");
      assert.equal((await untilWithdrawn(stage, decision.id)).reason, "answered in the terminal");
      await run.asked("idle");
    };
    await Promise.all([first(), second(), esc()]);
  });

  it("when it asks whether it may trust the folder: oj says yes", async () => {
    const stage = await codexStage({ new: { script: [text("Hello.")] } }, { trusted: false });
    const run = await stage.job("new");
    assert.equal(await run.ended(), "completed");
    assert.match(String(run.events("agent:noted")[0]?.note), /trust/);
  });
});
