import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { quoted } from "../../core/text/quote.ts";
import { uncoloured, widthOf } from "../../text/layout.ts";
import { colours, plain } from "../base/output.ts";
import { card } from "./card.ts";

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
      `Ship 1.0?

  from the runbook of release/1.0
  │ all green
  │
  │   42 tests

  1  ★ Ship it  Publishes it  → the job continues  recommended
  2    Again                  → the job goes to step "test"

  asked by    job release/1.0 (job-a2b3c4d5e6), step "ship"
  asked       3 minutes ago (then)
  decision    dec-7k3m9x2p4q, step, high urgency, pending
  project     shop`,
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
      `Ship 1.0?

  1  ★ Ship it  recommended
  2  ✓ Stop

  answer      Stop
  message     not today
  answered by ana (cli), 1 minute ago (then)
  delivery    answered, not delivered yet (2 attempts): nobody listens
  asked by    bot
  asked       3 minutes ago (then)
  decision    dec-7k3m9x2p4q, request, medium urgency, resolved
  project     shop`,
    );
  });

  it("keeps a name that is too long for its column apart from what it says", () => {
    const text = card(decision({ not_notified: "nobody: no route matches" }), look);
    assert.match(text, /^ {2}not notified: nobody: no route matches$/m);
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
      ["  1    Yes⏎  2    No  \\u{9b}1A"],
    );
    for (const hostile of ["\u001b", "\u009b", "\u202e"]) assert.ok(!text.includes(hostile));
  });

  it("shows a plan once, whatever comes with it, and folds the screen", () => {
    const text = card(
      decision({
        source: "plan",
        agent_id: "agt-1",
        title: "Plan: Search",
        context: `The agent has made a plan\nAgent a (agt-1), step "x" of y (job-1)\n\n${quoted("screen", "● Ready\n│ x")}`,
        action: {
          tool: "ExitPlanMode",
          sha256: "",
          input: { plan: "# Search\n\n1. Index\n", allowed: ["npm"], planFilePath: "/p.md" },
        },
        options: [{ label: "Accept", description: "Build it", effect: "the agent builds the plan" }],
      }),
      look,
    );
    assert.equal(
      body(text),
      `Plan: Search

  The agent's plan
  │ # Search
  │
  │ 1. Index

  allowed  ┃ [ "npm" ]

  1    Accept  Build it

  asked by    job release/1.0 (job-a2b3c4d5e6), step "ship"
  agent       a (agt-1)
  asked       3 minutes ago (then)
  decision    dec-7k3m9x2p4q, plan, medium urgency, pending
  project     shop
  screen      2 lines: oj decision show dec-7k3m9x2p4q --full`,
    );
  });

  const approval = (input: unknown) =>
    decision({ source: "approval", agent_id: "agt-1", action: { tool: "Bash", sha256: "", input } });

  it("shows an exact action value by value: what is left of a bar is ours, and a long line says that it goes on", () => {
    const command = `echo ${"x ".repeat(40)}\ndescription  ┃ safe`;
    const text = card(approval({ command, description: "y", timeout: 5 }), look);
    const lines = text.split("\n");
    assert.deepEqual(lines.slice(2, 8), [
      `  ┃ echo ${"x ".repeat(34)}`.trimEnd(),
      `  ┃ ↪ ${"x ".repeat(6)}`.trimEnd(),
      "  ┃ description  ┃ safe",
      "",
      "  description   ┃ y",
      "  timeout (ms)  ┃ 5",
    ]);
    for (const line of lines) assert.ok(widthOf(line) <= 80, line);
  });

  it("shows an edit as a diff", () => {
    const lines = card(approval({ file_path: "a.ts", old_string: "one\ntwo", new_string: "one\n2" }), look);
    assert.deepEqual(lines.split("\n").slice(2, 6), ["  file  ┃ a.ts", "", "  ┃   one", "  ┃ - two"]);
  });

  it("colours shell, JSON and diffs without changing a letter", () => {
    const input = { command: `git push "$TO" --force && # a\n`, more: { a: [1, null, "x"] } };
    const edit = { file_path: "a.ts", old_string: "one\ntwo", new_string: "one\n2" };
    for (const it of [input, edit]) {
      const painted = card(approval(it), { ...look, style: colours });
      assert.notEqual(painted, card(approval(it), look));
      assert.equal(uncoloured(painted), card(approval(it), look));
    }
  });

  it("fits the width, whatever it contains", () => {
    const long = "word ".repeat(60);
    const wide = decision({
      title: long,
      context: `${long}\n${"x".repeat(300)}\n${"日本".repeat(80)}`,
      options: [{ label: long, description: long, effect: long, recommended: true }],
    });
    for (const width of [40, 60, 80, 120]) {
      for (const line of card(wide, { ...look, width }).split("\n")) {
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
      /question 1 of 2: Storage: Which\?\n {5}1 {2}A: fast\n {5}2 {2}Other: .*\n\n {2}question 2 of 2: Where\? \(several may be chosen: 1,2\)/,
    );
  });
});
