/** The attributes of `policy` and `irreversible` blocks. What they are put together to is in build-policy.ts. */
import type { Source } from "../../core/model/decision-types.ts";
import type { AtMost } from "../../core/model/policy-types.ts";
import type { Urgency } from "../../core/model/runbook.ts";
import type { Fields, Read } from "./fields.ts";
import { optional, readObject, required } from "./fields.ts";
import type { Shape } from "./shape.ts";
import { flag, listOf, name, ofText, oneOf, refuse, words } from "./shape.ts";

/** One text, or several. */
const texts: Shape<string[]> = {
  expected: "a string or a list of strings",
  read(value, report, of) {
    if (value.type === "string") {
      const one = words.read(value, report, of);
      return one === undefined ? undefined : [one];
    }
    if (value.type !== "list") return refuse(value, report, of, this.expected);
    if (value.items.length === 0) report(value.at, `${of} is empty`);
    return listOf(words, this.expected).read(value, report, of);
  },
};

const workspace = oneOf<"workspace">("workspace");

export const CALL_MATCH = {
  tool: optional(texts, "the tool's name, with `*` for any characters"),
  command: optional(texts, "patterns of words; several are alternatives"),
  pipe: optional(listOf(words, "a list of strings"), "the patterns of the commands of one pipe"),
  path: optional(texts, "patterns of paths, relative to the workspace"),
  within: optional(workspace, "every path that it names lies in it"),
  outside: optional(workspace, "some path that it names lies outside of it"),
};

/** A policy never answers what a person must have looked at: approvals have rules of their own, plans none. */
const source = oneOf<Source>("question", "request", "idle", "error", "dead", "gate", "step");

export const QUESTION_MATCH = {
  source: required(source, "why it is asked"),
  question: optional(words, "a pattern over the whole question"),
  said: optional(words, "a pattern over what the agent said last"),
  title: optional(words, "a pattern over the decision's title"),
  option: required(words, "the key or the label of the option that is chosen"),
};

function objectOf<F extends Fields>(fields: F, expected: string): Shape<Read<F>> {
  return {
    expected,
    read: (value, report, of) => readObject(fields, value, report, of, expected),
  };
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOST_TIMES = 1000;

const atMost: Shape<AtMost> = ofText('a bound like "60/h" or "3 in a row"', (it, report, of) => {
  const [, rate, unit, row] = /^(?:(\d+)\/([smhd])|(\d+) in a row)$/.exec(it.value) ?? [];
  const times = Number(rate ?? row ?? 0);
  if (times >= 1 && times <= MOST_TIMES)
    return { times, per_ms: unit === undefined ? null : UNITS[unit as keyof typeof UNITS], text: it.value };
  report(it.at, `${of} must be a bound like "60/h" or "3 in a row", up to ${MOST_TIMES}, not "${it.value}"`);
  return undefined;
});

const date: Shape<string> = ofText('a date like "2027-02-01"', (it, report, of) => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(it.value) ? Date.parse(`${it.value}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(it.value)) return it.value;
  report(it.at, `${of} must be a date like "2027-02-01", not "${it.value}"`);
  return undefined;
});

const call = objectOf(CALL_MATCH, "an object { tool command pipe path within outside }");

export const POLICY_FIELDS = {
  deny: optional(call, "calls that are refused"),
  ask: optional(call, "calls that a person decides, even where another policy would approve"),
  approve: optional(call, "calls that are approved"),
  answer: optional(
    objectOf(QUESTION_MATCH, "an object { source question said title option }"),
    "questions that are answered, and the answer",
  ),
  message: optional(words, "what the agent is told with the answer"),
  urgency: optional(oneOf<Urgency>("high", "medium", "low"), "for ask: how soon it should be answered"),
  escalation: optional(name, "for ask: the escalation that begins while nobody answers"),
  at_most: optional(atMost, "how often it may answer (default 60/h); beyond it a person is asked"),
  expires: optional(date, "the day on which it stops answering (default 90 days after it was accepted)"),
  irreversible: optional(flag, "may it approve what can't be undone?"),
};

export const IRREVERSIBLE_FIELDS = {
  tool: CALL_MATCH.tool,
  command: CALL_MATCH.command,
  pipe: CALL_MATCH.pipe,
};
