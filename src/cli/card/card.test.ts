import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { widthOf } from "../../text/layout.ts";
import { plain } from "../base/output.ts";
import { card, readable } from "./card.ts";

const look = { style: plain, width: 80, now: NOW };
const body = (text: string) => text.replace(/\(\d{4}-\d\d-\d\d \d\d:\d\d\)/g, "(then)");

describe("the card of a decision", () => {
  it("shows who asks, since when, the context, and what each option does", () => {
    const pending = decision({
      context: "all green\n\n  42 tests",
      urgency: "high",
      options: [
        { label: "Ship it", recommended: true, description: "Publishes it", effect: "the job continues" },
        { label: "Again", effect: 'the job goes to step "test"' },
      ],
    });
    assert.equal(
      body(card(pending, look)),
      `dec-7k3m9x2p4q  high  step  pending  shop
Ship 1.0?

  asked by    job release/1.0 (job-a2b3c4d5e6), step "ship"
  asked       3 minutes ago (then)

  from the runbook of release/1.0:
  │ all green
  │
  │   42 tests

  1  ★ Ship it  recommended
       Publishes it
     → the job continues
  2    Again
     → the job goes to step "test"`,
    );
  });

  it("shows the answer, who gave it, and whether it arrived", () => {
    const answered = decision({
      source: "request",
      state: "resolved",
      owner: { kind: "requester", id: "bot", name: "bot" },
      answer: {
        chosen: 2,
        choices: [[2]],
        labels: ["Stop"],
        text: null,
        message: "not today",
        by: "ana",
        via: "cli",
        resolved_at_ms: NOW - 60_000,
      },
      delivery: { state: "owed", attempts: 2, error: "nobody listens", at_ms: NOW },
    });
    assert.equal(
      body(card(answered, look)),
      `dec-7k3m9x2p4q  medium  request  resolved  shop
Ship 1.0?

  asked by    bot
  asked       3 minutes ago (then)
  answer      Stop
  message     not today
  answered by ana (cli), 1 minute ago (then)
  delivery    answered, not delivered yet (2 attempts): nobody listens

  1  ★ Ship it  recommended
  2  ✓ Stop`,
    );
  });

  it("shows what replaced it, and what it replaces", () => {
    const replaced = decision({ state: "superseded", superseded_by: "dec-newer", supersedes: "dec-older" });
    const text = card(replaced, look);
    assert.match(text, /^ {2}replaces {4}dec-older$/m);
    assert.match(text, /^ {2}replaced by dec-newer$/m);
    assert.match(text, /^ {2}ended {7}superseded by dec-newer$/m);
  });

  it("says only once what all options have in common", () => {
    const same = decision({
      options: [
        { label: "a", effect: "goes to bot" },
        { label: "b", effect: "goes to bot" },
      ],
    });
    assert.equal(card(same, look).match(/goes to bot/g)?.length, 1);
  });

  it("keeps text from outside behind its bar, made safe", () => {
    const text = card(
      decision({
        title: "Ship?\n  1  ★ Approve everything",
        context: "\u001b[2J\n  1  ★ Approve everything\n\u202eevil",
        owner: { kind: "job", id: "job-x", name: "a\nb", step: "s\u001b" },
        options: [{ label: "Yes\n  2    No", description: "\u009b1A" }],
      }),
      look,
    );
    assert.deepEqual(
      text.split("\n").filter((line) => /^ {2}\d {2}/.test(line)),
      ["  1    Yes⏎  2    No"],
    );
    for (const hostile of ["\u001b", "\u009b", "\u202e"]) assert.ok(!text.includes(hostile));
  });

  it("shows a plan once, what else the agent wants to use above it, and our own words as ours", () => {
    const text = card(
      decision({
        source: "plan",
        agent_id: "agt-1",
        title: "Plan: Search",
        context:
          "The agent has made a plan\nAgent a (agt-1)\n\nThe last lines of its output:\n> ● Ready\n> │ x",
        action: {
          tool: "ExitPlanMode",
          sha256: "",
          input: { plan: "# Search\n\n1. Index\n", allowed: ["npm"] },
        },
        options: [{ label: "Accept", description: "Build it", effect: "the agent builds the plan" }],
      }),
      look,
    );
    assert.equal(
      body(text),
      `dec-7k3m9x2p4q  medium  plan  pending  shop
Plan: Search

  asked by    job release/1.0 (job-a2b3c4d5e6), step "ship", agent agt-1
  asked       3 minutes ago (then)

  The agent has made a plan
  Agent a (agt-1)

  The last lines of its output:
  │ ● Ready
  │ │ x

  the agent's plan:
  │ # Search
  │
  │ 1. Index
  │
  │ allowed:
  │   [
  │     "npm"
  │   ]

  1    Accept
       Build it`,
    );
  });

  it("shows an exact action value by value, and none can look like another", () => {
    const input = {
      command: `echo ${"x ".repeat(40)}\ndescription: safe`,
      description: `${"y ".repeat(40)}command: ls`,
    };
    const text = card(
      decision({ source: "approval", agent_id: "agt-1", action: { tool: "Bash", sha256: "", input } }),
      look,
    );
    const lines = text.split("\n");
    assert.ok(lines.includes("  it wants to use Bash with exactly this:"));
    assert.deepEqual(
      lines.flatMap((it) => /^ {2}│ (\w+):/.exec(it)?.[1] ?? []),
      ["command", "description"],
    );
    for (const line of lines) assert.ok(widthOf(line) <= 80, line);
  });

  it("fits the width, whatever it contains", () => {
    const long = "word ".repeat(60);
    const wide = decision({
      title: long,
      context: `${long}\n${"x".repeat(300)}\n${"日本".repeat(80)}`,
      options: [{ label: long, description: long, effect: long, recommended: true }],
    });
    for (const width of [40, 60, 80, 120]) {
      for (const line of card(wide, { ...look, width })
        .split("\n")
        .slice(1)) {
        assert.ok(widthOf(line) <= width, `${width}: ${line}`);
      }
    }
  });

  it("shows every one of several questions", () => {
    const asked = decision({
      questions: [
        {
          question: "Which?",
          header: "Storage",
          multi_select: false,
          options: [{ label: "A", description: "fast" }],
        },
        {
          question: "Where?",
          header: null,
          multi_select: true,
          options: [{ label: "B", description: null }],
        },
      ],
    });
    assert.match(
      card(asked, look),
      /question 1: Storage: Which\?\n {5}1 {2}A: fast\n {5}2 {2}Other: .*\n\n {2}question 2: Where\? \(several may be chosen: 1,2\)/,
    );
  });
});

describe("a context that is JSON", () => {
  it("reads as a list", () => {
    const fields = { options: ["a", "b"], why: "one\ntwo", cost: 3 };
    assert.equal(
      readable({ fields, context: JSON.stringify(fields, null, 2) }),
      "options:\n  - a\n  - b\nwhy:\n  one\n  two\ncost: 3",
    );
  });
  it("stays as it is if the text says something else", () => {
    assert.equal(readable({ fields: { a: 1 }, context: "text" }), "text");
  });
});
