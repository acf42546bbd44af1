import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { readScenario } from "./read.ts";
import type { Step } from "./scenario.ts";

const read = (scenario: unknown) => readScenario(JSON.stringify(scenario));
const problems = (...steps: unknown[]) => read({ turns: [steps] }).problems;
const step = (it: unknown): Step | undefined => {
  const { scenario, problems: found } = read({ turns: [[it]] });
  assert.deepEqual(found, []);
  return scenario.turns[0]?.[0];
};

describe("a scenario", () => {
  it("is read with its defaults", () => {
    const { scenario, problems: found } = read({ turns: [[{ say: "Hello" }], []] });
    assert.deepEqual(found, []);
    assert.deepEqual(scenario, {
      turns: [[{ type: "say", text: "Hello" }], []],
      match: [],
      otherwise: null,
      sent_back: null,
      ignore_keys_ms: 300,
      trust: false,
      hooks: "all",
    });
  });

  it("reports where it is not valid JSON", () => {
    const places = {
      "": "1:1",
      oops: "1:1",
      '{\n  "turns": [\n    oops\n': "3:5",
      '{"turns": [],}': "1:14",
      '{"turns" []}': "1:10",
      '{"turns": [1 2]}': "1:14",
      '{"turns": ["a\nb"]}': "1:12",
      '{"turns": [01]}': "1:12",
      '{"turns": []}\nmore': "2:1",
      "{'turns': []}": "1:2",
    };
    for (const [source, place] of Object.entries(places))
      assert.deepEqual(readScenario(source).problems, [`${place}: this is not JSON`], source);
  });

  it("reports every problem at once, each with its place", () => {
    const { problems: found } = read({
      turns: [[{ sya: "Hi" }, { say: 7 }, "say", {}], "nothing"],
      match: [{ prompt: "(", steps: [] }],
      othrwise: [],
      ignore_keys_ms: -1,
    });
    assert.deepEqual(found, [
      'the scenario: unknown key "othrwise"; did you mean "otherwise"?',
      'turns[0][0]: "sya" is not a step; did you mean "say"?',
      "turns[0][1].say: must be a text",
      'turns[0][2]: must be a step, as in {"say": "Hello"}',
      "turns[0][3]: is empty",
      "turns[1]: must be a list",
      "match[0].prompt: is not a valid pattern: Invalid regular expression: /(/s: Unterminated group",
      "ignore_keys_ms: must be a number, 0 or more",
    ]);
  });

  it("needs turns or something to match", () => {
    assert.match(read({}).problems[0] ?? "", /^turns: is missing/);
    assert.deepEqual(read({ match: [{ prompt: "a", steps: [] }] }).problems, []);
    assert.match(read([]).problems[0] ?? "", /must be an object/);
  });
});

describe("a step", () => {
  it("may be written in short form", () => {
    assert.deepEqual(step({ tool: "Bash", input: "make" }), {
      type: "tool",
      name: "Bash",
      input: { command: "make" },
      result: "",
      real: false,
      asks: true,
      denied: null,
      go_on: false,
    });
    assert.deepEqual(step({ output: 10 }), { type: "output", lines: 10, bytes: 0 });
    assert.deepEqual(step({ crash: "SIGKILL" }), { type: "crash", code: 1, signal: "SIGKILL" });
    assert.deepEqual(step({ loop: [{ say: "a" }] }), {
      type: "loop",
      steps: [{ type: "say", text: "a" }],
      times: Number.POSITIVE_INFINITY,
    });
  });

  it("has one kind, whatever its other fields are called", () => {
    assert.equal(step({ message: "too fast", error: "rate_limit" })?.type, "error");
    assert.equal(step({ steps: [], background: 10 })?.type, "background");
  });

  it("may ask questions, alone or in a list, with options as labels or with descriptions", () => {
    const asked = step({
      ask: { question: "Which one is it?", options: ["A", { label: "B", description: "bee" }] },
    });
    assert.deepEqual(asked?.type === "ask" && asked.questions, [
      {
        question: "Which one is it?",
        header: "Which one",
        multiSelect: false,
        options: [
          { label: "A", description: "" },
          { label: "B", description: "bee" },
        ],
      },
    ]);
  });

  it("is refused with what would be right", () => {
    const question = { question: "Q?", options: ["A", "B"] };
    assert.deepEqual(problems({ ask: [] }), ["turns[0][0].ask: must be 1 to 4 questions, not 0"]);
    assert.deepEqual(problems({ ask: [1, 2, 3, 4, 5].map(() => question) }), [
      "turns[0][0].ask: must be 1 to 4 questions, not 5",
    ]);
    assert.deepEqual(problems({ ask: [{ question: "Q?", options: ["A"] }] }), [
      "turns[0][0].ask[0].options: must be 2 to 4, not 1",
    ]);
    assert.deepEqual(problems({ ask: [{ question: "Q?" }] }), ["turns[0][0].ask[0].options: is missing"]);
    assert.match(
      problems({ error: "rate_limited" })[0] ?? "",
      /"rate_limited" is not one of rate_limit, .*; did you mean "rate_limit"\?/,
    );
    assert.match(problems({ signal: "don" })[0] ?? "", /did you mean "done"\?/);
    assert.match(problems({ crash: "KILL" })[0] ?? "", /an exit code or a signal such as "SIGKILL"/);
    assert.match(problems({ expect: "a", of: "promt" })[0] ?? "", /did you mean "prompt"\?/);
    assert.deepEqual(problems({ tool: "Bash", denied: [{ sleep: "long" }] }), [
      "turns[0][0].tool.denied[0].sleep: must be a number, 0 or more",
    ]);
  });
});

describe("docs/scripted-agent.md", () => {
  const page = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/scripted-agent.md"), "utf8");
  const examples = [...page.matchAll(/^\| `\w+` \|.*\| `(\{.*\})` \|$/gm)].map(
    (it) => JSON.parse((it[1] ?? "").replaceAll("\\|", "|")) as object,
  );
  const scenarios = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map((it) => it[1] ?? "");

  it("has one valid example of each step", () => {
    const kinds = examples.map((it) => step(it)?.type);
    const all = [
      "say",
      "tool",
      "ask",
      "plan",
      "sleep",
      "hang",
      "work",
      "output",
      "error",
      "background",
      "crash",
      "exit",
      "ignore_keys",
      "signal",
      "run",
      "expect",
      "fake_dialog",
      "escape",
      "hook",
      "flood",
      "loop",
    ];
    assert.deepEqual(kinds.toSorted(), all.toSorted());
  });

  it("has whole scenarios that are valid", () => {
    assert.ok(scenarios.length > 0);
    for (const it of scenarios) assert.deepEqual(readScenario(it).problems, []);
  });
});
