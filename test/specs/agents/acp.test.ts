/** A program that speaks ACP, run by `oj-acp`: what it asked and what it was answered is in its own record. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage, untilWithdrawn } from "../support/agents.ts";
import { killDaemon } from "../support/http.ts";

const AGENT = path.join(import.meta.dirname, "../../fakes/acp-agent.mjs");

type Step = Record<string, unknown>;

interface Noted {
  kind: string;
  of?: string;
  texts?: string[];
  result?: { outcome?: { outcome: string; optionId?: string }; action?: string; content?: object };
  error?: { message: string };
}

const options = [
  { optionId: "y", name: "Allow", kind: "allow_once" },
  { optionId: "a", name: "Always allow", kind: "allow_always" },
  { optionId: "n", name: "Reject", kind: "reject_once" },
];
const bash = (command: string, given = options): Step => ({
  ask: "session/request_permission",
  with: {
    toolCall: { toolCallId: command, title: command, kind: "execute", rawInput: { command } },
    options: given,
  },
  runs: command,
});
const say = (words: string): Step => ({ say: words });

interface Play {
  turns: Step[][];
  more?: string;
  flag?: string;
}

/** What each agent's program wrote down. */
async function acpStage(plays: Record<string, Play>) {
  const cast = Object.entries(plays).map(([name, { more = `on_idle = "done"`, flag = "" }]) => {
    const run = `acp:${process.execPath} ${AGENT} $HOME/${name}.script $HOME/${name}.record ${flag}`;
    return [name, { scenario: run.trimEnd(), more }] as const;
  });
  const stage = await agentStage(Object.fromEntries(cast), {
    before({ home, env }) {
      env.HOME = home;
      for (const [name, { turns }] of Object.entries(plays))
        fs.writeFileSync(path.join(home, `${name}.script`), JSON.stringify(turns));
    },
  });
  const noted = (name: string, kind: string): Noted[] => {
    const file = path.join(stage.home, `${name}.record`);
    return (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Noted)
      .filter((line) => line.kind === kind);
  };
  const chosen = (name: string) =>
    noted(name, "answer").map(({ result }) => result?.outcome?.optionId ?? result?.outcome?.outcome);
  const prompts = (name: string) => noted(name, "prompt").map((it) => it.texts?.join("\n"));
  return { stage, noted, chosen, prompts };
}

const pidOf = async (stage: Stage, run: Run) =>
  Number(await stage.tmux("display-message", "-p", "-t", `=${run.agent}:`, "#{pane_pid}"));

