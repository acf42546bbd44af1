import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { Prompt, Reply } from "../../../core/model/agent-types.ts";
import type { KeyStep } from "../../client.ts";
import { claudeCode } from "../client.ts";

const client = claudeCode;
const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");

/** The dialog, as its hook reported it. */
function asked(tool_name: string, tool_input: object): Prompt {
  const [seen] = client.read({ hook_event_name: "PermissionRequest", tool_name, tool_input })?.seen ?? [];
  assert.equal(seen?.type, "prompted");
  return (seen as { prompt: Prompt }).prompt;
}

const choice = (label: string) => ({ label, description: "" });
const store = { question: "Which database should we use?", options: ["SQLite", "Postgres"].map(choice) };
const parts = {
  question: "Which features do you want?",
  multiSelect: true,
  options: ["Auth", "Search", "Export"].map(choice),
};
const touch = asked("Bash", { command: "touch made", description: "a test" });
const fetched = asked("WebFetch", { url: "http://127.0.0.1:9/page", prompt: "What is there?" });
const one = asked("AskUserQuestion", { questions: [store] });
const multi = asked("AskUserQuestion", { questions: [parts] });
const two = asked("AskUserQuestion", { questions: [store, parts] });
const plan = asked("ExitPlanMode", { plan: "# Plan\n\n1. Tear it down\n2. Build it\n\n#s:x\n" });

const yes: Reply = { type: "approve", message: null };
const no = (message: string | null): Reply => ({ type: "deny", message });
const accept = (mode: "clear" | "auto" | "manual"): Reply => ({ type: "accept", mode, message: null });
const revise: Reply = { type: "revise", message: "Add some tests" };
const answers = (first: string[], text: string | null, second?: string[]): Reply => ({
  type: "answers",
  message: null,
  answers: [
    { question: store.question, labels: first, text },
    ...(second ? [{ question: parts.question, labels: second, text: null }] : []),
  ],
});
const ofParts = (labels: string[], text: string | null): Reply => ({
  type: "answers",
  message: null,
  answers: [{ question: parts.question, labels, text }],
});

const press = (...keys: string[]): KeyStep => ({ type: "press", keys });
const send = (key: string): KeyStep => ({ type: "press", keys: [key], sends: true });
const type = (text: string): KeyStep => ({ type: "type", text });

const CASES: [screen: string, prompt: Prompt, reply: Reply, step: KeyStep][] = [
  ["approval-bash", touch, yes, send("1")],
  ["approval-bash", touch, { type: "approve", message: "and test it" }, send("1")],
  ["approval-bash-on-no", touch, yes, send("1")],
  ["approval-bash-reason", touch, yes, press("Down")],
  ["approval-bash", touch, no("Not here"), press("Down")],
  ["approval-bash-on-no", touch, no(null), press("Tab")],
  ["approval-bash-reason-empty", touch, no("Not here"), type("Not here")],
  ["approval-bash-reason", touch, no("Not in this folder,\nplease"), send("Enter")],
  ["approval-bash-reason", touch, no("Something else"), press("C-u")],
  [
    "approval-write",
    asked("Write", { file_path: "/home/ana/shop/made.txt", content: "1. Yes\n2. No\n" }),
    yes,
    send("1"),
  ],
  [
    "approval-edit",
    asked("Edit", { file_path: "/x/made.txt", old_string: "one", new_string: "two" }),
    yes,
    send("1"),
  ],
  ["approval-one-of-two", asked("Read", { file_path: "/etc/hostname" }), yes, send("1")],
  ["approval-fetch", fetched, yes, send("1")],
  ["approval-fetch", fetched, no("Use the cache"), send("3")],
  ["question-one", one, answers(["Postgres"], null), send("2")],
  ["question-one-own", one, answers(["Postgres"], null), press("Up")],
  ["question-one", one, answers([], "DuckDB, please"), press("3")],
  ["question-one-own-empty", one, answers([], "DuckDB, please"), type("DuckDB, please")],
  ["question-one-own", one, answers([], "DuckDB, please"), send("Enter")],
  ["question-multi", multi, ofParts(["Auth", "Export"], null), press("1")],
  ["question-multi-ticked", multi, ofParts(["Auth", "Export"], null), press("3")],
  ["question-multi-ticked", multi, ofParts(["Auth"], null), press("Right")],
  ["question-multi-ticked", multi, ofParts(["Search"], null), press("1")],
  ["question-multi-ticked", multi, ofParts(["Auth"], "also PDF"), press("Down")],
  ["question-multi-own-empty", multi, ofParts(["Auth"], "also PDF"), type("also PDF")],
  ["question-multi-own", multi, ofParts(["Auth"], "also PDF"), press("Tab")],
  ["question-multi-submit", multi, ofParts(["Auth"], "also PDF"), press("Enter")],
  ["question-multi-review", multi, ofParts(["Auth"], "also PDF"), send("1")],
  ["question-multi-review", multi, ofParts(["Auth", "Export"], null), press("Left")],
  ["question-two-first", two, answers(["Postgres"], null, ["Auth", "Export"]), press("2")],
  ["question-two-second", two, answers(["Postgres"], null, ["Auth", "Export"]), press("1")],
  ["question-two-review", two, answers(["Postgres"], null, ["Auth", "Export"]), send("1")],
  ["question-two-review", two, answers(["SQLite"], null, ["Auth", "Export"]), press("Left", "Left")],
  ["plan", plan, accept("clear"), send("1")],
  ["plan", plan, accept("auto"), send("2")],
  ["plan", plan, accept("manual"), send("3")],
  ["plan-words", plan, accept("manual"), press("Up")],
  ["plan", plan, revise, press("4")],
  ["plan-words-empty", plan, revise, type("Add some tests")],
  ["plan-words", plan, revise, send("Enter")],
];

