/** What keeps a job from starting a step, in words. */
import type { BlockView, JobView } from "../../api/api.ts";
import { safeLine } from "../../text/safe.ts";

/** It has come to a step that it may not start; empty if that is not so. */
export function blockersOf(job: JobView): BlockView[] {
  const step = job.steps.find((it) => it.name === job.step);
  if (job.status !== "waiting" || step?.status !== "pending") return [];
  return job.blocked_by.filter((it) => it.step === null || it.step === job.step);
}

/** For one line: "waits for dec-…: Which database?" */
export function blockedWords(job: JobView): string {
  const blocks = blockersOf(job);
  const pending = blocks.filter((it) => it.state === "pending");
  const [first] = pending;
  if (first) {
    const more = pending.length > 1 ? ` and ${pending.length - 1} more` : "";
    return `waiting for ${first.decision_id}${more}: ${safeLine(first.title)}`;
  }
  const [ended] = blocks;
  if (!ended) return "";
  const way = blocks.some((it) => it.ruled)
    ? `only a yes lets it continue: oj job cancel ${job.id}`
    : `continue with oj job resume ${job.id}`;
  return `blocked by ${ended.decision_id}, which is ${ended.state}; ${way}`;
}

/** Each block on a line of its own, for `oj job show`. */
export function blockLines(job: JobView): string[] {
  return job.blocked_by.map(({ decision_id, step, state, title }) => {
    const what = step === null ? "no further step starts" : `step "${safeLine(step)}" does not start`;
    if (state === "pending") return `${what} until ${decision_id} is answered: ${safeLine(title)}`;
    const why = state === "resolved" ? "the answer was no" : "nobody answered it";
    return `${what}: ${decision_id} is ${state}, and ${why}`;
  });
}
