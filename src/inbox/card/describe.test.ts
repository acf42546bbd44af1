import assert from "node:assert/strict";
import { describe as group, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import type { DecisionView } from "../../api/api.ts";
import type { QuoteName } from "../../core/text/quote.ts";
import { quoted } from "../../core/text/quote.ts";
import type { Block } from "./card.ts";
import { describe } from "./describe.ts";

const HEAD = 'Agent builder (agt-1), step "build" of feature (job-1)';

type About = Partial<DecisionView> & {
  what?: string;
  quotes?: Partial<Record<QuoteName, string>>;
  ours?: string;
};

/** A decision about an agent, with the context that core writes. */
function about({ what = "The agent has stopped and is waiting", quotes = {}, ours = "", ...more }: About) {
  const told = Object.entries(quotes).map(([name, text]) => quoted(name as QuoteName, text));
  const context = [`${what}\n${HEAD}`, ours, ...told].filter((it) => it !== "").join("\n\n");
  return describe(
    decision({ agent_id: "agt-1", source: "idle", context, options: undefined, ...more } as never),
    NOW,
  );
}

const action = (input: unknown, tool = "Bash") => ({ tool, input, sha256: "" });
const code = (label: string | null, text: string, language = "text") => ({
  type: "code",
  label,
  language,
  text,
});

group("the card of an approval", () => {
  const approval = (input: unknown, more: About = {}) =>
    about({ source: "approval", action: action(input), ...more });

  it("shows what a person made of it below what the agent asked for", () => {
    const answer = { chosen: 1, choices: [[1]], labels: ["Approve"], text: null, message: null, by: "ana" };
    const changed = { ...answer, via: "cli", resolved_at_ms: NOW, input: { command: "ls build" } } as const;
    const { matter, facts } = approval({ command: "rm -rf build" }, { state: "resolved", answer: changed });
    assert.deepEqual(matter, [
      code(null, "rm -rf build", "shell"),
      { type: "ours", text: "Approved with a change. This is what may run instead:" },
      code(null, "ls build", "shell"),
    ]);
    assert.equal(facts.find((it) => it.name === "answer")?.text, "Approve, with a change");
  });

  it("shows the command first, then every other value by a name that people use", () => {
    const { matter } = approval({ command: "git push", run_in_background: true, extra: { a: [1] } });
    assert.deepEqual(matter, [
      code(null, "git push", "shell"),
      code("in the background", "true", "json"),
      code("extra", '{\n  "a": [\n    1\n  ]\n}', "json"),
    ]);
  });

  it("has the first words of a long command as its title: all of it stands below, once", () => {
    const command = "npm test -- ".repeat(20);
    const card = approval({ command }, { title: `Bash: ${command}` });
    assert.equal(card.title, `Bash: ${command}`.slice(0, 71).concat("…"));
    assert.deepEqual(card.matter, [code(null, command, "shell")]);
  });

  it("shows an edit as a diff, and says if every occurrence changes", () => {
    const input = {
      file_path: "a.ts",
      old_string: "one\ntwo\nthree",
      new_string: "one\n2\nthree",
      replace_all: true,
    };
    assert.deepEqual(approval(input).matter, [
      {
        type: "diff",
        path: "a.ts",
        lines: [
          { kind: "kept", text: "one" },
          { kind: "removed", text: "two" },
          { kind: "added", text: "2" },
          { kind: "kept", text: "three" },
        ],
      },
      code("every occurrence", "true", "json"),
    ]);
    assert.equal(approval({ ...input, replace_all: false }).matter.length, 1);
  });

  const diff = {
    path: "a.ts",
    text: "@@ -4,2 +4,2 @@\n kept\n-old\n+new",
    is_new: false,
    cut: 0,
    unread: null,
  };
  const written = (more: object) =>
    about({
      source: "approval",
      action: {
        tool: "Write",
        sha256: "",
        input: { file_path: "a.ts", content: "all" },
        diff: { ...diff, ...more },
      },
    }).matter;
  const lines = [
    { kind: "gap", text: "3 unchanged lines" },
    { kind: "kept", text: "kept" },
    { kind: "removed", text: "old" },
    { kind: "added", text: "new" },
  ];

  it("shows what would change in the file, if that was recorded", () => {
    assert.deepEqual(written({}), [{ type: "diff", path: "a.ts", lines }]);
    const input = { file_path: "a.ts", old_string: "old", new_string: "new", other: 1 };
    const edit = approval(input, { action: { tool: "Edit", sha256: "", input, diff } });
    assert.deepEqual(edit.matter, [{ type: "diff", path: "a.ts", lines }, code("other", "1", "json")]);
  });

  it("hides nothing that an edit has besides, where the record shows them all at once", () => {
    const edits = [{ old_string: "old", new_string: "new", other: "besides" }];
    const input = { file_path: "a.ts", edits };
    const { matter } = approval(input, { action: { tool: "MultiEdit", sha256: "", input, diff } });
    assert.match(JSON.stringify(matter), /besides/);
  });

  it("shows the whole input if the record is not all of it, and says what is known about the file", () => {
    for (const [more, note] of [
      [{ is_new: true }, "The file does not exist yet."],
      [{ cut: 3 }, "The file exists. What would change is too long to show line by line."],
      [{ text: "" }, "The file has this text already."],
      [{ unread: "it is not text" }, "The file itself is not shown: it is not text."],
    ] as const)
      assert.deepEqual(written(more), [
        code("file", "a.ts"),
        code("content", "all"),
        { type: "ours", text: note },
      ]);
    assert.deepEqual(written({ path: "b.ts" }), [code("file", "a.ts"), code("content", "all")]);
  });

  it("shows each of several edits, and what an edit has besides", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "d", replace_all: true },
    ];
    const types = (blocks: readonly Block[]) => blocks.map((it) => it.type);
    assert.deepEqual(types(approval({ file_path: "a.ts", edits }).matter), ["diff", "diff", "code"]);
  });

  it("keeps a key that is no plain name inside the text", () => {
    assert.deepEqual(approval({ "1  Approve": "x" }).matter, [
      code("a value", '{\n  "1  Approve": "x"\n}', "json"),
    ]);
    const names = approval({ subagent_type: 1, planFilePath: 1, maxTurns: 1, "a-b": 1, URL: 1 }).matter;
    assert.deepEqual(
      names.map((it) => it.type === "code" && it.label),
      ["subagent type", "plan file path", "max turns", "a b", "URL"],
    );
  });

  const SECRET = "never hidden";
  for (const [name, input] of Object.entries({
    "beside a command": { command: "ls", other: SECRET },
    "beside an edit": { file_path: "a", old_string: "a", new_string: "b", other: SECRET },
    "in one of several edits": {
      file_path: "a",
      edits: [{ old_string: "a", new_string: "b", other: SECRET }],
    },
    "beside edits": { file_path: "a", edits: [{ old_string: "a", new_string: "b" }], other: SECRET },
    "as a path that is no text": { file_path: [SECRET], old_string: "a", new_string: "b" },
    "as a command that is no text": { command: [SECRET] },
    "in edits of another kind": { edits: [{ old_string: "a" }, SECRET] },
    "as the only value": SECRET,
    "in a list": [SECRET],
  }))
    it(`shows a value ${name}`, () => assert.match(JSON.stringify(approval(input).matter), /never hidden/));

  it("leaves the agent's own dialog out of its screen, which is folded", () => {
    const screen = [
      "● Pushing now",
      "─".repeat(60),
      " Bash command",
      " git push",
      " Do you want to proceed?",
      "   1. Yes",
      " ❯ 2. No",
      "",
      " Esc to cancel",
    ].join("\n");
    const card = approval({ command: "git push" }, { quotes: { screen: screen } });
    assert.deepEqual(card.screen, { type: "printed", label: "Its screen", text: "● Pushing now" });
    assert.ok(!JSON.stringify(card).includes("2. No"));
  });

  it("is about the screen if the dialog was read from there, without the rows that are our options", () => {
    const screen =
      "Do you want to use this API key?\n\n   1. Yes\n ❯ 2. No (recommended)\n\n Enter to confirm";
    const card = about({ source: "approval", action: null, quotes: { screen: screen } });
    assert.deepEqual(card.matter, [
      { type: "printed", label: "The last lines on its screen", text: "Do you want to use this API key?" },
    ]);
    assert.equal(card.screen, null);
  });
});

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
