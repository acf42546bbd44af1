/** The shapes of an agent's objects: triggers, prime and prompts. The agent's block itself is in schema.ts. */

import type { PrimeSource, PromptPattern, Trigger, TriggerAction } from "../../core/model/runbook.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { Report } from "../hcl/source.ts";
import type { Value } from "../hcl/syntax.ts";
import type { Read } from "./fields.ts";
import { filled, optional, readObject, required } from "./fields.ts";
import { OVERDUE, withOverdue } from "./overdue.ts";
import type { Shape } from "./shape.ts";
import * as shape from "./shape.ts";
import { refuse } from "./shape.ts";

/** What each trigger of an agent can do. */
export const TRIGGER_ACTIONS = {
  on_idle: ["nudge", "done", "fail", "escalate", "gate"],
  on_dead: ["resume", "done", "fail", "escalate", "gate"],
  on_error: ["resume", "fail", "escalate", "gate"],
  on_prompt: ["escalate", "done", "fail", "gate"],
  on_signal: ["done", "gate", "escalate", "fail"],
} as const satisfies Record<string, readonly TriggerAction[]>;

const attempts: Shape<number | "forever"> = {
  expected: 'a whole number or "forever"',
  read(value, report, name) {
    if (value.type === "string" && value.value === "forever") return "forever";
    if (value.type !== "number") return refuse(value, report, name, this.expected);
    return value.value === 0 ? 0 : shape.count.read(value, report, name);
  },
};

export const TRIGGER = {
  action: required(shape.words, "what to do"),
  message: optional(shape.words, "what to tell the agent"),
  append: optional(shape.flag, "the message comes after the standard sentence, not in its place"),
  run: optional(shape.words, "the shell line that must exit 0 (gate)"),
  attempts: optional(
    attempts,
    "how many times before a person is asked (default 1); for a gate, 0 asks at the first failure",
  ),
  cooldown: optional(shape.duration(0), "the time between attempts; the first is made at once"),
  timeout: optional(shape.duration(1), "how long the shell line may take (gate)"),
  match: optional(shape.words, "which error this is for (on_error)"),
  ...OVERDUE,
};

export const ERROR_KINDS = [
  "rate_limited",
  "unauthorized",
  "out_of_credits",
  "no_internet",
  "overloaded",
  "other",
];

export function trigger(on: keyof typeof TRIGGER_ACTIONS): Shape<Trigger> {
  const action = shape.oneOf(...TRIGGER_ACTIONS[on]);
  return {
    expected: `${action.expected}, or an object with that action`,
    read(value, report, name) {
      if (value.type === "string") return checkedTrigger({ action: value.value }, value, report);
      const read = readObject(TRIGGER, value, report, name, this.expected);
      return read && checkedTrigger(read, value, report);
    },
  };

  function checkedTrigger(read: Read<typeof TRIGGER>, value: Value, report: Report): Trigger | undefined {
    const { cooldown, timeout, ...rest } = withOverdue(read);
    const known = TRIGGER_ACTIONS[on].find((it) => it === read.action);
    if (known === undefined) {
      if (read.action !== undefined) reportAction(read.action, value, report);
      return undefined;
    }
    if (known === "gate" && read.run === undefined && !has(value, "run")) {
      report(
        value.at,
        "a gate needs run: the shell line that must exit 0",
        '{ action = "gate", run = "npm test" }',
      );
    }
    for (const key of ["run", "timeout"] as const) {
      if (known !== "gate" && read[key] !== undefined)
        report(keyAt(value, key), `${key} belongs to a gate, not to "${known}"`);
    }
    for (const key of Object.keys(OVERDUE) as (keyof typeof OVERDUE)[]) {
      if (known !== "escalate" && read[key] !== undefined)
        report(
          keyAt(value, key),
          `${key} belongs to "escalate", not to "${known}"`,
          "what notify says counts for every question of the agent",
        );
    }
    if (known !== "gate" && read.attempts === 0)
      report(keyAt(value, "attempts"), `${on} never does "${known}" with attempts = 0`, 'write "escalate"');
    if (read.match !== undefined) checkMatch(read.match, value, report);
    return {
      ...rest,
      action: known,
      ...(cooldown === undefined ? {} : { cooldown_ms: cooldown }),
      ...(timeout === undefined ? {} : { timeout_ms: timeout }),
    };
  }

  function reportAction(given: string, value: Value, report: Report): void {
    const [last, ...others] = [...TRIGGER_ACTIONS[on]].reverse();
    const can = `${others.reverse().join(", ")} or ${last}`;
    const near = suggest(given, TRIGGER_ACTIONS[on]);
    report(
      keyAt(value, "action"),
      `${on} has no action "${given}"; its actions are ${can}`,
      near ? `did you mean "${near}"?` : undefined,
    );
  }

  function checkMatch(match: string, value: Value, report: Report): void {
    if (on !== "on_error") report(keyAt(value, "match"), `only on_error takes match, not ${on}`);
    const near = suggest(match, ERROR_KINDS);
    if (near !== null && near !== match) {
      report(keyAt(value, "match"), `there is no error kind "${match}"`, `did you mean "${near}"?`);
    }
  }
}

