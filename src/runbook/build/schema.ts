/**
 * Every block of a runbook with its attributes, as one table. build.ts reads with it; docs/runbooks.md is checked
 * against it.
 */

import type { OnCancel, StepAction, Urgency } from "../../core/model/runbook.ts";
import { PRIME, PROMPT, prime, prompts, TRIGGER, trigger, triggers } from "./agent-objects.ts";
import type { Fields } from "./fields.ts";
import { optional, required } from "./fields.ts";
import * as objects from "./objects.ts";
import { claiming, levelNames, OVERDUE, times, waiting } from "./overdue.ts";
import { CALL_MATCH, IRREVERSIBLE_FIELDS, POLICY_FIELDS, QUESTION_MATCH } from "./policy-objects.ts";
import { RULES } from "./rules.ts";
import { count, duration, flag, listOf, name, names, oneOf, text, words } from "./shape.ts";

export interface BlockSpec<F extends Fields = Fields> {
  kind: string;
  /**
   * Whether a name follows the kind, as in `job "feature" {`: `in words` if it may have blanks in it, `any text` if it
   * may be anything.
   */
  named: boolean | "in words" | "any text";
  description: string;
  attributes: F;
  /** The blocks it may contain. */
  blocks: Record<string, { many: boolean; description: string }>;
  /** Attributes that may also be written as a block: `notify { … }`. */
  asBlock: string[];
}

const urgency = oneOf<Urgency>("high", "medium", "low");

export const COMMAND = block({
  kind: "command",
  named: true,
  description: "something that `oj run` starts",
  attributes: {
    description: optional(text, "one line for the list of commands"),
    args: optional(text, "its arguments, like `<name> [--base <branch>]`"),
    defaults: optional(objects.strings, "default values for its arguments"),
    run: required(objects.commandRun, "what it starts: a job, an agent, or a shell line"),
  },
  blocks: {},
  asBlock: ["defaults"],
});

export const JOB = block({
  kind: "job",
  named: true,
  description: "steps that run one after another",
  attributes: {
    name: optional(words, "the name of a run"),
    vars: optional(names, "the values it is started with"),
    defaults: optional(objects.strings, "default values for its vars"),
    locals: optional(objects.strings, "values computed once, when it starts"),
    cwd: optional(words, "the folder it runs in"),
    workspace: optional(objects.workspace, "a folder or git worktree of its own"),
    notify: optional(objects.notify, "what people are told"),
    on_done: optional(objects.route, "the step after the last one"),
    on_fail: optional(objects.route, "the step to go to when it fails"),
    on_cancel: optional(objects.route, "the step to go to when it is cancelled"),
  },
  blocks: { step: { many: true, description: "what it does, in this order" } },
  asBlock: ["defaults", "locals", "workspace", "notify"],
});

export const STEP = block({
  kind: "step",
  named: true,
  description: "one stage of a job: runs something, or asks",
  attributes: {
    run: optional(objects.stepRun, "a shell script, an agent, or another job"),
    depends_on: optional(names, "steps that must have completed, or this one is skipped"),
    on_done: optional(objects.route, "where to go when it is done, instead of the next step"),
    on_fail: optional(objects.route, "where to go when it fails"),
    on_cancel: optional(objects.route, "where to go when it is cancelled"),
    env: optional(objects.environment, "environment variables"),
  },
  blocks: { decision: { many: false, description: "what it asks, instead of run" } },
  asBlock: ["env"],
});

export const DECISION = block({
  kind: "decision",
  named: false,
  description: "a question to a person",
  attributes: {
    prompt: optional(words, "the question"),
    context: optional(words, "a shell line whose output is shown with it"),
    text: optional(words, "text shown with it, as it is"),
    fields: optional(objects.contextFields, "what is shown with it, by the keys its template requires"),
    template: optional(name, "the decision_template it follows"),
    urgency: optional(urgency, "how soon it should be answered"),
    ...OVERDUE,
    ...RULES,
  },
  blocks: { option: { many: true, description: "a choice, up to 9 of them" } },
  asBlock: [],
});

export const OPTION = block({
  kind: "option",
  named: true,
  description: "a choice of a decision",
  attributes: {
    label: optional(words, "what people see instead of its key"),
    description: optional(words, "what choosing it means"),
    recommended: optional(flag, "is it the recommended one?"),
    step: optional(name, "the step to go to"),
    action: optional(
      oneOf<StepAction>("continue", "cancel", "fail", "dismiss"),
      "what to do, instead of a step",
    ),
    successor: optional(name, "in a template: the template of the request that must follow this answer"),
    reversible: optional(flag, "can what it leads to be undone, so that a deadline may choose it?"),
  },
  blocks: {},
  asBlock: [],
});

