/** A job as a person reads it: what it is, its steps in order, what it waits for, and what to type next. */
import type { DecisionView, JobView, RunView, StepView } from "../../api/api.ts";
import { isCrewView } from "../../api/api.ts";
import { resolveHint } from "../../core/text/resolve-hint.ts";
import { describeAge } from "../../core/text/words.ts";
import { answerWords } from "../../inbox/card/words.ts";
import { blockersOf, blockLines } from "../../inbox/fleet/blocked.ts";
import { hang, pad, table, tableWidth, widthOf, wrap } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { namedOptions, severalQuestions } from "../card/questions.ts";
import { markOf, roughDuration, statusText } from "./marks.ts";
import { safeLog } from "./safe-log.ts";

/** What is shown with a job but is not part of it. */
export interface Surroundings {
  /** What its steps asked. */
  decisions: DecisionView[];
  /** The end of its output. */
  tail: string;
  children: JobView[];
}

export type Look = Pick<Context, "out" | "now">;

export function jobLines(job: JobView, around: Surroundings, look: Look): string[] {
  return [
    ...headLines(job, look),
    "",
    ...stepLines(job, around, look),
    ...failureLines(job, around, look),
    ...blockedLines(job, look),
    ...questionLines(pendingOf(job, around), look),
    "",
    ...nextCommands(job, around).map((it) => `  ${look.out.style.cyan("→")} ${it}`),
  ];
}

export function headLines(job: RunView, { out, now }: Look): string[] {
  const { style, width } = out;
  const lasted =
    job.finished_at_ms === null ? "" : `, took ${roughDuration(job.finished_at_ms - job.created_at_ms)}`;
  const facts: [string, string][] = [
    ["project", safeLine(job.project)],
    ["started", `${describeAge(now() - job.created_at_ms)} by ${safeLine(job.by)}${lasted}`],
    ["folder", safeLine(job.workspace ?? job.cwd)],
    ...(isCrewView(job) ? [["agent", safeLine(`${job.kind} (${job.agent_id})`)] as [string, string]] : []),
    ...(job.branch ? [["branch", safeLine(job.branch)] as [string, string]] : []),
    ...(job.parent ? [["part of", job.parent] as [string, string]] : []),
    ...Object.entries(job.vars).map(([name, value]): [string, string] => [
      safeLine(name),
      safeLine([value].flat().join(" ")),
    ]),
    ...(job.cancelled_by ? [["cancelled", `by ${safeLine(job.cancelled_by)}`] as [string, string]] : []),
    ...(job.reason ? [["reason", safeLine(job.reason)] as [string, string]] : []),
  ];
  const left = Math.max(...facts.map(([name]) => widthOf(name)));
  return [
    `${markOf(job.status, style)} ${style.bold(job.id)}  ${safeLine(job.name)}  ${statusText(job.status, style)}`,
    ...facts.flatMap(([name, text]) => hang(`  ${style.dim(pad(name, left))}  `, text, width)),
  ];
}

function stepLines(job: JobView, around: Surroundings, { out, now }: Look): string[] {
  const { style } = out;
  const rows = job.steps.map((step) => [
    ` ${markOf(step.status, style)} ${safeLine(step.name)}`,
    timeOf(step, now),
    remark(step, around),
  ]);
  const paint = (cell: string, _: number, column: number) => (column === 0 ? cell : style.dim(cell));
  return table(rows, { width: tableWidth(out), paint }).map((it) => ` ${it}`);
}

function timeOf(step: StepView, now: () => number): string {
  if (step.started_at_ms === null || step.status === "skipped" || step.status === "pending") return "";
  return roughDuration((step.finished_at_ms ?? now()) - step.started_at_ms);
}