describe("a program that speaks ACP", () => {
  it("is answered what it asks, told words, resumed, and interrupted", async () => {
    const plan = [
      { optionId: "auto", name: "Yes, and accept edits", kind: "allow_always" },
      { optionId: "manual", name: "Yes, ask me for edits", kind: "allow_once" },
      { optionId: "more", name: "Yes, but later", kind: "allow_once" },
      { optionId: "no", name: "No, keep planning", kind: "reject_once" },
    ];
    const form = (properties: object, required: string[] = []): Step => ({
      ask: "elicitation/create",
      with: { mode: "form", message: "Set up", requestedSchema: { type: "object", properties, required } },
    });
    const { stage, chosen, prompts, noted } = await acpStage({
      asks: { turns: [[bash("touch one"), bash("touch two"), say("Both asked.")], [say("I see.")]] },
      quits: { turns: [[bash("touch two"), { stop: "cancelled" }], [say("I see.")]] },
      plans: {
        turns: [
          [
            {
              ask: "session/request_permission",
              with: {
                toolCall: {
                  toolCallId: "p",
                  title: "Ready to code?",
                  kind: "switch_mode",
                  content: [{ type: "content", content: { type: "text", text: "1. Build it" } }],
                },
                options: plan,
              },
            },
            { update: { sessionUpdate: "plan", entries: [{ content: "Build it", status: "pending" }] } },
            say("Planned."),
          ],
        ],
      },
      forms: {
        turns: [
          [
            form(
              {
                db: {
                  type: "string",
                  title: "Database",
                  oneOf: [
                    { const: "pg", title: "Postgres" },
                    { const: "lite", title: "SQLite" },
                  ],
                },
                size: { type: "integer", title: "Size" },
              },
              ["db", "size"],
            ),
            form({ password: { type: "string", title: "Your password" } }),
            say("Set up."),
          ],
        ],
      },
      idle: { turns: [[say("Shall I go on?")], [say("Gone on.")]], more: "" },
      errs: { turns: [[{ error: { code: -32603, message: "429 Too Many Requests" } }], [say("Well.")]] },
      dies: { turns: [[bash("touch it")], [say("Alive.")]] },
      terminal: { turns: [[bash("touch typed"), say("Typed.")]] },
      hangs: { turns: [[say("Thinking."), { hang: true }], [say("Hm.")]], more: "" },
    });

    /** A Yes, and a No whose reason follows, since the protocol has no place for it. */
    const asks = async () => {
      const run = await stage.job("asks");
      const one = await run.asked("approval");
      assert.equal(one.title, "Bash: touch one");
      assert.deepEqual(one.action?.input, { command: "touch one" });
      assert.deepEqual(
        one.options.map((it) => it.label),
        ["Approve", "Deny", "Cancel", "Dismiss"],
      );
      assert.equal((await run.answer(one, "1")).delivery.state, "acknowledged");
      const two = await run.asked("approval");
      assert.equal((await run.answer(two, "2", "-m", "Not here.")).delivery.state, "acknowledged");
      assert.equal(await run.ended(), "completed");
      assert.deepEqual(chosen("asks"), ["y", "n"]);
      assert.match(prompts("asks")[1] ?? "", /Not here\./);
      assert.equal(prompts("asks").length, 2);
    };
    /** Some programs cancel their own turn after a No. */
    const quits = async () => {
      const run = await stage.job("quits");
      await run.answer(await run.asked("approval"), "2", "-m", "Not here.");
      assert.equal(await run.ended(), "completed");
      assert.match(prompts("quits")[1] ?? "", /Not here\./);
    };
    const plans = async () => {
      const run = await stage.job("plans");
      const decision = await run.asked("question");
      assert.match(decision.questions[0]?.question ?? "", /^Ready to code\?\n\n1\. Build it$/);
      await run.answer(decision, "2");
      assert.equal(await run.ended(), "completed");
      assert.deepEqual(chosen("plans"), ["manual"]);
    };
    const forms = async () => {
      const run = await stage.job("forms");
      const decision = await run.asked("question");
      assert.deepEqual(
        decision.questions.map((it) => it.closed ?? false),
        [true, false], // a list takes its options alone
      );
      await run.answer(decision, "2", "Other", "--text", "a dozen");
      const again = await run.asked("question"); // own words that are no value are not a No
      assert.match(
        again.questions[0]?.question ?? "",
        /^"a dozen" is no value for size\. Once more:\nSet up/,
      );
      await run.answer(again, "2", "Other", "--text", "12", "-m", "Thanks.");
      assert.equal(await run.ended(), "completed");
      const answers = noted("forms", "answer").map((it) => it.result);
      assert.deepEqual(answers, [
        { action: "accept", content: { db: "lite", size: 12 } },
        { action: "decline" },
      ]);
      assert.match(prompts("forms").at(-1) ?? "", /The user adds: Thanks\./); // the form has no place for it
    };
    const idle = async () => {
      const run = await stage.job("idle");
      const decision = await run.asked("idle");
      assert.match(decision.title, /Shall I go on\?/);
      assert.equal((await run.answer(decision, "1", "-m", "Go on.")).delivery.state, "acknowledged");
      await run.until(() => prompts("idle").length === 2, "the words");
      assert.match(prompts("idle")[1] ?? "", /Go on\.$/);
    };
    const errs = async () => {
      const run = await stage.job("errs");
      const decision = await run.asked("error");
      assert.match(decision.title, /^Rate limited: /);
      await run.answer(decision, "1", "-m", "Again.");
      assert.equal(await run.ended(), "completed");
      assert.match(prompts("errs")[1] ?? "", /Again\./);
    };
    const dies = async () => {
      const run = await stage.job("dies");
      const { id } = await run.asked("approval");
      process.kill(await pidOf(stage, run), "SIGKILL");
      assert.equal((await untilWithdrawn(stage, id)).reason, "the agent exited");
      await run.answer(await run.asked("dead"), "1", "-m", "You may.");
      assert.equal(await run.ended(), "completed");
      assert.equal(noted("dies", "load").length, 1);
      assert.match(prompts("dies")[1] ?? "", /killed by SIGKILL[\s\S]*You may\./);
    };
    /** Somebody who is attached is first, with an option that only the terminal offers. */
    const terminal = async () => {
      const run = await stage.job("terminal");
      const { id } = await run.asked("approval");
      await stage.shows(run, /2\. Yes, always: Always allow/);
      await stage.press(run, "2");
      assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
      assert.equal(await run.ended(), "completed");
      assert.deepEqual(chosen("terminal"), ["a"]);
    };
    const hangs = async () => {
      const run = await stage.job("hangs");
      await run.until(() => prompts("hangs").length === 1, "the prompt");
      await stage.shows(run, /esc to interrupt/i);
      await stage.press(run, "Escape");
      await run.until(() => noted("hangs", "cancel").length === 1, "the cancellation");
      await run.asked("idle");
    };
    await Promise.all([asks(), quits(), plans(), forms(), idle(), errs(), dies(), terminal(), hangs()]);
  });

  it("is not asked for more once somebody has interrupted it, and hears a reason even if it dies first", async () => {
    const { stage, chosen, prompts, noted } = await acpStage({
      two: { turns: [[{ all: [bash("touch one"), bash("touch two")] }], [say("Hm.")]], more: "" },
      late: { turns: [[bash("touch it"), { hang: true }], [say("I see.")]] },
      again: { turns: [[bash("touch it"), { hang: true }], [say("I see.")]], more: "" },
    });
    const two = async () => {
      const run = await stage.job("two");
      const { id } = await run.asked("approval");
      await stage.shows(run, /touch one/);
      await stage.press(run, "Escape");
      await untilWithdrawn(stage, id);
      await run.until(() => chosen("two").length === 2, "both answers");
      assert.deepEqual(chosen("two"), ["cancelled", "cancelled"]);
      assert.equal(noted("two", "cancel").length, 1);
      await run.asked("idle");
    };
    const denied = async (name: string) => {
      const run = await stage.job(name);
      await run.answer(await run.asked("approval"), "2", "-m", "Not here.");
      await run.until(() => chosen(name).length === 1, "the No");
      return run;
    };
    const late = async () => {
      const run = await denied("late");
      process.kill(await pidOf(stage, run), "SIGKILL");
      await run.answer(await run.asked("dead"), "1");
      assert.equal(await run.ended(), "completed");
      assert.equal(noted("late", "load").length, 1);
      assert.match(prompts("late")[1] ?? "", /Not here\.[\s\S]*killed by SIGKILL/);
    };
    const again = async () => {
      const run = await denied("again");
      await stage.press(run, "Escape");
      await run.answer(await run.asked("idle"), "1", "-m", "Once more.");
      await run.until(() => prompts("again").length === 2, "the next prompt");
      assert.match(prompts("again")[1] ?? "", /Not here\.[\s\S]*Once more\./);
    };
    await Promise.all([two(), late(), again()]);
  });

  it("outlives the daemon with a dialog open, and is then answered by keys", async () => {
    const { stage, chosen, prompts } = await acpStage({
      yes: { turns: [[bash("touch one"), say("Done.")]] },
      no: { turns: [[bash("touch two"), say("Done.")], [say("I see.")]] },
    });
    const runs = { yes: await stage.job("yes"), no: await stage.job("no") };
    const decisions = { yes: await runs.yes.asked("approval"), no: await runs.no.asked("approval") };
    await killDaemon(stage);
    await stage.run("daemon", "start");
    await runs.yes.answer(decisions.yes, "1");
    await runs.no.answer(decisions.no, "2", "-m", "Not here.");
    assert.equal(await runs.yes.ended(), "completed");
    assert.equal(await runs.no.ended(), "completed");
    assert.deepEqual([chosen("yes"), chosen("no")], [["y"], ["n"]]);
    assert.match(prompts("no")[1] ?? "", /Not here\./);
  });
});
