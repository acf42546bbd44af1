import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { FakeClient } from "../../../test/fakes/fake-client.ts";
import { decision, fakeClient, fakeContext } from "../../../test/fakes/fake-client.ts";
import type { Key, Keyboard } from "../base/keys.ts";
import { keysOf } from "../base/keys.ts";
import { plain } from "../base/output.ts";
import { keyDialog, lineDialog } from "./dialog.ts";
import type { Settled } from "./settled.ts";
import { summaryLine, walk } from "./walk.ts";

const A = "dec-aaaaaaaaaa";
const B = "dec-bbbbbbbbbb";
const C = "dec-cccccccccc";
const three = () => fakeClient(decision({ id: A }), decision({ id: B }), decision({ id: C }));

/** Presses the next keys whenever a card or a question waits for one; a function among them does something first. */
function keyboard(...script: (string | (() => void))[]): Keyboard {
  const keys: Key[] = [];
  return {
    async next(abort) {
      for (;;) {
        abort.throwIfAborted();
        const key = keys.shift();
        if (key) return key;
        const next = script.shift();
        if (next === undefined) return { type: "end" };
        if (typeof next === "string") keys.push(...keysOf(next).keys);
        else next();
      }
    },
    forget: () => void keys.splice(0),
    close: () => {},
  };
}

function settledBy(): Settled & { settle(id: string): void } {
  const all = new Map<string, AbortController>();
  const at = (id: string) => {
    const it = all.get(id) ?? new AbortController();
    all.set(id, it);
    return it;
  };
  return { of: (id) => at(id).signal, settle: (id) => at(id).abort(), close: () => {} };
}

async function review(client: FakeClient, script: (string | (() => void))[], settled = settledBy()) {
  let shown = "";
  const write = (text: string) => {
    shown += text;
  };
  const context = fakeContext(client);
  const dialog = keyDialog(keyboard(...script), { style: plain, width: 80, write });
  const summary = await walk(
    context,
    dialog,
    settled,
    () => client.decisions(),
    (text) => write(`${text}\n`),
  );
  return { shown, summary, resolved: client.calls.filter((it) => "resolve" in (it as object)) };
}

async function byLines(client: FakeClient, ...lines: string[]) {
  async function* input() {
    yield* lines;
  }
  let shown = "";
  const dialog = lineDialog(input(), {
    style: plain,
    width: 80,
    write: (text) => {
      shown += text;
    },
  });
  const summary = await walk(
    fakeContext(client),
    dialog,
    settledBy(),
    () => client.decisions(),
    () => {},
  );
  return {
    summary: summaryLine(summary),
    shown,
    resolved: client.calls.filter((it) => "resolve" in (it as object)),
  };
}

