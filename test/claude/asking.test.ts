import assert from "node:assert/strict";
import { it } from "vitest";
import { describeClaude } from "./describe.ts";
import { also } from "./everything.ts";
import { bash, text } from "./model-api.ts";
import { asks, parts, plans, planText, store } from "./scripts.ts";
import { claudeStage } from "./stage.ts";

const YES = "(Bash completed with no output)";

describeClaude("asks", () => {
  also("for permission, and gets a Yes, a Yes with a remark, or a No with a reason", async () => {
    const commands = ["touch one", "touch two", "touch three"];
    const script = [...commands.map((it) => bash(it)), text("All done.")];
    const stage = await claudeStage({ asks: { script } });
    const run = await stage.job("asks");
    const answers = [["1"], ["1", "-m", "Then test it."], ["2", "-m", "Not in this folder."]];
    const heard: string[] = [];
    for (const [at, words] of answers.entries()) {
      const decision = await run.asked("approval");
      assert.equal(decision.title, `Bash: ${commands[at]}`);
      assert.deepEqual(decision.action?.input, { command: commands[at], description: "a test" });
      const labels = decision.options.map((it) => it.label);
      assert.deepEqual(labels, ["Approve", "Deny", "Cancel", "Dismiss"]);
      assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
      heard.push(await stage.heard("asks", at + 1));
    }
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(heard, [
      YES,
      `${YES}\nPostToolUse:Bash hook additional context: The user adds: Then test it.`,
      "[error] Not in this folder.",
    ]);
  });

  it("for several permissions at once, and gets an answer to each", async () => {
    const read = (file_path: string) => ({ name: "Read", input: { file_path } });
    const files = ["/etc/hostname", "/etc/hosts", "/usr/lib/os-release"];
    const start = (name: string) => ({
      name: "Agent",
      input: { description: name, prompt: `Play #s:${name}`, subagent_type: "general-purpose" },
    });
    const stage = await claudeStage({
      reads: { script: [{ tools: files.map(read) }, text("Read.")] },
      leads: {
        script: [
          { tools: [start("one"), start("two")] },
          text("Waiting."),
          text("One is back."),
          text("Both are."),
        ],
        also: { one: [bash("touch one"), text("One done.")], two: [bash("touch two"), text("Two done.")] },
      },
    });
    const reads = await stage.job("reads");
    const seen: unknown[] = []; // in the order in which their hooks arrive
    while (seen.length < files.length) {
      const { id, action } = await reads.asked("approval");
      seen.push(action?.input.file_path);
      const words = action?.input.file_path === "/etc/hosts" ? ["2", "-m", "Not that one."] : ["1"];
      assert.equal((await stage.run("decision", "resolve", id, ...words)).code, 0);
      await reads.until(() => reads.events("agent:owed").length === seen.length, "the answer");
    }
    assert.deepEqual(seen.toSorted(), files);
    assert.equal(await reads.ended(), "completed");
    const heard = await stage.heard("reads", 1);
    assert.match(heard, /\[error\] Not that one\./);
    assert.match(heard, /PRETTY_NAME/);
    const acknowledged = stage.events.filter((it) => it.type === "decision:acknowledged");
    assert.equal(acknowledged.length, 3);

    const leads = await stage.job("leads");
    for (const words of [["1"], ["2", "-m", "Not two."]]) {
      const decision = await leads.asked("approval");
      const name = /touch (\w+)/.exec(String(decision.action?.input.command))?.[1] ?? "";
      assert.equal((await leads.answer(decision, ...words)).delivery.state, "acknowledged");
      assert.match(await stage.heard(name, 1), words.length === 1 ? /no output/ : /^\[error\] Not two\.$/);
    }
    assert.equal(await leads.ended(), "completed");
  });

  also("several questions, and gets several choices, a free answer and a note", async () => {
    const stage = await claudeStage({ both: { script: asks(store, parts) }, own: { script: asks(store) } });
    const both = await stage.job("both");
    const decision = await both.asked("question");
    assert.equal(decision.title, "2 questions: Which database should we use?");
    assert.deepEqual(
      decision.questions.map((it) => [
        it.question,
        it.multi_select,
        it.options.map((option) => option.label),
      ]),
      [store, parts].map((it) => [it.question, it.multiSelect, it.options.map((option) => option.label)]),
    );
    const taken = await both.answer(decision, "2", "1,3", "-m", "v16 or newer");
    assert.equal(taken.delivery.state, "acknowledged");
    assert.match(
      await stage.heard("both", 1),
      /"Which database should we use\?"="Postgres" notes: v16 or newer, "Which features do you want\?"="Auth, Export"\./,
    );
    assert.equal(await both.ended(), "completed");

    const own = await stage.crew("own");
    const other = await own.asked("question");
    assert.deepEqual(
      other.options.map((it) => it.label),
      ["SQLite", "Postgres", "Other", "Cancel", "Dismiss"],
    );
    await own.answer(other, "3", "--text", "DuckDB, please");
    assert.match(await stage.heard("own", 1), /"Which database should we use\?"="DuckDB, please"/);
    assert.equal(await own.ended(), "completed");
  });

  also("about its plan, which is accepted in each mode or revised", async () => {
    const built = [text("Built.")];
    const role = (name: string) => ({
      run: "claude --permission-mode plan",
      script: plans(`${name}-built`),
      also: { [`${name}-built`]: built },
      more: "",
    });
    const stage = await claudeStage({
      clear: role("clear"),
      auto: role("auto"),
      manual: role("manual"),
      revise: role("revise"),
    });
    const answer = async (name: string, mode: RegExp, ...words: string[]) => {
      const run = await stage.job(name);
      const decision = await run.asked("plan");
      assert.equal(String(decision.action?.input.plan).trim(), planText(`${name}-built`).trim());
      assert.deepEqual(
        decision.options.map((it) => it.label),
        ["Accept (clear context)", "Accept (auto edits)", "Accept (manual edits)", "Revise", "Cancel"],
      );
      assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
      await run.asked("idle"); // with no other question in between
      await stage.shows(run, mode);
      return run;
    };
    const [cleared] = await Promise.all([
      answer("clear", /auto mode on/, "1"),
      answer("auto", /accept edits on/, "2"),
    ]);
    assert.match(
      await stage.heard("clear-built", 0),
      /Implement the following plan:\n\n# Plan\n\n1\. Tear it down/,
    );
    assert.equal(cleared.events("agent:conversing").length, 2);
    assert.match(await stage.heard("auto", 2), /^User has approved your plan\./);
    await Promise.all([
      answer("manual", /manual mode on/, "3", "-m", "Step by step."),
      answer("revise", /plan mode on/, "4", "-m", "Add tests."),
    ]);
    assert.match(
      await stage.heard("manual", 2),
      /^User has approved your plan\.[\s\S]*The user adds: Step by step\./,
    );
    assert.equal(await stage.heard("revise", 2), "[error] Add tests.");
  });
});
