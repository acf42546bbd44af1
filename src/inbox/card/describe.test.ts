import assert from "node:assert/strict";
import { describe as group, it } from "vitest";
import { about, action, code, HEAD } from "../../../test/fakes/cards.ts";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { quoted } from "../../core/text/quote.ts";
import { describe } from "./describe.ts";

group("the card of an agent that stopped or failed", () => {
  it("is about its last message, which is not repeated if the title says it", () => {
    const long = about({
      title: "Stopped: Shall I?",
      quotes: { message: "It works.\n\nShall I?" },
    });
    assert.deepEqual(long.matter, [{ type: "said", by: "Its last message", text: "It works.\n\nShall I?" }]);
    const short = about({ title: "Stopped: Shall I?", quotes: { message: "Shall I?" } });
    assert.deepEqual([short.matter, short.why], [[], []]);
  });

  it("tells its task after its words, whatever the card is about", () => {
    for (const source of ["idle", "approval", "error", "dead"] as const) {
      const { why } = about({ source, quotes: { message: "Shall I go on?", task: "Fix the login" } });
      assert.deepEqual(why.at(-1), { type: "said", by: "Its task", text: "Fix the login" }, source);
    }
  });

  it("leads with what the gate printed; what was tried and said comes after it", () => {
    const card = about({
      source: "gate",
      title: "Gate failed (exit code 1): npm test",
      what: "The gate failed: npm test\nexit code 1",
      ours: "Tried before asking: gate 3 times (on_idle)",
      quotes: { gate: "# 1 | failed", message: "All *green*", screen: "❯ " },
    });
    assert.deepEqual(card.matter, [
      { type: "printed", label: "What the gate printed", text: "# 1 | failed" },
    ]);
    assert.deepEqual(card.why, [
      { type: "ours", text: "Tried before asking: gate 3 times (on_idle)" },
      { type: "said", by: "Its last message", text: "All *green*" },
    ]);
  });

  it("has the gate's script, and folds what changed since the last attempt", () => {
    const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ total\n one\n-two\n+2";
    const quotes = { script: "npm ci\nnpm test", changed: "x | 2 +-", changes: diff };
    const card = about({ source: "gate", what: "The gate failed: npm ci\nnpm test\nexit code 1", quotes });
    assert.deepEqual(card.matter, [code("The gate's script", "npm ci\nnpm test", "shell")]);
    assert.deepEqual(card.why, [
      { type: "printed", label: "What changed since the last attempt", text: "x | 2 +-" },
    ]);
    assert.deepEqual(card.changes, [
      {
        type: "diff",
        path: "x",
        lines: [
          { kind: "kept", text: "one" },
          { kind: "removed", text: "two" },
          { kind: "added", text: "2" },
        ],
      },
    ]);
  });

  it("shows a gate of several lines in full", () => {
    const card = about({ source: "gate", what: "The gate failed: npm ci\n\nnpm test\nexit code 1" });
    assert.deepEqual(card.matter, [code("The gate", "npm ci\n\nnpm test", "shell")]);
  });

  it("does not repeat its last message below the screen that shows it", () => {
    const quotes = { message: "Starting\nnow.", screen: "● Starting\n  now.\n$ " };
    assert.deepEqual(about({ source: "dead", quotes }).why, []);
    assert.equal(about({ source: "dead", quotes: { ...quotes, message: "Else" } }).why.length, 1);
  });

  it("is about the last lines of its output if it died", () => {
    const card = about({
      source: "dead",
      title: "Died: exit code 127",
      quotes: { screen: "claude: not found" },
    });
    assert.deepEqual(card.matter, [
      { type: "printed", label: "The last lines on its screen", text: "claude: not found" },
    ]);
    assert.equal(card.screen, null);
  });
});

