import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../../test/fakes/fake-client.ts";
import { answerIn } from "./reply.ts";

describe("a reply", () => {
  const plain = decision({
    options: [
      { key: "ship", label: "Ship it" },
      { key: "stop", label: "Stop" },
    ],
  });
  const read = (text: string, about = plain) => answerIn(about, text);

  it("chooses by a number in front, and the rest is a message", () => {
    for (const text of ["2", " 2. ", "2)", "(2)", "#2", "Option 2", "option 2:"])
      assert.deepEqual(read(text), { choices: [[2]], option: null, text: null, message: null }, text);
    for (const text of [
      "2 because of the tests",
      "2: because of the tests",
      "2 – because of the tests",
      "2\n\nbecause of the tests",
    ])
      assert.deepEqual(
        read(text),
        { choices: [[2]], option: null, text: null, message: "because of the tests" },
        text,
      );
  });

  it("chooses nothing by a number that is part of something else", () => {
    for (const message of [
      "1.5 seconds",
      "1st of all: no",
      "2x as fast",
      "1/2 done",
      "10% of them",
      "2-3 days",
      "1,5",
    ])
      assert.deepEqual(read(message), { choices: [], option: null, text: null, message }, message);
  });

  it("chooses by whatever number comes first as a word of its own, whatever words follow", () => {
    for (const [text, number, message] of [
      ["1 more thing: call me", 1, "more thing: call me"],
      ["2, and call me", 2, "and call me"],
      ["1 - fine", 1, "fine"],
      ["2) no", 2, "no"],
      ["1; 2 would be wrong", 1, "2 would be wrong"],
    ] as const)
      assert.deepEqual(read(text), { choices: [[number]], option: null, text: null, message }, text);
  });

  it("chooses by the name of an option", () => {
    assert.deepEqual(read("Ship it!\nand tell everybody").choices, [[1]]);
    assert.deepEqual(read("STOP").choices, [[2]]);
  });

  it("is a message if it names no option", () => {
    const message = "2026 will be fine";
    assert.deepEqual(read(message), { choices: [], option: null, text: null, message });
  });

  it("fills in the option that is made for words", () => {
    for (const [source, key, given] of [
      ["question", "other", { text: "neither", message: null }],
      ["plan", "revise", { text: null, message: "neither" }],
      ["idle", "reply", { text: null, message: "neither" }],
    ] as const) {
      const asked = decision({ source, options: [{ label: "a" }, { key, label: "In words" }] });
      assert.deepEqual(read("neither", asked), { choices: [[2]], option: null, ...given }, source);
    }
  });

  it("is a message where a runbook has an option of its own called other, reply or revise", () => {
    for (const key of ["other", "reply", "revise"]) {
      const step = decision({ source: "step", options: [{ label: "a" }, { key, label: "B" }] });
      assert.deepEqual(read("b", step), { choices: [[2]], option: null, text: null, message: null });
      assert.deepEqual(read("2 why not", step).message, "why not", key);
      assert.deepEqual(read("neither", step).choices, [], key);
    }
  });

  it("fills in Other with its words, and takes several where several may be chosen", () => {
    const question = { question: "Which?", header: null, multi_select: true, options: [] };
    const multi = decision({
      source: "question",
      questions: [question],
      options: [{ label: "a" }, { label: "b" }, { key: "other", label: "Other" }],
    });
    assert.deepEqual(read("1, 2 and 3 my own", multi), {
      choices: [[1, 2, 3]],
      option: null,
      text: "my own",
      message: null,
    });
    assert.deepEqual(read("1, 2", plain).choices, [[1]]);
  });

  it("answers several questions line by line", () => {
    const options = [
      { label: "a", description: null },
      { label: "b", description: null },
    ];
    const question = { question: "Which?", header: null, multi_select: false, options };
    const several = decision({
      source: "question",
      questions: [question, { ...question, multi_select: true }],
      options: [{ key: "cancel", label: "Cancel" }],
    });
    assert.deepEqual(read("2\n1,2\n\nthat's all", several), {
      choices: [[2], [1, 2]],
      option: null,
      text: null,
      message: "that's all",
    });
    assert.deepEqual(read("1\n3 something else", several), {
      choices: [[1], [3]],
      option: null,
      text: "something else",
      message: null,
    });
    assert.deepEqual(read("3 mine\n1,3 yours too\n\nthat's all", several), {
      choices: [[3], [1, 3]],
      option: null,
      text: null,
      texts: ["mine", "yours too"],
      message: "that's all",
    });
    assert.deepEqual(read("1 because\n3 mine\nthat's all", several), {
      choices: [[1], [3]],
      option: null,
      text: "mine",
      message: "because\nthat's all",
    });
    assert.deepEqual(read("3\n3 yours\nmine", several), {
      choices: [[3], [3]],
      option: null,
      text: "mine",
      texts: [null, "yours"],
      message: null,
    });
    const unsaid = { choices: [[1], [3]], option: null, text: null, message: "because" };
    assert.deepEqual(read("1 because\n3", several), unsaid, "the reason of one answer is no other answer");
    assert.deepEqual(read("cancel\nno time", several), {
      choices: [],
      option: "cancel",
      text: null,
      message: "no time",
    });
  });
});
