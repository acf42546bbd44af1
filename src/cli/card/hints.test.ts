import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { answerTo } from "../../core/decision/answer.ts";
import type { Decision, Option, Question, Source } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import { optionsFor } from "../../core/template/options.ts";
import { resolveHint } from "../../core/text/resolve-hint.ts";
import { answerOf, textsOf } from "../answer/given.ts";

const question = (text: string, labels: string[], multi_select = false): Question => ({
  question: text,
  header: null,
  multi_select,
  options: labels.map((label) => ({ label, description: null })),
});
const STORE = question("Which store?", ["Postgres", "SQLite"]);
const PARTS = question("Which parts?", ["Auth", "Search", "Export"], true);
const WHEN = question("When?", ["Now", "Later"]);

const OWN: Option[] = ["Yes", "No"].map((label) => ({
  key: label.toLowerCase(),
  label,
  description: null,
  recommended: false,
  action: { type: "answer" },
}));

function decisionOf(source: Source, questions: Question[] = [], options?: Option[]): Decision {
  const own =
    source === "step" || source === "request"
      ? (options ?? OWN)
      : optionsFor(source, { questions, choices: [] } as never, "job");
  const owner = { kind: "job", id: "job-1", name: "work", step: "work" } as const;
  return { id: "dec-7k3m9x2p4q", source, questions, options: own, owner } as never;
}

/** Every kind of thing that a person is asked. */
const KINDS: Record<string, Decision> = {
  idle: decisionOf("idle"),
  dead: decisionOf("dead"),
  error: decisionOf("error"),
  gate: decisionOf("gate"),
  approval: decisionOf("approval"),
  plan: decisionOf("plan"),
  step: decisionOf("step"),
  request: decisionOf("request"),
  "a request with one option": decisionOf("request", [], OWN.slice(0, 1)),
  "one question": decisionOf("question", [STORE]),
  "one question, several answers": decisionOf("question", [PARTS]),
  "two questions": decisionOf("question", [STORE, WHEN]),
  "two questions, several answers to one": decisionOf("question", [STORE, PARTS]),
  "four questions": decisionOf("question", [STORE, PARTS, WHEN, PARTS]),
};

/** What a person might type after the id. */
const TYPED: string[][] = [
  [],
  ["-m", "yes"],
  ["0"],
  ["1"],
  ["3"],
  ["4"],
  ["9"],
  ["1,2"],
  ["1,3"],
  ["1,4"],
  ["1", "1"],
  ["3", "1"],
  ["3", "3"],
  ["3", "9"],
  ["9", "3"],
  ["1,2", "1"],
  ["1", "1,4"],
  ["3", "4", "3", "4"],
  ["3", "4", "3", "4", "--text", "one", "--text", " "],
  ["1", "1", "1", "1", "1"],
  ["cancel"],
  ["dismiss"],
];

/** As the command line reads it. */
function answer(decision: Decision, words: string[]): void {
  const plain: string[] = [];
  const flags: Record<string, string[]> = {};
  const left = [...words];
  for (let it = left.shift(); it !== undefined; it = left.shift()) {
    if (!it.startsWith("-")) plain.push(it);
    else flags[it] = [...(flags[it] ?? []), left.shift() ?? ""];
  }
  const [first, ...more] = flags["--text"] ?? [];
  const given = answerOf(plain, first, flags["-m"]?.[0]);
  const texts =
    more.length > 0 ? { text: null, texts: textsOf(decision as never, given, flags["--text"] ?? []) } : {};
  answerTo(
    decision,
    {
      choices: [],
      text: null,
      message: null,
      id: decision.id,
      by: "ana",
      via: "cli",
      ...given,
      ...texts,
    } as never,
    { at_ms: 0 } as never,
  );
}

/** `oj decision resolve ID <1-3> --text "…"` → the words after the id, each place filled in. */
function filledIn(line: string, number: (last: number) => number): string[] {
  const [, rest = ""] = /^oj decision resolve dec-7k3m9x2p4q ?(.*)$/.exec(line) ?? [];
  return [...rest.matchAll(/<1-(\d+)(?:,…)?>|"([^"]*)"|(\S+)/g)].map(
    ([, last, quoted, word]) => (last ? String(number(Number(last))) : (quoted ?? word ?? "")) || "…",
  );
}

describe.each(Object.entries(KINDS))("a suggested command (%s)", (_, decision) => {
  it("from show is accepted", () =>
    answer(
      decision,
      filledIn(resolveHint(decision), () => 1),
    ));

  for (const typed of TYPED)
    it(`after "${typed.join(" ")}" was refused is accepted`, () => {
      try {
        answer(decision, typed);
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error));
        const commands = (error.hint ?? "").split("\n").filter((it) => it.startsWith("oj decision resolve"));
        assert.ok(
          commands.length > 0 || /^oj decision show/.test(error.hint ?? ""),
          `no hint: ${error.hint}`,
        );
        for (const it of commands)
          answer(
            decision,
            filledIn(it, () => 1),
          );
        const [range = ""] = commands;
        const others = decision.questions.length > 1 && range.includes("<");
        if (others) answer(decision, [...filledIn(range, (last) => last), "--text", "words"]);
      }
    });

  it("names every number that can be chosen", () => {
    if (decision.questions.length < 2) return;
    const refused = (() => {
      try {
        return answer(decision, ["9"]);
      } catch (error) {
        return error as Refusal;
      }
    })();
    assert.match(refused?.hint ?? "", /^Which store\?: 1 Postgres {2}2 SQLite {2}3 Other\n/);
    assert.match(refused?.hint ?? "", /\nby name: cancel, dismiss\n/);
  });
});
