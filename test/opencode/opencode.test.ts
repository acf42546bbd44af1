/** The real opencode: everything it asks, answered through oj; what its model was told is what really reached it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Run } from "../specs/support/agents.ts";
import { untilWithdrawn } from "../specs/support/agents.ts";
import { killDaemon } from "../specs/support/http.ts";
import { describeAllOfOpencode } from "./describe.ts";
import { bash, text, tool } from "./model-api.ts";
import { opencodeStage, pidOf } from "./stage.ts";

const store = {
  header: "Database",
  question: "Which database should we use?",
  options: [
    { label: "SQLite", description: "One file" },
    { label: "Postgres", description: "A server" },
  ],
};
const parts = {
  header: "Parts",
  question: "Which parts?",
  multiple: true,
  options: [
    { label: "Login", description: "Who" },
    { label: "Export, with dates", description: "What" },
    { label: "Search", description: "Where" },
  ],
};
const asking = (...questions: object[]) => [tool("question", { questions }), text("Thanks.")];

describeAllOfOpencode("asks and is told", () => {
  it("everything, each agent in its own terminal", async () => {
    const stage = await opencodeStage({
      asks: {
        script: [
          bash("touch one"),
          bash("touch two"),
          bash("touch three"),
          tool("write", { filePath: "made.txt", content: "hello\n" }),
          tool("edit", { filePath: "made.txt", oldString: "hello", newString: "goodbye" }),
          text("All done."),
        ],
      },
      both: { script: asking(store, parts) },
      idle: { script: [text("Turn 0."), text("Turn 1."), text("Turn 2.")], more: "" },
      refused: { script: [{ status: 401, next: text("Well again.") }] },
      limited: { script: [{ status: 429, times: 3, next: text("Well again.") }] },
      dies: { script: [bash("touch made"), text("Made.")] },
      typed: { script: [bash("touch typed"), text("Typed.")] },
      esc: { script: [bash("touch never"), text("Hm.")], more: "" },
    });

    const changes = async (run: Run) => {
      const written = await run.asked("approval");
      assert.equal(written.action?.tool, "Write");
      assert.equal(written.action?.diff?.is_new, true);
      await run.answer(written, "1");
      const edited = await run.asked("approval");
      assert.match(edited.action?.diff?.text ?? "", /-hello\n\+goodbye/);
      await run.answer(edited, "1");
      assert.equal(await run.ended(), "completed");
      assert.equal(fs.readFileSync(path.join(stage.dir, "made.txt"), "utf8"), "goodbye\n");
    };
    /** A Yes, and a No with and without a reason: the turn goes on, and the model has the reason as the result. */
    const asks = async () => {
      const run = await stage.job("asks");
      const one = await run.asked("approval");
      assert.equal(one.title, "Bash: touch one");
      assert.deepEqual(one.action?.input, { command: "touch one", description: "May I?" });
      const labels = one.options.map((it) => it.label);
      assert.deepEqual(labels, ["Approve", "Deny", "Cancel", "Dismiss"]);
      assert.equal((await run.answer(one, "1")).delivery.state, "acknowledged");
      const two = await run.asked("approval");
      assert.equal((await run.answer(two, "2", "-m", "Not in this folder.")).delivery.state, "acknowledged");
      const three = await run.asked("approval");
      assert.equal((await run.answer(three, "2")).delivery.state, "acknowledged");
      await changes(run);
      assert.match(await stage.heard("asks", 2), /following feedback: Not in this folder\.$/);
      assert.match(await stage.heard("asks", 3), /The user denied this\.$/);
      const made = ["one", "two", "three"].filter((it) => fs.existsSync(path.join(stage.dir, it)));
      assert.deepEqual(made, ["one"]);
    };
    const both = async () => {
      const run = await stage.job("both");
      const decision = await run.asked("question");
      assert.deepEqual(
        decision.questions.map((it) => [it.question, it.multi_select]),
        [
          [store.question, false],
          [parts.question, true],
        ],
      );
      const answered = await run.answer(decision, "2", "1,2,4", "--text", "And a map");
      assert.equal(answered.delivery.state, "acknowledged");
      const heard = await stage.heard("both", 1);
      assert.match(heard, /"Which database should we use\?"="Postgres"/);
      assert.match(heard, /"Which parts\?"="Login, Export, with dates, And a map"/);
      assert.equal(await run.ended(), "completed");
    };
    const idle = async () => {
      const run = await stage.job("idle");
      for (const [n, message] of ["Go on.", "!touch bad\n\nMany lines 漢字"].entries()) {
        const decision = await run.asked("idle");
        assert.match(decision.context, new RegExp(`Its last message:\n> Turn ${n}\\.`));
        assert.equal((await run.answer(decision, "1", "-m", message)).delivery.state, "acknowledged");
        assert.ok((await stage.heard("idle", n + 1)).endsWith(message));
      }
      assert.equal(
        stage.api.requests.filter((it) => it.script === "idle").length,
        3,
        "nothing was said twice",
      );
    };
    const refused = async () => {
      const run = await stage.job("refused");
      const decision = await run.asked("error");
      assert.match(decision.title, /401/);
      assert.equal((await run.answer(decision, "1", "-m", "Try again.")).delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      assert.match(await stage.heard("refused", 0), /Try again\./);
    };
    /** It would retry for hours: after the third attempt, a person hears of it. */
    const limited = async () => {
      const run = await stage.job("limited");
      const decision = await run.asked("error");
      assert.match(decision.title, /^Rate limited: .*429/i);
      assert.equal((await run.answer(decision, "1", "-m", "Once more.")).delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      assert.match(await stage.heard("limited", 0), /Once more\./);
    };
    const dies = async () => {
      const run = await stage.job("dies");
      const { id } = await run.asked("approval");
      process.kill(await pidOf(stage, run), "SIGKILL");
      assert.equal((await untilWithdrawn(stage, id)).reason, "the agent exited");
      const dead = await run.asked("dead");
      assert.equal((await run.answer(dead, "1", "-m", "You may.")).delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      assert.match(await stage.heard("dies", 1), /killed by SIGKILL[\s\S]*You may\./);
    };
    /** Somebody who is attached is first, with an option that only the terminal offers. */
    const typed = async () => {
      const run = await stage.job("typed");
      const { id } = await run.asked("approval");
      await stage.shows(run, /2\. Yes, always: Allow always: touch \*/);
      await stage.press(run, "2");
      assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
      assert.equal(await run.ended(), "completed");
      assert.ok(fs.existsSync(path.join(stage.dir, "typed")));
    };
    const esc = async () => {
      const run = await stage.job("esc");
      const { id } = await run.asked("approval");
      await stage.shows(run, /Do you want to proceed\?/);
      await stage.press(run, "Escape");
      assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
      await run.asked("idle");
      assert.ok(!fs.existsSync(path.join(stage.dir, "never")));
    };
    await Promise.all([asks(), both(), idle(), refused(), limited(), dies(), typed(), esc()]);
  });

  it("by keys, if the daemon was killed with a dialog open", async () => {
    const stage = await opencodeStage({
      yes: { script: [bash("touch one"), text("Done.")] },
      no: { script: [bash("touch two"), text("I see.")] },
      which: { script: asking(store) },
    });
    const runs = { yes: await stage.job("yes"), no: await stage.job("no"), which: await stage.job("which") };
    const decisions = {
      yes: await runs.yes.asked("approval"),
      no: await runs.no.asked("approval"),
      which: await runs.which.asked("question"),
    };
    await killDaemon(stage);
    await stage.run("daemon", "start");
    await Promise.all([
      runs.yes.answer(decisions.yes, "1"),
      runs.no.answer(decisions.no, "2", "-m", "Not here."),
      runs.which.answer(decisions.which, "1"),
    ]);
    for (const run of Object.values(runs)) assert.equal(await run.ended(), "completed");
    assert.match(await stage.heard("no", 1), /Not here\./);
    assert.match(await stage.heard("which", 1), /="SQLite"/);
    const made = ["one", "two"].filter((it) => fs.existsSync(path.join(stage.dir, it)));
    assert.deepEqual(made, ["one"]);
  });
});
