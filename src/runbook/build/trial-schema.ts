/** Every block of a test of runbooks with its attributes, as one table; docs/runbook-tests.md is checked against it. */

import { SOURCES } from "../../core/model/decision-types.ts";
import { JOB_STATUSES } from "../../core/model/job-types.ts";
import { optional, readObject, required } from "./fields.ts";
import { block } from "./schema.ts";
import type { Shape } from "./shape.ts";
import { duration, listOf, oneOf, refuse, text, words } from "./shape.ts";

const exitCode: Shape<number> = {
  expected: "an exit code from 0 to 255",
  read(value, report, name) {
    if (value.type !== "number") return refuse(value, report, name, this.expected);
    if (Number.isInteger(value.value) && value.value >= 0 && value.value <= 255) return value.value;
    report(value.at, `${name} must be ${this.expected}, not ${value.text}`);
    return undefined;
  },
};

const EXPECTED = {
  source: optional(oneOf(...SOURCES), "where it comes from"),
  title: optional(words, "its title; `*` stands for any text"),
  context: optional(words, "its context; `*` stands for any text"),
  option: optional(words, "the key or label of an option that it must have"),
};

const expected: Shape<NonNullable<ReturnType<typeof readExpected>>> = {
  expected: "an object of what the decision must be",
  read: (value, report, name) => readExpected(value, report, name),
};

function readExpected(...[value, report, name]: Parameters<Shape<unknown>["read"]>) {
  return readObject(EXPECTED, value, report, name, "an object of what the decision must be");
}

/** An option by its key, its label or its number. */
const pick: Shape<string> = {
  expected: "an option's key, label or number",
  read(value, report, name) {
    if (value.type === "number") return value.text;
    return value.type === "string"
      ? words.read(value, report, name)
      : refuse(value, report, name, this.expected);
  },
};

/** One option; or a list of them, one for each question, where several options of a question are a list again. */
const choice: Shape<string[][]> = {
  expected: "an option, or a list with one for each question",
  read(value, report, name) {
    if (value.type !== "list") {
      const one = pick.read(value, report, name);
      return one === undefined ? undefined : [[one]];
    }
    return value.items.map((it) =>
      (it.type === "list" ? it.items : [it]).flatMap((one) => pick.read(one, report, name) ?? []),
    );
  },
};

export const TEST = block({
  kind: "test",
  named: "any text",
  description: "a job that is played without running anything, and what must come of it",
  attributes: { run: optional(words, "the command and its arguments, as after `oj run`") },
  blocks: {
    agent: { many: true, description: "what an agent does" },
    shell: { many: true, description: "how scripts end" },
    expect: { many: true, description: "what must happen next" },
    answer: { many: true, description: "what a person answers then" },
  },
  asBlock: [],
});

export const TEST_AGENT = block({
  kind: "agent",
  named: true,
  description: "what an agent does, one entry for each of its turns",
  attributes: { does: required(listOf(words, "a list of what it does"), "its turns, in this order") },
  blocks: {},
  asBlock: [],
});

export const TEST_SHELL = block({
  kind: "shell",
  named: "any text",
  description: "how steps and gates whose script has this text in it end",
  attributes: {
    exits: optional(listOf(exitCode, "a list of exit codes"), "their exit codes, in this order (then 0)"),
    prints: optional(text, "what they print"),
  },
  blocks: {},
  asBlock: [],
});

export const TEST_EXPECT = block({
  kind: "expect",
  named: false,
  description: "what must happen next",
  attributes: {
    decision: optional(expected, "a decision that is asked"),
    job: optional(oneOf(...JOB_STATUSES), "the status that the job gets to"),
    step: optional(words, "the step that the job gets to"),
    within: optional(duration(1), "how long it may take, from what came before (default: any time)"),
  },
  blocks: {},
  asBlock: ["decision"],
});

export const TEST_ANSWER = block({
  kind: "answer",
  named: false,
  description: "what a person answers to the decision that was expected last, or else to the oldest",
  attributes: {
    choice: optional(choice, "the option, by its key, label or number; a list for several questions"),
    text: optional(words, "own words instead of an option"),
    message: optional(words, "what goes along with the choice"),
  },
  blocks: {},
  asBlock: [],
});
