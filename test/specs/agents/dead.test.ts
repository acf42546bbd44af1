import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import { agentStage } from "../support/agents.ts";
import { ends, giveEach, labels, stays } from "../support/answers.ts";
import { showsLastLines } from "../support/last-lines.ts";

const GONE = "You were interrupted: your process died (exit code 7).";
const LIMITED = "An error interrupted you: API Error: Request rejected (429) · Rate limited";
const GO_ON = [{ signal: "done" }];

describe("an agent whose process is gone", () => {
  it("asks, with its exit code and last lines, and each answer does what it says", async () => {
    const stage = await agentStage({
      dies: { scenario: { turns: [[{ say: "I am about to fall over." }, { crash: 7 }, ...GO_ON]] } },
    });
    await giveEach(
      stage,
      "dies",
      "dead",
      (decision) => {
        assert.deepEqual(labels(decision), ["Retry★", "Skip", "Cancel", "Dismiss"]);
        assert.match(decision.context, /^The agent's process is gone \(exit code 7\)\n/);
        assert.match(decision.context, /Its last message:\n> I am about to fall over\.\n/);
      },
      [
        {
          words: ["1"],
          effect: ends("completed", [`${GONE}\n\nPlease continue where you left off.`]),
        },
        { words: ["1", "-m", "Mind the step."], effect: ends("completed", [`${GONE}\n\nMind the step.`]) },
        { words: ["-m", "Once more."], effect: ends("completed", [`${GONE}\n\nOnce more.`]) },
        { words: ["2"], effect: ends("completed") },
        { words: ["3"], effect: ends("cancelled") },
        { words: ["4"], effect: stays },
      ],
      "● I am about to fall over.",
    );
    const resumed = stage.events.filter((it) => it.type === "agent:spawned" && it.incarnation === 2);
    assert.equal(resumed.length, 6);
  });

  also.each([
    ["Skip", "2"],
    ["Cancel", "3"],
  ])("leaves no terminal behind once its work is over by %s", async (_, choice) => {
    const stage = await agentStage({ dies: { scenario: "exit 3", prompt: null } });
    const terminals = () => stage.tmux("list-panes", "-a", "-F", "#{session_name}").catch(() => "");
    const run = await stage.job("dies");
    const { id } = await run.asked("dead");
    assert.ok((await terminals()).includes(run.agent), "a person may want to see what it left");
    await stage.run("decision", "resolve", id, choice);
    await stage.until(async () => !(await terminals()).includes(run.agent), "the end of its terminal");
    assert.equal((await stage.run("daemon", "stop")).code, 0);
    await stage.until(async () => (await terminals()) === "", "the end of tmux");
  });

  also("names the signal that killed it", async () => {
    const stage = await agentStage({ dies: { scenario: { turns: [[{ crash: "SIGKILL" }]] } } });
    const run = await stage.job("dies");
    assert.match((await run.asked("dead")).title, /killed by SIGKILL/);
  });
});

describe("a late answer", () => {
  also("is reported as late, with where to look; the exit code says that it is on record", async () => {
    const stage = await agentStage({ dies: { scenario: "exit 3", prompt: null } });
    const run = await stage.job("dies");
    const { id, title } = await run.asked("dead");
    assert.equal(title, "Died: exit code 3");
    const { code, stdout, stderr } = await stage.run("decision", "resolve", id, "1");
    assert.equal(code, 0);
    assert.match(stdout, /\n {2}answered, not delivered yet/);
    assert.match(stderr, new RegExp(`→ oj decision show ${id} shows when it has arrived`));
    await stage.until(async () => (await run.view()).incarnation > 1 || null, "its second start");
    assert.deepEqual(
      (await run.view()).owed.map((it) => [it.decision_id, it.state]),
      [[id, "owed"]],
    );
  });
});

describe("an agent that meets an error", () => {
  it("asks about the error, never as idle, and each answer does what it says", async () => {
    const stage = await agentStage({
      errs: { scenario: { turns: [[{ say: "Let me see." }, { error: "rate_limit" }]], otherwise: GO_ON } },
    });
    await giveEach(
      stage,
      "errs",
      "error",
      (decision) => {
        assert.deepEqual(labels(decision), ["Retry★", "Skip", "Cancel", "Dismiss"]);
        assert.match(decision.context, /^The agent hit an error: rate_limited\n/);
        assert.match(
          decision.context,
          /What its client says about it:\n> API Error: Request rejected \(429\) · Rate limited\n/,
        );
        assert.match(decision.context, /Its last message:\n> Let me see\.\n/);
        showsLastLines(decision, /● Let me see\./);
      },
      [
        {
          words: ["1"],
          effect: ends("completed", [`${LIMITED}\n\nPlease continue where you left off.`]),
        },
        { words: ["1", "-m", "Slower."], effect: ends("completed", [`${LIMITED}\n\nSlower.`]) },
        { words: ["-m", "Try now."], effect: ends("completed", [`${LIMITED}\n\nTry now.`]) },
        { words: ["2"], effect: ends("completed") },
        { words: ["3"], effect: ends("cancelled") },
        { words: ["4"], effect: stays },
      ],
    );
    assert.ok(!stage.events.some((it) => it.type === "decision:created" && it.source === "idle"));
  });
});