function remark(step: StepView, { children, decisions }: Surroundings): string {
  const decision = decisions.find((it) => it.id === step.decision_id);
  const child = children.find((it) => it.id === step.child_id);
  const parts = [
    step.entries > 1 ? `entered ${step.entries} times` : "",
    step.status === "waiting" ? waitText(step, decision) : "",
    step.status === "skipped" || step.status === "cancelled" ? step.status : "",
    step.error ? safeLine(step.error.split("\n")[0] ?? "") : "",
    decision?.answer && decision.state !== "dismissed" ? answerLine(decision) : "",
    child ? `${child.id} ${safeLine(child.name)} ${child.status}` : "",
  ];
  return parts.filter((it) => it !== "").join("; ");
}

function answerLine(decision: DecisionView): string {
  const { by, message } = decision.answer ?? { by: "", message: null };
  return `${answerWords(decision)} (${safeLine(by)})${message ? `: ${safeLine(message)}` : ""}`;
}

function waitText(step: StepView, decision: DecisionView | undefined): string {
  if (decision?.state === "dismissed")
    return `${decision.id} was dismissed by ${safeLine(decision.answer?.by ?? "")}`;
  if (step.decision_id) return `waiting for an answer to ${step.decision_id}`;
  return step.child_id ? "waiting for its job" : "waiting";
}

/** The error; and the job's last output, if the error itself doesn't say enough. */
export function failureLines(job: RunView, { tail }: Pick<Surroundings, "tail">, { out }: Look): string[] {
  if (job.error === null || job.status === "completed") return [];
  const { style, width } = out;
  const [what = "", ...more] = safeLog(job.error).trimEnd().split("\n");
  const step = job.steps.findLast((it) => it.status === "failed" && it.error === job.error);
  const output = more.length > 0 ? more.join("\n") : safeLog(tail).trimEnd();
  return [
    "",
    ...hang(`  ${style.red("✗")} `, step ? `${safeLine(step.name)}: ${what}` : what, width),
    ...(output === "" ? [] : wrap(output, width - 6).map((line) => `    ${style.dim("│")} ${line}`)),
  ];
}

function blockedLines(job: JobView, { out }: Look): string[] {
  const lines = blockLines(job).flatMap((it) => hang(`  ${out.style.yellow("!")} `, it, out.width));
  return lines.length > 0 ? ["", ...lines] : [];
}

export function questionLines(decision: DecisionView | null, { out }: Look): string[] {
  if (!decision) return [];
  const { style, width } = out;
  const title = ["", ...hang("  ", safeLine(decision.title), width).map(style.bold)];
  if (decision.questions.length > 1)
    return [...title, ...severalQuestions(decision, out), "", ...namedOptions(decision, out)];
  const rows = decision.options.map((it) => [
    `    ${it.number}`,
    `${it.recommended ? style.yellow("★") : " "} ${safeLine(it.label)}`,
    safeLine(it.description ?? it.effect),
  ]);
  const paint = (cell: string, _: number, column: number) => (column === 2 ? style.dim(cell) : cell);
  const options = table(rows, { width: tableWidth(out), paint });
  return [...title, ...options];
}

function pendingOf(job: JobView, { decisions }: Surroundings): DecisionView | null {
  return decisions.find((it) => it.id === job.pending_decision) ?? null;
}

function nextCommands(job: JobView, around: Surroundings): string[] {
  const decision = pendingOf(job, around);
  if (decision) return [resolveHint(decision), `oj decision show ${decision.id}`];
  const [block] = blockersOf(job);
  if (block)
    return [
      ...(block.state === "pending" ? [`oj decision show ${block.decision_id}`] : []),
      blockersOf(job).some((it) => it.ruled)
        ? `oj job cancel ${job.id}    (only a yes lets it continue)`
        : `oj job resume ${job.id}    (continues without the answer)`,
    ];
  const step = job.steps.find((it) => it.name === job.step);
  const child = around.children.find((it) => it.id === step?.child_id);
  switch (job.status) {
    case "failed":
      return [`oj job logs ${job.id}`, `oj job resume ${job.id}`];
    case "suspended":
      return [`oj job resume ${job.id}`];
    case "waiting":
      return [child ? `oj job show ${child.id}` : `oj job resume ${job.id}`];
    case "running":
      return [`oj job logs ${job.id} -f`];
    default:
      return [`oj job logs ${job.id}`];
  }
}
