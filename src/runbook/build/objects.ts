/**
 * The shapes of a runbook's objects: routes, workspaces and the like. Those of an agent are in agent-objects.ts, blocks
 * in schema.ts.
 */

import type {
  Command,
  FileWords,
  Notify,
  RequiredContext,
  Route,
  StepRun,
  WorkspaceDef,
} from "../../core/model/runbook.ts";
import type { Report } from "../hcl/source.ts";
import type { Value } from "../hcl/syntax.ts";
import { optional, readObject, required } from "./fields.ts";
import { OVERDUE, withOverdue } from "./overdue.ts";
import type { Shape } from "./shape.ts";
import * as shape from "./shape.ts";
import { refuse } from "./shape.ts";

export const strings = shape.mapOf(shape.NAME, "letters, digits, _ and -");
export const environment = shape.mapOf(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  "letters, digits and _, not beginning with a digit",
);

export const ROUTE = {
  step: required(shape.name, "the step to go to"),
  attempts: optional(shape.count, "how many times this path may be taken"),
};

/** `on_fail = "step"` or `on_fail = { step = "step", attempts = 2 }`. */
export const route: Shape<Route> = {
  expected: "a step's name or { step = …, attempts = … }",
  read(value, report, name) {
    if (value.type === "string") {
      const step = shape.name.read(value, report, name);
      return step === undefined ? undefined : { step };
    }
    const { step, ...rest } = readObject(ROUTE, value, report, name, this.expected) ?? {};
    return step === undefined ? undefined : { step, ...rest };
  },
};

export const COMMAND_RUN = {
  job: optional(shape.name, "the job to start"),
  agent: optional(shape.name, "the agent to start, outside any job"),
};

export const commandRun: Shape<Command["run"]> = {
  expected: 'a shell line, { job = "…" } or { agent = "…" }',
  read(value, report, name) {
    if (value.type === "string") return shellRun(value, report, name);
    const read = readObject(COMMAND_RUN, value, report, name, this.expected);
    if (read === undefined) return undefined;
    if (read.job !== undefined && read.agent === undefined) return { type: "job", job: read.job };
    if (read.agent !== undefined && read.job === undefined) return { type: "agent", agent: read.agent };
    return notOne(value, report, name, this.expected, read);
  },
};

export const STEP_RUN = {
  agent: optional(shape.name, "the agent that does this step"),
  job: optional(shape.name, "the job that does this step"),
  vars: optional(strings, "values for that job's vars"),
};

export const stepRun: Shape<Exclude<StepRun, { type: "decision" }>> = {
  expected: 'a shell script, { agent = "…" } or { job = "…" }',
  read(value, report, name) {
    if (value.type === "string") return shellRun(value, report, name);
    const read = readObject(STEP_RUN, value, report, name, this.expected);
    if (read === undefined) return undefined;
    const { job, agent, vars } = read;
    if (job !== undefined && agent === undefined) return { type: "job", job, vars: vars ?? {} };
    if (agent === undefined || job !== undefined) return notOne(value, report, name, this.expected, read);
    if (vars !== undefined)
      report(value.at, "vars go to a job, not to an agent", "the agent sees the vars of this job");
    return { type: "agent", agent };
  },
};

function shellRun(value: Value, report: Report, name: string): { type: "shell"; script: string } | undefined {
  const script = shape.words.read(value, report, name);
  return script === undefined ? undefined : { type: "shell", script };
}

/** Reports that none or both were given, unless one of the keys could not be read: that was reported already. */
function notOne(value: Value, report: Report, name: string, expected: string, read: object): undefined {
  const isReported = value.type === "object" && value.entries.length > Object.keys(read).length;
  if (!isReported) report(value.at, `${name} must be one of: ${expected}`);
}

export const WORKSPACE = {
  git: optional(shape.flag, "use a git worktree of its own"),
  branch: optional(shape.words, "the branch to create for it"),
  ref: optional(shape.words, "the commit to start from"),
};

export const workspace: Shape<WorkspaceDef> = {
  expected: '"folder" or a block { git branch ref }',
  read(value, report, name) {
    if (value.type === "string") {
      return shape.oneOf("folder").read(value, report, name) ? { type: "folder" } : undefined;
    }
    const read = readObject(WORKSPACE, value, report, name, this.expected);
    if (read === undefined) return undefined;
    const { git, ...rest } = read;
    if (git) return { type: "git", ...rest };
    const key = rest.branch === undefined ? "ref" : "branch";
    if (rest[key] !== undefined)
      report(value.at, `${key} needs git = true`, "without it the workspace is a plain folder");
    return { type: "folder" };
  },
};

export const NOTIFY = {
  on_start: optional(shape.words, "shown when it starts"),
  on_done: optional(shape.words, "shown when it is done"),
  on_fail: optional(shape.words, "shown when it fails"),
  on_decision: optional(shape.words, "shown when it asks"),
  ...OVERDUE,
};

export const notify: Shape<Notify> = {
  expected: "a block { on_start on_done on_fail on_decision escalation deadline default }",
  read(value, report, name) {
    const read = readObject(NOTIFY, value, report, name, this.expected);
    return read && withOverdue(read);
  },
};

const wordList = shape.listOf(shape.words, "a list of words");

export const FILE_CHECK = {
  failure: optional(wordList, "words that mean something failed"),
  file: optional(wordList, "words for an option that files it"),
};

/** Null if it is switched off. */
export const fileCheck: Shape<FileWords | null> = {
  expected: "true, false or an object { failure file }",
  read(value, report, name) {
    if (value.type === "bool") return value.value ? {} : null;
    return readObject(FILE_CHECK, value, report, name, this.expected);
  },
};

/** `fields = { progress = "…", next_steps = ["…", "…"] }`. */
export const contextFields: Shape<Record<string, string | string[]>> = {
  expected: "an object of strings and lists of strings",
  read(value, report, name) {
    if (value.type !== "object") return refuse(value, report, name, this.expected);
    const lists = shape.listOf(shape.text, "a list of strings");
    const entries = value.entries.map((entry) => {
      if (!shape.NAME.test(entry.key))
        report(entry.at, `"${entry.key}" is not a valid key`, "letters, digits, _ and -");
      const of = `${name}.${entry.key}`;
      const isList = entry.value.type === "list";
      const read = isList ? lists.read(entry.value, report, of) : shape.text.read(entry.value, report, of);
      return [entry.key, read] as const;
    });
    return Object.fromEntries(entries.flatMap(([key, it]) => (it === undefined ? [] : [[key, it]])));
  },
};

const MINIMUM = { min: required(shape.count, "how many entries its list must have") };

export const requiredContext: Shape<RequiredContext[]> = {
  expected: "a list of keys, or an object key = { min = 2 }",
  read(value, report, name) {
    if (value.type === "list") return shape.names.read(value, report, name)?.map((key) => ({ key }));
    if (value.type !== "object") return refuse(value, report, name, this.expected);
    return value.entries.flatMap((entry) => {
      if (!shape.NAME.test(entry.key))
        report(entry.at, `"${entry.key}" is not a valid key`, "letters, digits, _ and -");
      const isPlain = entry.value.type === "object" && entry.value.entries.length === 0;
      const read = isPlain
        ? {}
        : readObject(MINIMUM, entry.value, report, `${name}.${entry.key}`, "{ min = 2 }");
      return read ? [{ key: entry.key, ...read }] : [];
    });
  },
};
