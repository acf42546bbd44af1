/** The real Gemini CLI: everything it asks, answered through oj; what its model was told is what really reached it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Run } from "../specs/support/agents.ts";
import { untilWithdrawn } from "../specs/support/agents.ts";
import { killDaemon } from "../specs/support/http.ts";
import { describeAllOfGemini } from "./describe.ts";
import { shell, text, tool } from "./model-api.ts";
import { geminiStage, pidOf } from "./stage.ts";

describeAllOfGemini("asks and is told", () => {
  it("everything, each agent in its own terminal", async () => {
    const stage = await geminiStage({
      asks: {
        script: [
          shell("touch one"),
          shell("touch two"),
          tool("write_file", { file_path: "made.txt", content: "hello\n" }),
          tool("replace", {
            file_path: "made.txt",
            old_string: "hello",
            new_string: "goodbye",
            instruction: "Greet",
          }),
          text("All done."),
          text("I see."),
        ],
      },
      idle: { script: [text("Turn 0."), text("Turn 1."), text("Turn 2.")], more: "" },
      refused: { script: [{ status: 401, next: text("Well again.") }] },
      dies: { script: [shell("touch made"), text("Made.")] },
      rests: { script: [text("Shall I?"), text("Done.")], more: "" },
      typed: { script: [shell("touch typed"), text("Typed.")] },
      esc: { script: [shell("touch never"), text("Hm.")], more: "" },
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
    /** A Yes, and a No: its reason follows when the turn is over, because ACP has no place for it. */
    const asks = async () => {
      const run = await stage.job("asks");
      const one = await run.asked("approval");
      assert.equal(one.title, "Bash: touch one");
      assert.deepEqual(one.action?.input, {
        command: "touch one",
        description: `[current working directory ${stage.dir}] (May I?)`,
      });
      const labels = one.options.map((it) => it.label);
      assert.deepEqual(labels, ["Approve", "Deny", "Cancel", "Dismiss"]);
      assert.equal((await run.answer(one, "1")).delivery.state, "acknowledged");
      const two = await run.asked("approval");
      assert.equal((await run.answer(two, "2", "-m", "Not in this folder.")).delivery.state, "acknowledged");
      await changes(run);
      assert.match(await stage.heard("asks", 2), /was canceled by the user/);
      assert.match(await stage.heard("asks", 5), /did not allow Bash, and says: Not in this folder\.$/);
      const made = ["one", "two"].filter((it) => fs.existsSync(path.join(stage.dir, it)));
      assert.deepEqual(made, ["one"]);
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
    /** Killed in its first turn, Gemini has saved its task or nothing: it knows the task either way, and asks again. */
    const dies = async () => {
      const run = await stage.job("dies");
      const { id } = await run.asked("approval");
      process.kill(await pidOf(stage, run), "SIGKILL");
      assert.equal((await untilWithdrawn(stage, id)).reason, "the agent exited");
      const dead = await run.asked("dead");
      assert.equal((await run.answer(dead, "1", "-m", "You may.")).delivery.state, "acknowledged");
      await run.answer(await run.asked("approval"), "1");
      assert.equal(await run.ended(), "completed");
      const heard = stage.api.requests.filter((it) => it.script === "dies").map((it) => it.heard);
      assert.match(heard[1] ?? "", /Please play #s:dies[\s\S]*SIGKILL[\s\S]*You may\./);
    };
    /** Whether it has saved the turn or not, it knows its task. */
    const rests = async () => {
      const run = await stage.job("rests");
      await run.asked("idle");
      process.kill(await pidOf(stage, run), "SIGKILL");
      const dead = await run.asked("dead");
      assert.equal((await run.answer(dead, "1", "-m", "Go on.")).delivery.state, "acknowledged");
      const knows = ({ script, heard }: { script: string; heard: string }) =>
        script === "rests" && /killed by SIGKILL[\s\S]*Go on\.$/.test(heard);
      await stage.until(() => stage.api.requests.some(knows), "its task and these words");
    };
    /** Somebody who is attached is first, with an option that only the terminal offers. */
    const typed = async () => {
      const run = await stage.job("typed");
      const { id } = await run.asked("approval");
      await stage.shows(run, /2\. Yes, always: Allow for this session/);
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
    await Promise.all([asks(), idle(), refused(), dies(), rests(), typed(), esc()]);
  });

  it("by keys, if the daemon was killed with a dialog open", async () => {
    const stage = await geminiStage({
      yes: { script: [shell("touch one"), text("Done.")] },
      no: { script: [shell("touch two"), text("Hm."), text("I see.")] },
    });
    const runs = { yes: await stage.job("yes"), no: await stage.job("no") };
    const decisions = {
      yes: await runs.yes.asked("approval"),
      no: await runs.no.asked("approval"),
    };
    await killDaemon(stage);
    await stage.run("daemon", "start");
    await Promise.all([
      runs.yes.answer(decisions.yes, "1"),
      runs.no.answer(decisions.no, "2", "-m", "Not here."),
    ]);
    for (const run of Object.values(runs)) assert.equal(await run.ended(), "completed");
    assert.match(await stage.heard("no", 2), /Not here\./);
    const made = ["one", "two"].filter((it) => fs.existsSync(path.join(stage.dir, it)));
    assert.deepEqual(made, ["one"]);
  });
});
