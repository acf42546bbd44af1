import assert from "node:assert/strict";
import { it } from "vitest";
import { untilWithdrawn } from "../specs/support/agents.ts";
import { describeClaude } from "./describe.ts";
import { also } from "./everything.ts";
import { text } from "./model-api.ts";
import { claudeStage } from "./stage.ts";

const key = { ANTHROPIC_API_KEY: `sk-ant-${"x".repeat(40)}`, ANTHROPIC_AUTH_TOKEN: "" };
const script = [text("Done.")];

describeClaude("starts", () => {
  it("in an unknown folder: oj trusts it and says so", async () => {
    const stage = await claudeStage({ trusts: { script } }, { trusted: false });
    const run = await stage.job("trusts");
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(
      run.events("agent:noted").map((it) => it.note),
      [`oj told the client to trust ${stage.dir}`],
    );
    assert.match((await stage.run("agent", "show", run.agent)).stdout, /note +oj told the client/);
    assert.equal(stage.events.filter((it) => it.type === "decision:created").length, 0);
  });

  also("with an API key in its environment, and a person decides whether to use it", async () => {
    const stage = await claudeStage({ yes: { script } }, { trusted: false, env: key });
    const run = await stage.job("yes");
    const decision = await run.asked("approval");
    assert.equal(decision.title, "Not reported by a hook: Do you want to use this API key?");
    assert.match(decision.context, /Detected a custom API key in your environment/);
    const labels = decision.options.map((it) => it.label);
    assert.deepEqual(labels, ["Yes", "No (recommended)", "Cancel", "Dismiss"]);
    await run.answer(decision, "1");
    assert.equal(await run.ended(), "completed");
    assert.match(String(stage.api.headers.at(-1)?.["x-api-key"]), /^sk-ant-x+$/);
  });

  also("with an API key that a person rejects, and is not logged in", async () => {
    const stage = await claudeStage({ no: { script } }, { env: key });
    const run = await stage.job("no");
    await run.answer(await run.asked("approval"), "2");
    assert.equal((await run.asked("error")).title, "Unauthorized: Not logged in · Please run /login");
  });

  also("with all permissions bypassed, which a person must accept", async () => {
    const role = { run: "claude --dangerously-skip-permissions", script };
    const stage = await claudeStage({ accepts: role, refuses: role });
    const ask = async (name: string, number: string) => {
      const run = await stage.job(name);
      const decision = await run.asked("approval");
      assert.equal(
        decision.title,
        "Not reported by a hook: WARNING: Claude Code running in Bypass Permissions mode",
      );
      const labels = decision.options.map((it) => it.label);
      assert.deepEqual(labels, ["No, exit", "Yes, I accept", "Cancel", "Dismiss"]);
      return { run, resolve: () => stage.run("decision", "resolve", decision.id, number) };
    };
    const [accepts, refuses] = await Promise.all([ask("accepts", "2"), ask("refuses", "1")]);
    assert.equal((await refuses.resolve()).code, 0);
    assert.match((await refuses.run.asked("dead")).title, /exit code/);
    assert.equal((await accepts.resolve()).code, 0);
    assert.equal(await accepts.run.ended(), "completed");
  });

  also("for the first time, with each page answered in oj or in the terminal", async () => {
    const stage = await claudeStage({ new: { script } }, { trusted: false, onboarded: false });
    const run = await stage.job("new");
    const theme = await run.asked("approval");
    assert.equal(
      theme.title,
      "Not reported by a hook: Choose the text style that looks best with your terminal",
    );
    assert.deepEqual(
      theme.options.slice(0, 3).map((it) => it.label),
      ["Auto (match terminal)", "Dark mode", "Light mode"],
    );
    assert.equal((await run.answer(theme, "3")).delivery.state, "acknowledged");
    const notes = await run.asked("approval");
    assert.equal(notes.title, "Not reported by a hook: Security notes:");
    assert.deepEqual(
      notes.options.map((it) => it.label),
      ["Continue", "Cancel", "Dismiss"],
    );
    await stage.press(run, "Enter");
    assert.equal((await untilWithdrawn(stage, notes.id)).reason, "answered in the terminal");
    assert.equal(await run.ended(), "completed");
  });

  also("without a prompt, is idle, and gets what it is sent before or after that", async () => {
    const waiting = { script, prompt: null, more: "" } as const;
    const stage = await claudeStage({ waits: waiting, hurried: waiting });
    const waits = async () => {
      const run = await stage.crew("waits");
      const decision = await run.asked("idle");
      assert.equal((await run.view()).status, "idle");
      await run.answer(decision, "1", "-m", "Please play #s:waits");
      assert.match((await run.asked("idle")).context, /Its last message:\n> Done\./);
    };
    const hurried = async () => {
      const run = await stage.crew("hurried");
      assert.equal((await stage.run("agent", "send", run.agent, "Please play #s:hurried")).code, 0);
      assert.match((await run.asked("idle")).context, /Its last message:\n> Done\./);
    };
    await Promise.all([waits(), hurried()]);
  });
});
