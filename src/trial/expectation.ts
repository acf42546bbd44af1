/** Whether what a test expects has happened, and what to say when it never does. */
import { numbersNamed } from "../core/decision/named-option.ts";
import type { Decision } from "../core/model/decision-types.ts";
import type { JobId } from "../core/model/ids.ts";
import type { State } from "../core/model/state/state.ts";
import type { ExpectStep } from "../runbook/trials.ts";

export interface Seen {
  job_id: JobId;
  /** Decisions that an earlier step has met: each is met once. */
  met: ReadonlySet<string>;
}

/** Null: not yet. With a decision: the one that was met. */
export function meets(state: State, expected: ExpectStep, seen: Seen): { decision: Decision | null } | null {
  const job = state.jobs.get(seen.job_id);
  if (expected.job !== undefined && job?.status !== expected.job) return null;
  if (expected.step !== undefined && job?.step !== expected.step) return null;
  if (expected.decision === undefined) return { decision: null };
  const decision = pendingIn(state).find((it) => !seen.met.has(it.id) && isLike(it, expected.decision ?? {}));
  return decision ? { decision } : null;
}

export function pendingIn({ pending, decisions }: State): Decision[] {
  return [...pending].flatMap((id) => decisions.get(id) ?? []);
}

function isLike(
  decision: Decision,
  { source, title, context, option }: NonNullable<ExpectStep["decision"]>,
): boolean {
  return (
    (source === undefined || decision.source === source) &&
    (title === undefined || fits(decision.title, title)) &&
    (context === undefined || fits(decision.context ?? "", context)) &&
    (option === undefined || numbersNamed(decision.options, option).length > 0)
  );
}

/** `*` stands for any text, the rest for itself. */
export function fits(text: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

export function expectedWords({ decision, job, step }: ExpectStep): string {
  const wanted = Object.entries(decision ?? {}).map(([name, value]) => `${name} "${value}"`);
  return [
    ...(decision === undefined ? [] : [`a decision${wanted.length > 0 ? ` with ${wanted.join(", ")}` : ""}`]),
    ...(job === undefined ? [] : [`the job ${job}`]),
    ...(step === undefined ? [] : [`the job at step "${step}"`]),
  ].join(" and ");
}

/** How things stand, for whoever must find out why. */
export function standing(state: State, job_id: JobId): string {
  const job = state.jobs.get(job_id);
  const at = job?.step ? ` at step "${job.step}"` : "";
  const waits = pendingIn(state).map((it) => `${it.source} "${it.title}"`);
  return `the job is ${job?.status ?? "gone"}${job?.error ? ` (${job.error})` : at}${
    waits.length > 0 ? `; pending: ${waits.join(", ")}` : "; nothing is pending"
  }`;
}
