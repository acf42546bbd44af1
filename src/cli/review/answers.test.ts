import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { FakeClient } from "../../../test/fakes/fake-client.ts";
import { decision, fakeClient } from "../../../test/fakes/fake-client.ts";
import { A, byLines, review, three } from "../../../test/fakes/review.ts";

const two = () =>
  fakeClient(
    decision({
      id: A,
      source: "question",
      title: "2 questions",
      questions: [
        {
          question: "Which store?",
          header: "Store",
          multi_select: false,
          options: ["Postgres", "SQLite"].map((label) => ({ label, description: null })),
        },
        {
          question: "Which parts?",
          header: null,
          multi_select: true,
          options: ["Auth", "Search", "Export"].map((label) => ({ label, description: null })),
        },
      ],
      options: [
        { key: "cancel", label: "Cancel" },
        { key: "dismiss", label: "Dismiss" },
      ],
    }),
  );
const one = (multi_select = false) =>
  fakeClient(
    decision({
      id: A,
      source: "question",
      questions: [
        {
          question: "Which store?",
          header: "Store",
          multi_select,
          options: ["Postgres", "SQLite"].map((label) => ({ label, description: null })),
        },
      ],
      options: [
        { key: "1", label: "Postgres" },
        { key: "2", label: "SQLite" },
        { key: "other", label: "Other" },
        { key: "cancel", label: "Cancel" },
        { key: "dismiss", label: "Dismiss" },
      ],
    }),
  );
const request = () => fakeClient(decision({ id: A, source: "request" }));
const plan = () =>
  fakeClient(
    decision({
      id: A,
      source: "plan",
      options: [
        { key: "accept-clear", label: "Accept" },
        { key: "revise", label: "Revise" },
      ],
    }),
  );

/** What is recorded: keys at a terminal, and the lines of a pipe that say the same. */
const ANSWERS: [string, () => FakeClient, string[], string[] | null, object | null][] = [
  ["an option", request, ["1", "\r"], ["1", ""], { choices: [[1]] }],
  [
    "an option and a message",
    request,
    ["2", "1 of these", "\r"],
    ["2", "1 of these"],
    { choices: [[2]], message: "1 of these" },
  ],
  [
    "words alone",
    request,
    ["take 1 plz", "\r", "\r"],
    ["t", "take 1 plz"],
    { choices: [], text: "take 1 plz" },
  ],
  [
    "words after t",
    request,
    ["t", "\r", "take 1 plz", "\r"],
    ["t", "take 1 plz"],
    { choices: [], text: "take 1 plz" },
  ],
  ["words where only a choice will do", three, ["take 1 plz", "\r", "q"], ["take 1 plz", "q"], null],
  [
    "Other with words",
    one,
    ["3", "take 1 plz", "\r", "\r"],
    ["3", "take 1 plz", ""],
    { choices: [[3]], text: "take 1 plz" },
  ],
  [
    "Other with words and a message",
    one,
    ["3", "sqlite 2", "\r", "q", "\r"],
    ["3", "sqlite 2", "q"],
    { choices: [[3]], text: "sqlite 2", message: "q" },
  ],
  [
    "Other, Enter, then words",
    one,
    ["3", "\r", "take 1 plz", "\r", "\r"],
    ["3", "", "take 1 plz", ""],
    { choices: [[3]], text: "take 1 plz" },
  ],
  ["Other without words", one, ["3", "\r", "\r", "\u001b", "q"], ["3", "", ""], null],
  [
    "words without Other",
    one,
    ["ask 2 of them", "\r", "\r", "\r"],
    ["t", "ask 2 of them", ""],
    { choices: [[3]], text: "ask 2 of them" },
  ],
  ["words that were taken back", one, ["take 1 plz", "\r", "\u001b", "2", "\r"], null, { choices: [[2]] }],
  ["one of several", () => one(true), ["2", "\r", "\r"], ["2", ""], { choices: [[2]] }],
  ["several", () => one(true), ["1,2", "\r", "\r"], ["1,2", ""], { choices: [[1, 2]] }],
  ["several and Other", () => one(true), ["1,3", "\r", "\u001b", "q"], ["1,3", "q"], null],
  [
    "a revised plan",
    plan,
    ["2", "\r", "smaller", "\r"],
    ["2", "", "smaller"],
    { choices: [[2]], message: "smaller" },
  ],
  ["two questions", two, ["2", "1,3", "\r", "\r"], ["2", "1,3", ""], { choices: [[2], [1, 3]] }],
  [
    "two questions and a message",
    two,
    ["1", "2", "\r", "s", "\r"],
    ["1", "2", "s"],
    { choices: [[1], [2]], message: "s" },
  ],
  [
    "words for the first",
    two,
    ["3", "q 1", "\r", "1", "\r", "\r"],
    ["3", "q 1", "1", ""],
    { choices: [[3], [1]], text: "q 1" },
  ],
  [
    "words for both",
    two,
    ["3", "a", "\r", "1,4", "\r", "b", "\r", "\r"],
    ["3", "a", "1,4", "b", ""],
    { choices: [[3], [1, 4]], texts: ["a", "b"], text: undefined },
  ],
  [
    "words typed where a number was asked for",
    two,
    ["1", "all 3 of them", "\r", "\r", "\r"],
    null,
    { choices: [[1], [4]], text: "all 3 of them" },
  ],
  ["the first once more", two, ["1", "\u001b", "2", "3", "\r", "\r"], null, { choices: [[2], [3]] }],
  [
    "Cancel by its name",
    two,
    ["cancel", "\r", "no need", "\r"],
    ["cancel", "no need"],
    { option: "cancel", message: "no need" },
  ],
  [
    "Dismiss at the second question",
    two,
    ["1", "dismiss", "\r", "\r"],
    ["1", "dismiss", ""],
    { option: "dismiss" },
  ],
  ["a number that is not there", two, ["9", "\r", "q"], ["9", "q"], null],
  ["half of the questions", two, ["1"], ["1"], null],
  ["a skipped one", two, ["1", "s"], ["1", "s"], null],
];

describe("review of each kind of answer", () => {
  const expected = (body: object | null) =>
    body === null ? [] : [{ resolve: A, text: null, message: null, ...body }];
  const comparable = (calls: unknown[]) => JSON.parse(JSON.stringify(calls)) as unknown;
  it.each(ANSWERS)("%s, by keys", async (_, client, keys, __, body) => {
    assert.deepEqual(comparable((await review(client(), keys)).resolved), comparable(expected(body)));
  });
  it.each(ANSWERS.filter((it) => it[3] !== null))("%s, by lines", async (_, client, __, lines, body) => {
    assert.deepEqual(
      comparable((await byLines(client(), ...(lines ?? []))).resolved),
      comparable(expected(body)),
    );
  });
  it("asks one question after another, with their numbers and Other", async () => {
    const { shown } = await review(two(), ["2", "1", "\r", "q", "\r"]);
    assert.match(
      shown,
      /question 2 of 2: Which parts\? \(several may be chosen: 1,3\)\n {5}1 {2}Auth[\s\S]*4 {2}Other/,
    );
    assert.match(shown, /your answers:\n {2}Store {2}SQLite\n {2}Which parts\? {2}Auth/);
  });
});
