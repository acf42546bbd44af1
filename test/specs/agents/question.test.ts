import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Run } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { ends, giveEach, labels, stays } from "../support/answers.ts";

const store = { question: "Which store?", header: "Store", options: ["Postgres", "SQLite"] };
const parts = { question: "Which parts?", multiSelect: true, options: ["Auth", "Search", "Export"] };
const name = { question: "Which name?", options: ["Oak", "Elm"] };
const when = { question: "When?", options: ["Now", "Later"] };

/** The agent got exactly these answers, once, and the job went on. */
const got = (answers: Record<string, string>, notes?: string) => async (run: Run) => {
  await ends("completed")(run);
  const [one, ...more] = run.told("answered");
  assert.deepEqual([one?.answers, one?.by, more], [answers, "hook", []]);
  const [first = ""] = Object.keys(answers);
  assert.deepEqual(one?.annotations, notes === undefined ? {} : { [first]: { notes } });
};

describe("an agent that asks one question", () => {
  also("offers its own options, Other, Cancel and Dismiss, and hears what was chosen", async () => {
    const stage = await agentStage({
      asks: { scenario: { turns: [[{ say: "I need to know." }, { ask: store }, { signal: "done" }]] } },
    });
    await giveEach(
      stage,
      "asks",
      "question",
      (decision) => {
        assert.equal(decision.title, "Which store?");
        assert.deepEqual(labels(decision), ["Postgres", "SQLite", "Other", "Cancel", "Dismiss"]);
      },
      [
        { words: ["1"], effect: got({ "Which store?": "Postgres" }) },
        { words: ["2", "-m", "one file"], effect: got({ "Which store?": "SQLite" }, "one file") },
        { words: ["3", "--text", "a flat file"], effect: got({ "Which store?": "a flat file" }) },
        { words: ["3", "-m", "paper"], effect: got({ "Which store?": "paper" }) },
        { words: ["-m", "ask the team"], effect: got({ "Which store?": "ask the team" }) },
        { words: ["4"], effect: ends("cancelled") },
        { words: ["5"], effect: stays },
      ],
      "I need to know.",
    );
  });

  also("can allow several choices", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[{ ask: parts }, { signal: "done" }]] } } });
    await giveEach(stage, "asks", "question", (it) => assert.equal(it.questions[0]?.multi_select, true), [
      { words: ["1,3"], effect: got({ "Which parts?": "Auth, Export" }) },
      { words: ["2"], effect: got({ "Which parts?": "Search" }) },
    ]);
  });
});

describe("an agent that asks four questions at once", () => {
  const four = [store, parts, name, when];

  it("gets an answer to each, with several choices, free text, and notes", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[{ ask: four }, { signal: "done" }]] } } });
    const all = (changed: Record<string, string>) => ({
      "Which store?": "SQLite",
      "Which parts?": "Auth, Search",
      "Which name?": "Oak",
      "When?": "Later",
      ...changed,
    });
    await giveEach(
      stage,
      "asks",
      "question",
      (decision) => {
        assert.equal(decision.title, "4 questions: Which store?");
        assert.deepEqual(
          decision.questions.map((it) => it.options.map((option) => option.label)),
          four.map((it) => it.options),
        );
      },
      [
        { words: ["2", "1,2", "1", "2"], effect: got(all({})) },
        { words: ["2", "1,2", "3", "2", "--text", "Ash"], effect: got(all({ "Which name?": "Ash" })) },
        {
          words: ["3", "1,2", "3", "2", "--text", "a flat file", "--text", "Ash"],
          effect: got(all({ "Which store?": "a flat file", "Which name?": "Ash" })),
        },
        { words: ["2", "1,2", "1", "2", "-m", "in this order"], effect: got(all({}), "in this order") },
        { words: ["cancel"], effect: ends("cancelled") },
        { words: ["dismiss"], effect: stays },
      ],
    );
  });

  also("shows them with their numbers, and refuses answers that do not fit", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[{ ask: four }]] } } });
    const { id } = await (await stage.job("asks")).asked("question");
    const { stdout } = await stage.run("decision", "show", id);
    for (const it of [/Which parts\?/, /1 +Auth/, /3 +Export/, /2 +Later/]) assert.match(stdout, it);
    const refused: [string[], RegExp][] = [
      [["1"], /asks 4 questions; 1 choice was given/],
      [["1", "1", "1", "1", "1"], /asks 4 questions; 5 choices were given/],
      [["1,2", "1", "1", "1"], /"Which store\?" takes one choice/],
      [["1", "1", "3", "1"], /Other for "Which name\?" needs an answer/],
      [["3", "1", "3", "1", "--text", "a file", "--text", " "], /Other for "Which name\?" needs an answer/],
      [["1", "1", "9", "1"], /"Which name\?" has 2 options, and 3 is Other; 9 is not one of them/],
      [["-m", "yes"], /asks 4 questions: a message alone does not answer them/],
    ];
    const replies = await Promise.all(
      refused.map(([words]) => stage.run("decision", "resolve", id, ...words)),
    );
    for (const [index, { code, stderr }] of replies.entries()) {
      assert.equal(code, 1);
      assert.match(stderr, refused[index]?.[1] ?? /^/);
    }
    assert.equal((await stage.decision(id)).state, "pending");
  });
});
