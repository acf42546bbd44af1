import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { piped } from "../support/piped.ts";
import { openTerminal } from "../support/terminal.ts";

const store = { question: "Which store?", header: "Store", options: ["Postgres", "SQLite"] };
const parts = { question: "Which parts?", multiSelect: true, options: ["Auth", "Search", "Export"] };
const name = { question: "Which name?", options: ["Oak", "Elm"] };
const SIZE = { columns: 100, rows: 50 };

async function asks(...questions: object[]): Promise<{ stage: Stage; run: Run; id: string }> {
  const stage = await agentStage({
    asks: { scenario: { turns: [[{ ask: questions }, { signal: "done" }]] } },
  });
  const run = await stage.job("asks");
  return { stage, run, id: (await run.asked("question")).id };
}

/** What the agent itself noted that it was told. */
async function got(run: Run, answers: Record<string, string>, notes?: string): Promise<void> {
  assert.equal(await run.ended(), "completed");
  const [one, ...more] = run.told("answered");
  assert.deepEqual([one?.answers, more], [answers, []]);
  const [first = ""] = Object.keys(answers);
  assert.deepEqual(one?.annotations, notes === undefined ? {} : { [first]: { notes } });
}

describe("review of an agent's questions in a terminal", () => {
  it("asks each one, takes several choices, free text and a message, and the agent gets them", async () => {
    const { stage, run } = await asks(store, parts, name);
    const terminal = await openTerminal(stage, ["decision", "review"], SIZE);
    await terminal.shows(/3 {2}Other[\s\S]*1-3 choose, s skip, q quit, cancel, dismiss, t your own words/);
    await terminal.press("2");
    await terminal.shows(
      /→ 2 SQLite[\s\S]*question 2 of 3: Which parts\?[\s\S]*1-4 \(1,2 for several\) choose.*:$/m,
    );
    await terminal.type("1,3");
    await terminal.press("Enter");
    await terminal.shows(/question 3 of 3: Which name\?[\s\S]*1-3 choose[^\n]*:\s*$/);
    await terminal.press("3");
    await terminal.shows(/your words \(Enter: continue, Esc: choose again\)/);
    await terminal.type("take 1 plz, quit smoking");
    await terminal.press("Enter");
    await terminal.shows(
      /your answers:\s+Store {2}SQLite\s+Which parts\? {2}Auth, Export\s+Which name\? {2}"take 1 plz, quit smoking"/,
    );
    await terminal.type("s for soon");
    await terminal.press("Enter");
    await got(
      run,
      {
        "Which store?": "SQLite",
        "Which parts?": "Auth, Export",
        "Which name?": "take 1 plz, quit smoking",
      },
      "s for soon",
    );
    await stage.until(terminal.isOver);
    assert.match(await terminal.screen(), /1 answered, 0 skipped, 0 left/);
  });

  it("takes text typed in place of a number as it is", async () => {
    const { stage, run } = await asks(store);
    const terminal = await openTerminal(stage, ["decision", "review"], SIZE);
    await terminal.shows(/1-5 choose, s skip, q quit, t your own words/);
    await terminal.type("take 1 plz");
    await terminal.press("Enter");
    await terminal.shows(/your words .*take 1 plz/);
    await terminal.press("Enter");
    await terminal.shows(/message \(Enter: none/);
    await terminal.press("Enter");
    await got(run, { "Which store?": "take 1 plz" });
  });

  also("asks again if Other was chosen without any text", async () => {
    const { stage, run } = await asks(store);
    const terminal = await openTerminal(stage, ["decision", "review"], SIZE);
    await terminal.shows(/1-5 choose/);
    await terminal.press("3", "Enter");
    await terminal.shows(/type an answer/);
    await terminal.type("take 1 plz");
    await terminal.press("Enter");
    await terminal.shows(/message \(Enter: none/);
    await terminal.press("Enter");
    await got(run, { "Which store?": "take 1 plz" });
  });
});

describe("review of an agent's questions from a pipe", () => {
  also("takes one line per question", async () => {
    const { stage, run } = await asks(store, parts, name);
    const review = piped(stage, "3\na flat file\n1,3\n3\ntake 1 plz\nin this order\n", "decision", "review");
    const { stdout, code } = await review;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /1 answered, 0 skipped, 0 left/);
    await got(
      run,
      { "Which store?": "a flat file", "Which parts?": "Auth, Export", "Which name?": "take 1 plz" },
      "in this order",
    );
  });

  also("cancels by name, and answers nothing if there is a line too many", async () => {
    const { stage, run, id } = await asks(store, parts);
    const half = piped(stage, "take 1 plz\n1\n", "decision", "review");
    assert.match((await half).stdout, /0 answered, 0 skipped, 1 left/);
    assert.equal((await stage.decision(id)).state, "pending");
    const review = piped(stage, "cancel\nnot now\n", "decision", "review");
    assert.match((await review).stdout, /1 answered/);
    assert.equal(await run.ended(), "cancelled");
  });
});

describe("the commands that show, job show and a refusal suggest", () => {
  also("work as printed, for several questions", async () => {
    const { stage, id, run } = await asks(store, parts, name);
    const shown = await stage.run("decision", "show", id);
    assert.match(shown.stdout, /1 {2}Postgres\n {5}2 {2}SQLite\n {5}3 {2}Other/);
    assert.match(shown.stdout, /cancel {3}Cancel the whole run/);
    const job = await stage.run("job", "show", run.owner);
    assert.match(job.stdout, /question 2 of 3: Which parts\?[\s\S]*4 {2}Other/);
    const refused = await stage.run("decision", "resolve", id, "3", "1,4", "1");
    assert.equal(refused.code, 1);
    const hints = [shown.stderr, job.stdout + job.stderr, refused.stderr].map(
      (it) => /oj (decision resolve .*)/.exec(it)?.[1] ?? `nothing in ${it}`,
    );
    assert.deepEqual(hints, [
      `decision resolve ${id} <1-3> <1-4,…> <1-3> [-m "a message"]`,
      `decision resolve ${id} <1-3> <1-4,…> <1-3>`,
      `decision resolve ${id} 3 1,4 1 --text "…" --text "…"`,
    ]);
    const [, , last = ""] = hints;
    const words = [...last.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    assert.equal((await stage.run(...words)).code, 0);
    await got(run, { "Which store?": "…", "Which parts?": "Auth, …", "Which name?": "Oak" });
    const settled = await stage.run("decision", "show", id);
    assert.match(settled.stdout, /✓ 3 {2}Other: …[\s\S]*✓ 1 {2}Auth[\s\S]*✓ 4 {2}Other: …[\s\S]*✓ 1 {2}Oak/);
    assert.doesNotMatch(settled.stdout, /✓.*(cancel|dismiss)/);
  });
});
