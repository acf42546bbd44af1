import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Run } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { ends, giveEach, labels, stays } from "../support/answers.ts";

const PUSH = { tool: "Bash", input: { command: "git push --force", description: "Push" }, result: "pushed" };
const NO_NEWLINE = "\n\\ No newline at end of file";
const DENIED = [{ say: "Then not." }, { signal: "done" }];

describe("an agent that asks for permission", () => {
  it("shows the exact action, and each answer does what it says; Deny does not end the job", async () => {
    const stage = await agentStage({
      asks: { scenario: { turns: [[{ ...PUSH, denied: DENIED }, { signal: "done" }]] } },
    });
    const told = (kind: string, fields: object) => async (run: Run) => {
      await ends("completed")(run);
      const [one, ...more] = [...run.told("allowed"), ...run.told("denied")];
      const { at: _, ...rest } = one ?? { at: "" };
      assert.deepEqual({ rest, more }, { rest: { kind, tool: "Bash", by: "hook", ...fields }, more: [] });
    };
    await giveEach(
      stage,
      "asks",
      "approval",
      (decision) => {
        assert.deepEqual(labels(decision), ["Approve", "Deny", "Cancel", "Dismiss"]);
        assert.equal(decision.title, "Bash: git push --force");
        assert.deepEqual([decision.action?.tool, decision.action?.input], ["Bash", PUSH.input]);
        assert.match(decision.action?.sha256 ?? "", /^[0-9a-f]{64}$/);
      },
      [
        { words: ["1"], effect: told("allowed", { input: PUSH.input }) },
        { words: ["2"], effect: told("denied", { message: "The user denied this." }) },
        { words: ["2", "-m", "Never on Fridays."], effect: told("denied", { message: "Never on Fridays." }) },
        { words: ["3"], effect: ends("cancelled") },
        { words: ["4"], effect: stays },
      ],
      "Bash(git push --force)",
    );
  });

  also("to change a file shows what would change, with the lines around it", async () => {
    const edit = (file_path: string) => ({
      tool: "Edit",
      input: { file_path, old_string: "const TAX = 0.19;", new_string: "const TAX = 0.2;" },
    });
    const write = { tool: "Write", input: { file_path: "src/new.js", content: "export {};\n" } };
    const stage = await agentStage({
      edits: {
        scenario: { turns: [[edit("src/cart.js"), write, edit("/etc/hostname"), { signal: "done" }]] },
      },
    });
    const cart = ["// cart", "", "const TAX = 0.19;", "", "export const sum = 1;"];
    fs.mkdirSync(path.join(stage.dir, "src"), { recursive: true });
    fs.writeFileSync(path.join(stage.dir, "src/cart.js"), cart.join("\n"));
    const run = await stage.job("edits");
    const diffs: unknown[] = [];
    for (let n = 0; n < 3; n++) {
      const decision = await run.asked("approval");
      diffs.push(decision.action?.diff);
      await run.answer(decision, "1");
    }
    await ends("completed")(run);
    const whole = { is_new: false, cut: 0, unread: null };
    const change = ["-const TAX = 0.19;", "+const TAX = 0.2;"];
    assert.deepEqual(diffs, [
      {
        ...whole,
        path: "src/cart.js",
        text:
          ["@@ -1,5 +1,5 @@", " // cart", " ", ...change, " ", " export const sum = 1;"].join("\n") +
          NO_NEWLINE,
      },
      { ...whole, path: "src/new.js", text: "@@ -0,0 +1,1 @@\n+export {};", is_new: true },
      {
        ...whole,
        path: "/etc/hostname",
        text: `@@ -1,1 +1,1 @@\n${change.join("\n")}`,
        unread: "the file is outside the agent's folder",
      },
    ]);
  });

  also("needs a yes or a no: a message alone is refused, and the question stays open", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[PUSH]] } } });
    const run = await stage.job("asks");
    const { id } = await run.asked("approval");
    const { code, stderr } = await stage.run("decision", "resolve", id, "-m", "hm");
    assert.equal(code, 1);
    assert.match(stderr, /asks for a yes or a no: a message alone is neither/);
    assert.equal((await stage.decision(id)).state, "pending");
  });
});

describe("an agent that presents a plan", () => {
  it("shows the plan, which can be accepted in each mode, sent back, or cancelled with the job", async () => {
    const plan = "# Plan\n1. Tear it down\n2. Build it";
    const stage = await agentStage({ plans: { scenario: { turns: [[{ plan }, { signal: "done" }]] } } });
    const accepted = (fields: object) => async (run: Run) => {
      await ends("completed")(run);
      const [{ at: _, ...one } = { at: "" }, ...more] = run.told("plan_accepted");
      assert.deepEqual({ one, more }, { one: { kind: "plan_accepted", plan, ...fields }, more: [] });
    };
    await giveEach(
      stage,
      "plans",
      "plan",
      (decision) => {
        const accept = ["clear context)★", "auto edits)", "manual edits)"].map((it) => `Accept (${it}`);
        assert.deepEqual(labels(decision), [...accept, "Revise", "Cancel"]);
        assert.equal(decision.title, "Plan: Plan");
        assert.equal(decision.action?.input.plan, plan);
        assert.ok(!decision.context.includes("Tear it down"), decision.context);
        assert.equal(decision.action?.input.plan, plan);
      },
      [
        { words: ["1"], effect: accepted({ mode: "auto", by: "keys", clear: true }) },
        { words: ["2"], effect: accepted({ mode: "acceptEdits", by: "hook", edited: false }) },
        { words: ["3"], effect: accepted({ mode: "default", by: "hook", edited: false }) },
        { words: ["4", "-m", "No demolition."], effect: revised },
        { words: ["-m", "No demolition."], effect: revised },
        { words: ["5"], effect: ends("cancelled") },
      ],
    );

    /** The agent has the message, and presents a new version, which is a question of its own. */
    async function revised(run: Run): Promise<void> {
      assert.deepEqual(
        run.told("denied").map((it) => it.message),
        ["No demolition."],
      );
      const again = await run.asked("plan");
      assert.match(String(again.action?.input.plan), /Changed: No demolition\./);
      await run.answer(again, "3");
      await ends("completed")(run);
    }
  });

  also("can't be asked for a revision without a message that says what to change", async () => {
    const stage = await agentStage({ plans: { scenario: { turns: [[{ plan: "# P" }]] } } });
    const { id } = await (await stage.job("plans")).asked("plan");
    const { code, stderr } = await stage.run("decision", "resolve", id, "4");
    assert.equal(code, 1);
    assert.match(stderr, /needs a message that says what to change/);
  });
});