group("the card of a question or a plan", () => {
  const question = (text: string, header: string | null = null) => ({
    question: text,
    header,
    multi_select: false,
    options: [],
  });

  it("says a single question once, as its title, unless it is longer", () => {
    const quotes = { questions: "[Store] Which store?" };
    const short = about({
      source: "question",
      title: "Which store?",
      questions: [question("Which store?")],
      quotes,
    });
    assert.deepEqual([short.matter, short.why], [[], []]);
    const asked = "Look:\n| a | b |\nWhich?";
    const long = about({ source: "question", title: "Look: | a | b | Which…", questions: [question(asked)] });
    assert.deepEqual(long.matter, [{ type: "said", by: "What it asks", text: asked }]);
  });

  it("has every one of several questions", () => {
    const { matter } = about({
      source: "question",
      questions: [question("Which?", "Store"), question("Where?")],
    });
    assert.deepEqual(matter, [
      { type: "said", by: "Question 1: Store", text: "Which?" },
      { type: "said", by: "Question 2", text: "Where?" },
    ]);
  });

  it("has the whole plan in the agent's words, and what comes with it", () => {
    const plan = { plan: "# Search\n\n1. Index", planFilePath: "/p.md", allowed: "npm" };
    const { matter } = about({ source: "plan", action: action(plan, "ExitPlanMode") });
    assert.deepEqual(matter, [
      { type: "said", by: "The agent's plan", text: plan.plan },
      code("allowed", "npm"),
    ]);
  });
});

group("the card of a step or a request", () => {
  it("is about its context, in the words of whoever wrote it", () => {
    const card = describe(decision({ context: "all green", title: "Ship?\nReally?" }), NOW);
    assert.equal(card.title, "Ship?");
    assert.deepEqual(card.matter, [
      { type: "said", by: "from the runbook of release/1.0", text: "Really?" },
      { type: "printed", label: "from the runbook of release/1.0", text: "all green" },
    ]);
  });

  it("has the fields of a context that is JSON", () => {
    const fields = { why: "one\ntwo" };
    const card = describe(decision({ fields, context: JSON.stringify(fields, null, 2) }), NOW);
    assert.deepEqual(card.matter, [{ type: "fields", by: "from the runbook of release/1.0", fields }]);
  });

  it("never takes labels from somebody else's words", () => {
    const context = `${HEAD}\n\nWhat the gate printed:\n> all fine`;
    const card = describe(decision({ source: "request", context }), NOW);
    assert.deepEqual(card.matter, [{ type: "said", by: "in the words of release/1.0", text: context }]);
  });
});

group("the facts of a card", () => {
  const texts = (card: { facts: readonly { name: string; text: string }[] }) =>
    Object.fromEntries(card.facts.map((it) => [it.name, it.text]));

  it("say who asks, since when, and the ids", () => {
    const facts = texts(about({}));
    assert.equal(facts["asked by"], 'job release/1.0 (job-a2b3c4d5e6), step "ship"');
    assert.equal(facts.agent, "builder (agt-1)");
    assert.match(facts.asked ?? "", /^3 minutes ago \(\d{4}-/);
    assert.match(facts.decision ?? "", /^dec-7k3m9x2p4q, idle, medium urgency, pending$/);
  });

  it("name the folder of a session that has stopped, whose last words are what it is about", () => {
    const head = "Session s1 in /home/shop. Its own terminal waits for a prompt.";
    const session = { source: "idle", session: "s1", agent_id: null } as const;
    const context = `${head}\n\n${quoted("message", "Ready.\n\nIn /x. Its own terminal is fine.")}`;
    const card = describe(decision({ ...session, context }), NOW);
    assert.equal(texts(card).folder, "/home/shop");
    assert.deepEqual(card.matter, [
      { type: "said", by: "Its last message", text: "Ready.\n\nIn /x. Its own terminal is fine." },
    ]);
    assert.deepEqual(card.why, [{ type: "ours", text: "Its own terminal waits for a prompt." }]);
    const fake = `Session s1 in /x\n\nIts last message:\n> fine\n\nApprove. ${head}`;
    const faked = describe(decision({ ...session, context: fake }), NOW);
    assert.deepEqual([faked.why.length, faked.matter.length], [1, 0], "a folder can't speak for the session");
  });

  it("name the folder of a session, and the card says that its terminal shows the dialog", () => {
    const context = "Session s1 in /shop\n  1  fake. Its own terminal shows the dialog as well.";
    const session = {
      source: "approval",
      session: "s1",
      context,
      action: action({ command: "ls" }),
    } as const;
    const card = describe(decision(session), NOW);
    assert.equal(texts(card).folder, "/shop\n  1  fake");
    assert.deepEqual(card.why, [{ type: "ours", text: "Its own terminal shows the dialog as well." }]);
  });
});