export const AGENT = block({
  kind: "agent",
  named: true,
  description: "a coding agent and how to look after it",
  attributes: {
    run: required(words, "the program, like `claude`"),
    prompt: optional(words, "what it is told to do"),
    prompt_file: optional(words, "a file with what it is told to do"),
    env: optional(objects.environment, "environment variables"),
    cwd: optional(words, "the folder it runs in"),
    prime: optional(prime, "text it is given when it starts, or when a gate sends it back"),
    on_idle: optional(trigger("on_idle"), "its turn ended and it has not said that it is done"),
    on_dead: optional(trigger("on_dead"), "its process is gone"),
    on_error: optional(triggers, "it reports an API or runtime error"),
    on_prompt: optional(trigger("on_prompt"), "it shows a prompt"),
    on_signal: optional(trigger("on_signal"), "it says that it is done"),
    notify: optional(objects.notify, "what people are told"),
    max_concurrency: optional(count, "how many may run at once"),
    idle_after: optional(duration(1), "how long without output counts as idle"),
    hung_after: optional(duration(1), "how long without output and reports counts as hung"),
    prompts: optional(prompts, "prompts to recognise in its output"),
  },
  blocks: {},
  asBlock: ["env", "notify"],
});

export const TEMPLATE = block({
  kind: "decision_template",
  named: true,
  description: "a reusable shape for decisions",
  attributes: {
    prompt_hint: optional(words, "what such a decision should say"),
    required_context: optional(objects.requiredContext, "keys that its context must have"),
    urgency: optional(urgency, "how soon such a decision should be answered"),
    on_cancel: optional(
      oneOf<OnCancel>("keep", "unblock"),
      "what happens to work that it blocks when it ends without an answer",
    ),
    ...OVERDUE,
    ...RULES,
  },
  blocks: { option: { many: true, description: "a choice, up to 9 of them" } },
  asBlock: [],
});

export const ESCALATION = block({
  kind: "escalation",
  named: true,
  description: "what happens while nobody answers",
  attributes: {
    repeat: optional(times, "how many times it starts again from the first level (default 0)"),
    claim_for: optional(claiming, 'how long "I\'m on it" stops its clock (default 30m)'),
    clock: optional(
      oneOf<"working" | "always">("working", "always"),
      "does a level's time pass always (the default), or only within the hours of those who were told?",
    ),
    deadline: optional(waiting, "how long after the question the default is taken"),
    default: optional(
      name,
      "the option that is taken at the deadline; without it the decision stays pending",
    ),
  },
  blocks: { level: { many: true, description: "who is told, in this order" } },
  asBlock: [],
});

export const LEVEL = block({
  kind: "level",
  named: false,
  description: "some people who are told, and how long they have",
  attributes: {
    notify: required(levelNames, "people, groups, and rotas as `@name`"),
    via: optional(listOf(words, "a list of channels"), "the channels to use, instead of every one they have"),
    remind: optional(waiting, "when they are reminded, once"),
    next: optional(waiting, "when the next level begins, or the first one again"),
  },
  blocks: {},
  asBlock: [],
});

export const REQUESTS = block({
  kind: "requests",
  named: false,
  description: "what the project requires of requests",
  attributes: {
    builtin_templates: optional(flag, "are the built-in templates available?"),
    file_check: optional(objects.fileCheck, "must a request about a failure offer to file it?"),
  },
  blocks: {},
  asBlock: ["file_check"],
});

export const POLICY = block({
  kind: "policy",
  named: "in words",
  description: "a rule that answers in a person's place",
  attributes: POLICY_FIELDS,
  blocks: {},
  asBlock: ["approve", "deny", "ask", "answer"],
});

export const IRREVERSIBLE = block({
  kind: "irreversible",
  named: "in words",
  description: "something that can't be undone, besides what oj knows",
  attributes: IRREVERSIBLE_FIELDS,
  blocks: {},
  asBlock: [],
});

/** The blocks at the top level of a file. */
export const TOP_BLOCKS = {
  command: COMMAND,
  job: JOB,
  agent: AGENT,
  decision_template: TEMPLATE,
  escalation: ESCALATION,
  requests: REQUESTS,
  policy: POLICY,
  irreversible: IRREVERSIBLE,
};

/** All blocks, for the docs and the test that checks them. */
export const BLOCKS: BlockSpec[] = [
  COMMAND,
  JOB,
  STEP,
  DECISION,
  OPTION,
  AGENT,
  TEMPLATE,
  ESCALATION,
  LEVEL,
  REQUESTS,
  POLICY,
  IRREVERSIBLE,
];
export const OBJECTS: Record<string, Fields> = {
  "command run": objects.COMMAND_RUN,
  "step run": objects.STEP_RUN,
  route: objects.ROUTE,
  workspace: objects.WORKSPACE,
  notify: objects.NOTIFY,
  trigger: TRIGGER,
  prime: PRIME,
  prompt: PROMPT,
  file_check: objects.FILE_CHECK,
  "approve, deny, ask": CALL_MATCH,
  answer: QUESTION_MATCH,
};

export function block<F extends Fields>(spec: BlockSpec<F>): BlockSpec<F> {
  return spec;
}