describe("review at a terminal", () => {
  it("answers by key, with or without a message, and skips", async () => {
    const { summary, resolved } = await review(three(), ["1", "\r", "s", "2", "not now", "\r"]);
    assert.equal(summaryLine(summary), "2 answered, 1 skipped, 0 left");
    assert.deepEqual(resolved, [
      { resolve: A, choices: [[1]], text: null, message: null },
      { resolve: C, choices: [[2]], text: null, message: "not now" },
    ]);
  });

  it("quits and says what is left", async () => {
    const { summary } = await review(three(), ["s", "q"]);
    assert.equal(summaryLine(summary), "0 answered, 1 skipped, 2 left");
    assert.equal(summary.interrupted, false);
  });

  it("takes a choice back with Esc", async () => {
    const { resolved } = await review(three(), ["1", "oops", "\u001b", "2", "\r", "q"]);
    assert.deepEqual(resolved, [{ resolve: A, choices: [[2]], text: null, message: null }]);
  });

  it("ignores keys that mean nothing, and arrows", async () => {
    const { summary } = await review(three(), ["9", "x", "\r", "\u001b[A", " ", "q"]);
    assert.equal(summaryLine(summary), "0 answered, 0 skipped, 3 left");
  });

  it("never takes a paste or typed-ahead keys for an answer", async () => {
    const pasted = await review(three(), ["\u001b[200~1\r1\r\u001b[201~", "q"]);
    assert.deepEqual(pasted.resolved, []);
    const ahead = await review(three(), ["1\r1\r1\r", "q"]);
    assert.equal(ahead.resolved.length, 1);
  });

  it("explains its keys", async () => {
    const { shown } = await review(three(), ["?", "q"]);
    assert.match(shown, /1-2 {2}choose that option, add a message if you like, and press Enter to answer/);
  });

  it("shows each decision with its position, and what came of the answer", async () => {
    const { shown } = await review(three(), ["1", "\r", "q"]);
    assert.match(shown, /── 1 of 3 ─+\ndec-aaaaaaaaaa {2}medium/);
    assert.match(shown, /✓ dec-aaaaaaaaaa answered: Ship it\n/);
  });

  it("is interrupted by Ctrl-C, even while a message is typed", async () => {
    assert.equal((await review(three(), ["\u0003"])).summary.interrupted, true);
    const { summary, resolved } = await review(three(), ["1", "hal", "\u0003"]);
    assert.equal(summary.interrupted, true);
    assert.deepEqual(resolved, []);
  });

  it("closes a card at once if somebody else answers it, and lets no key hit the next one", async () => {
    const client = three();
    const settled = settledBy();
    const elsewhere = () => {
      client.answerElsewhere(A, "bob");
      settled.settle(A);
    };
    const { shown, summary, resolved } = await review(client, [elsewhere, "1", "q"], settled);
    assert.match(
      shown,
      /! dec-aaaaaaaaaa was settled in the meantime: answered: Ship it, by bob \(cli\) just now/,
    );
    assert.equal(summaryLine(summary), "0 answered, 0 skipped, 1 settled by others, 2 left");
    assert.deepEqual(resolved, []);
  });

  it("says who was first if an answer comes too late", async () => {
    const client = three();
    const { shown, summary } = await review(client, [
      "1",
      () => client.answerElsewhere(A, "bob"),
      "\r",
      " ",
      "q",
    ]);
    assert.match(shown, /settled in the meantime: answered: Ship it, by bob/);
    assert.deepEqual(summary.elsewhere, [A]);
  });

  it("says so if a decision was settled before it came up", async () => {
    const client = three();
    const { summary } = await review(client, [() => client.answerElsewhere(B, "bob"), "s", " ", "q"]);
    assert.deepEqual(summary.elsewhere, [B]);
  });

  it("offers new arrivals at the end, and skipped ones not again", async () => {
    const client = fakeClient(decision({ id: A }));
    const arrives = () => void client.all.push(decision({ id: B }));
    const { shown, summary } = await review(client, [arrives, "s", "1", "\r"]);
    assert.match(shown, /one more has arrived in the meantime/);
    assert.deepEqual([summary.resolved, summary.skipped, summary.left], [[B], [A], []]);
  });

  it("asks again if the answer is refused", async () => {
    const client = three();
    const { resolveDecision } = client;
    let times = 0;
    client.resolveDecision = async (id, answer) => {
      times += 1;
      return resolveDecision(id, times === 1 ? { ...answer, choices: [[9]] } : answer);
    };
    const { shown, summary } = await review(client, ["1", "\r", "2", "\r", "q"]);
    assert.match(shown, /✗ 9 is not one of them/);
    assert.deepEqual(summary.resolved, [A]);
  });
});

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
      /question 2: Which parts\? \(several may be chosen: 1,3\)\n {5}1 {2}Auth[\s\S]*4 {2}Other/,
    );
    assert.match(shown, /your answers:\n {2}Store {2}SQLite\n {2}Which parts\? {2}Auth/);
  });
});

describe("review by lines", () => {
  it("takes a choice and a message for each", async () => {
    const { summary, resolved } = await byLines(three(), "1", "looks good", "s", "2", "");
    assert.equal(summary, "2 answered, 1 skipped, 0 left");
    assert.deepEqual(resolved, [
      { resolve: A, choices: [[1]], text: null, message: "looks good" },
      { resolve: C, choices: [[2]], text: null, message: null },
    ]);
  });

  it("ends with its input", async () => {
    assert.equal((await byLines(three())).summary, "0 answered, 0 skipped, 3 left");
    assert.equal((await byLines(three(), "1")).summary, "1 answered, 0 skipped, 2 left");
  });

  it("asks again if it can't read a line", async () => {
    const { shown, summary } = await byLines(three(), "yes", "7", "q");
    assert.match(shown, /"yes" is not one of the choices/);
    assert.equal(summary, "0 answered, 0 skipped, 3 left");
  });
});
