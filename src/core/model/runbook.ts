/** What a runbook says, as types. `runbook/` reads the HCL; a job's first event records these types too. */

import type { RuleDef } from "../roles/rule.ts";
import type { EscalationDef } from "./reach-types.ts";

export interface Runbook {
  commands: Command[];
  jobs: JobDef[];
  agents: AgentDef[];
  /** The project's own, then the built-in ones that it has not replaced. */
  templates: Template[];
  escalations: EscalationDef[];
  requests: RequestPolicy;
}

/** What the project's `requests` block says. Without one, everything is required. */
export interface RequestPolicy {
  /** Null: a request about a failure need not offer to file it. A given list replaces ours. */
  file_check: FileWords | null;
}

/** Something wrong in a file, with its place. `excerpt` is the line itself; `length` is how far the caret runs. */
export interface Problem {
  path: string;
  line: number;
  column: number;
  length: number;
  message: string;
  hint?: string;
  excerpt: string;
}

/** Where a block is, for messages. */
export interface Place {
  path: string;
  line: number;
}

export interface Command extends Place {
  name: string;
  description?: string;
  /** The `args` attribute as written, for usage lines. */
  usage: string;
  args: Arg[];
  defaults: Record<string, string>;
  run: { type: "job"; job: string } | { type: "agent"; agent: string } | { type: "shell"; script: string };
}

export type Arg =
  | { kind: "positional"; name: string; required: boolean; variadic: boolean }
  | { kind: "flag"; name: string; short?: string }
  | { kind: "option"; name: string; short?: string; required: boolean; value: string };

/** A job as the runbook declares it. Recorded with each job, so that editing the file never changes a running one. */
export interface JobDef extends Place {
  kind: string;
  name?: string;
  vars: readonly string[];
  defaults: Record<string, string>;
  locals: Record<string, string>;
  cwd?: string;
  workspace?: WorkspaceDef;
  notify?: Notify;
  on_done?: Route;
  on_fail?: Route;
  on_cancel?: Route;
  steps: readonly StepDef[];
}

export type WorkspaceDef = { type: "folder" } | { type: "git"; branch?: string; ref?: string };

/** What happens while nobody answers, as far as a block says it. */
export interface Overdue {
  /** The name of an escalation … */
  escalation?: string;
  /** … and the escalation itself, as it was when the runbook was read. */
  chain?: EscalationDef;
  deadline_ms?: number;
  /** The key of the option that is taken at the deadline. */
  default?: string;
}

export interface Notify extends Overdue {
  on_start?: string;
  on_done?: string;
  on_fail?: string;
  on_decision?: string;
}

/** Where to go next; `attempts` bounds how often this route may be taken. */
export interface Route {
  step: string;
  attempts?: number;
}

export interface StepDef extends Place {
  name: string;
  run: StepRun;
  depends_on: readonly string[];
  on_done?: Route;
  on_fail?: Route;
  on_cancel?: Route;
  env: Record<string, string>;
}

export type StepRun =
  | { type: "shell"; script: string }
  | { type: "agent"; agent: string }
  | { type: "job"; job: string; vars: Record<string, string> }
  | { type: "decision"; decision: DecisionDef };

export type Urgency = "high" | "medium" | "low";

export interface DecisionDef extends Overdue, RuleDef {
  prompt?: string;
  /** Shell; its output becomes the context. */
  context?: string;
  /** Context as plain text. */
  text?: string;
  /** Context by key, as a template may require. */
  fields?: Record<string, string | readonly string[]>;
  template?: string;
  urgency?: Urgency;
  options: readonly OptionDef[];
}

/** What a step's option does when it names no step: continue, cancel or fail the job, or only acknowledge. */
export type StepAction = "continue" | "cancel" | "fail" | "dismiss";

export interface OptionDef {
  key: string;
  label?: string;
  description?: string;
  recommended?: boolean;
  step?: string;
  action?: StepAction;
  /** In a template: the template that the request following this answer must use. */
  successor?: string;
  /** What it leads to can be undone, so that a deadline may choose it; false: it can't. */
  reversible?: boolean;
}

/** What happens to the work that a decision blocks if the decision ends without an answer. */
export type OnCancel = "keep" | "unblock";

export interface Template extends Place, Overdue, RuleDef {
  name: string;
  prompt_hint?: string;
  required_context: readonly RequiredContext[];
  urgency?: Urgency;
  on_cancel?: OnCancel;
  options: readonly OptionDef[];
  /** For a built-in template: a request that says what it should. */
  example?: { prompt: string; options: readonly string[]; context: Record<string, unknown> };
}

/** A key that a template's context must have; with `min`, a list of at least that many. */
export interface RequiredContext {
  key: string;
  min?: number;
}

export interface AgentDef extends Place {
  name: string;
  run: string;
  prompt?: string;
  prompt_file?: string;
  env: Record<string, string>;
  cwd?: string;
  prime: Partial<Record<PrimeSource, readonly string[]>>;
  on_idle?: Trigger;
  on_dead?: Trigger;
  on_error?: readonly Trigger[];
  on_prompt?: Trigger;
  on_signal?: Trigger;
  notify?: Notify;
  max_concurrency?: number;
  idle_after_ms?: number;
  hung_after_ms?: number;
  prompts: readonly PromptPattern[];
}

export type PrimeSource = "startup" | "resume" | "clear" | "compact" | "signal";
export type TriggerAction = "nudge" | "done" | "fail" | "resume" | "gate" | "escalate";

export interface Trigger extends Overdue {
  action: TriggerAction;
  message?: string;
  append?: boolean;
  run?: string;
  attempts?: number | "forever";
  cooldown_ms?: number;
  timeout_ms?: number;
  match?: string;
}

export interface PromptPattern {
  match: string;
  options: readonly { label: string; keys: string }[];
}

/** A variadic argument is a list; everything else is text. */
export type Value = string | readonly string[];

/** A project's replacement for our words. A list that it leaves out stays ours. */
export interface FileWords {
  failure?: readonly string[];
  file?: readonly string[];
}