/** For `on_error`: one trigger, or a list in which the first match counts. */
export const triggers: Shape<Trigger[]> = {
  expected: "an action, an object, or a list of them",
  read(value, report, name) {
    const one = trigger("on_error");
    if (value.type !== "list") {
      const read = one.read(value, report, name);
      return read && [read];
    }
    if (value.items.length === 0) report(value.at, `${name} is an empty list`);
    const reads = value.items.map((it) => one.read(it, report, `each of ${name}`));
    const all = reads.findIndex((it) => it !== undefined && it.match === undefined);
    const after = all === -1 ? undefined : value.items[all + 1];
    if (after)
      report(
        after.at,
        "this is never reached: the one before it matches every error",
        "put the one without match last",
      );
    return reads.filter((it) => it !== undefined);
  },
};

const SESSION_STARTS = ["startup", "resume", "clear", "compact"] as const satisfies PrimeSource[];

const primeTexts: Shape<string[]> = {
  expected: "a string or a list of strings",
  read(value, report, name) {
    if (value.type === "list") return shape.listOf(shape.words, this.expected).read(value, report, name);
    if (value.type !== "string") return refuse(value, report, name, this.expected);
    const read = shape.words.read(value, report, name);
    return read === undefined ? undefined : [read];
  },
};

export const PRIME = {
  startup: optional(primeTexts, "when the session starts"),
  resume: optional(primeTexts, "when it is resumed"),
  clear: optional(primeTexts, "after its context was cleared"),
  compact: optional(primeTexts, "after its context was compacted"),
  signal: optional(primeTexts, "when a gate sent a signal back"),
};

/** A string or a list applies to every way a conversation can start. */
export const prime: Shape<Partial<Record<PrimeSource, string[]>>> = {
  expected: "a string, a list of strings, or an object { startup resume clear compact signal }",
  read(value, report, name) {
    if (value.type === "object") return readObject(PRIME, value, report, name, this.expected);
    if (value.type !== "string" && value.type !== "list") return refuse(value, report, name, this.expected);
    const read = primeTexts.read(value, report, name);
    return read && Object.fromEntries(SESSION_STARTS.map((it) => [it, read]));
  },
};

const PROMPT_OPTION = {
  label: required(shape.words, "what people see"),
  keys: required(shape.text, "what is typed"),
};

export const PROMPT = {
  match: required(pattern(), "a regular expression that the agent's output matches"),
  options: required(
    shape.listOf(filled(PROMPT_OPTION, "{ label keys }"), "a list of { label keys }"),
    "the answers",
  ),
};

export const prompts: Shape<PromptPattern[]> = shape.listOf(
  filled(PROMPT, "{ match options }"),
  "a list of { match options }",
);

function pattern(): Shape<string> {
  return shape.ofText("a regular expression", (value, report, name) => {
    try {
      new RegExp(value.value, "mu");
      return value.value;
    } catch (error) {
      report(
        value.at,
        `${name} is not a valid regular expression: ${error instanceof Error ? error.message : error}`,
      );
      return undefined;
    }
  });
}

function has(value: Value, key: string): boolean {
  return value.type === "object" && value.entries.some((it) => it.key === key);
}

function keyAt(value: Value, key: string) {
  const entry = value.type === "object" ? value.entries.find((it) => it.key === key) : undefined;
  return entry?.value.at ?? value.at;
}