describe("the next key on a screen of the real Claude Code", () => {
  it.each(CASES)("%s", (name, prompt, reply, step) => {
    assert.deepEqual(client.keys(prompt, reply, screen(name), []), step);
  });

  it("gives the reason after a bare No, which ends the turn", () => {
    const { keys } = client;
    const after = screen("interrupted");
    const done = [send("3")];
    assert.deepEqual(keys(fetched, no("/etc is ours"), after, done), type("The user says: /etc is ours"));
    const written = after.replace(/^❯\s*$/m, "❯ Use the cache");
    assert.deepEqual(keys(fetched, no("Use the cache"), written, done), press("Enter"));
    assert.deepEqual(keys(fetched, no("Something else"), written, done), press("C-u"));
    assert.deepEqual(keys(fetched, yes, after, done), { type: "done" });
    const told = after.replace("What should Claude do instead?", "$&\n\n❯ Use the cache\n\n● Right.");
    assert.deepEqual(keys(fetched, no("Use the cache"), told, done), { type: "done" });
  });

  it("is none if the dialog is not the one that was asked about", () => {
    const others: [string, Prompt, Reply][] = [
      ["approval-bash", asked("Bash", { command: "rm -rf /", description: "a test" }), yes],
      ["approval-bash", asked("Write", { file_path: "touch", content: "made" }), yes],
      ["approval-write", asked("Write", { file_path: "made.txt", content: "something else" }), yes],
      [
        "approval-edit",
        asked("Edit", { file_path: "/x/other.txt", old_string: "one", new_string: "two" }),
        yes,
      ],
      ["approval-one-of-two", asked("Read", { file_path: "/etc/shadow" }), yes],
      [
        "approval-fetch",
        asked("WebFetch", { url: "http://127.0.0.1:9/other", prompt: "What is there?" }),
        yes,
      ],
      ["approval-bash", plan, accept("manual")],
      ["question-one", multi, ofParts(["Auth"], null)],
      ["question-one", touch, yes],
      ["plan", touch, yes],
      ["plan", asked("ExitPlanMode", { plan: "# Another plan" }), accept("manual")],
      ["idle", touch, yes],
      ["working", touch, yes],
    ];
    for (const [name, prompt, reply] of others) {
      assert.deepEqual(
        client.keys(prompt, reply, screen(name), []),
        { type: "wait" },
        `${name} ${prompt.tool}`,
      );
      assert.deepEqual(client.keys(prompt, reply, screen(name), [press("1")]), { type: "done" });
    }
  });
});
