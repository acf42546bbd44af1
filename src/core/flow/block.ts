/**
 * Work that waits for a decision. Each job records what blocks it, so nothing has to be remembered elsewhere; the rest
 * is here.
 */
import type { Decision } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, JobId } from "../model/ids.ts";
import { isIdText } from "../model/ids.ts";
import type { Block, Job } from "../model/job-types.ts";
import { blockersOf, hasEnded, isAtPendingStep, isBlocked } from "../model/job-types.ts";
import type { Draft } from "../model/state/draft.ts";
import { matchId } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import { beginStep } from "./job-flow.ts";

/** One blocked thing: a whole job, one of its steps, or something that only others know. */
type Work = { text: string; job: Job; step: string | null } | { text: string; job: null };

/**
 * What a request says it blocks, by full ids, and what is wrong with that. Anything that looks like a job of ours must
 * be one; everything else is kept as written. An agent knows only the jobs of its own project.
 */
export function namedWork(
  state: Readonly<State>,
  texts: readonly string[],
  project: string | null,
): { blocks: string[]; problems: string[] } {
  const problems: string[] = [];
  const blocks = new Set<string>();
  for (const text of texts) {
    const { name, step } = placeOf(text.trim());
    const found = name.startsWith("job-") ? matchId(state.jobs.keys(), "job", name) : [];
    const jobs = found.flatMap((id) => state.jobs.get(id) ?? []);
    const known = jobs.filter((it) => project === null || it.project === project);
    const isOurs = found.length > 0 || isIdText(name, "job");
    const problem = isOurs ? problemOf(known, name, step) : null;
    if (text.trim() === "") problems.push("--blocks needs the id of the work that waits");
    else if (problem !== null) problems.push(problem);
    else blocks.add(isOurs ? `${known[0]?.id}${step === null ? "" : `/${step}`}` : text.trim());
  }
  return { blocks: [...blocks], problems };
}

function problemOf(found: readonly Job[], name: string, step: string | null): string | null {
  const [job] = found;
  if (!job) return `--blocks ${name} is not a job`;
  if (found.length > 1) return `--blocks ${name} matches ${found.length} jobs`;
  if (hasEnded(job)) return `--blocks ${job.id}: it has ${endedWord(job)}, so nothing in it can wait`;
  if (step !== null && !job.steps.some((it) => it.name === step))
    return `--blocks ${job.id}/${step}: its steps are ${job.steps.map((it) => it.name).join(", ")}`;
  return null;
}

function endedWord({ status }: Job): string {
  return status === "cancelled" ? "been cancelled" : status;
}

/** What the decision still blocks: not what a person let continue, and not what has ended. */
export function blockedWork(state: Readonly<State>, { id, blocks }: Decision): string[] {
  return worksOf(state, id, blocks).map((it) => it.text);
}

function worksOf(state: Readonly<State>, id: DecisionId, blocks: readonly string[]): Work[] {
  return blocks.flatMap((text): Work[] => {
    const { name, step } = placeOf(text);
    const job = state.jobs.get(name as JobId);
    if (!job && !isIdText(name, "job")) return [{ text, job: null }];
    if (!job || hasEnded(job)) return [];
    const stillDoes = job.blocked_by.some((it) => it.decision_id === id && it.step === step);
    return stillDoes ? [{ text, job, step }] : [];
  });
}

/** Whether the decision was asked to block this. A job and its steps may be given by the beginning of an id. */
export function doesBlock({ blocks }: Decision, text: string): boolean {
  return blocks.some((it) => it === text || (text.startsWith("job-") && it.startsWith(text)));
}

/** Makes jobs wait for a new decision, and no longer for the one that it replaces. */
export function blockFacts(
  state: Readonly<State>,
  id: DecisionId,
  blocks: readonly string[],
  before: Decision | null,
): Fact[] {
  const facts = blocks.flatMap((text): Fact[] => {
    const { name, step } = placeOf(text);
    const job = state.jobs.get(name as JobId);
    return job ? [{ type: "job:blocked", id: job.id, project: job.project, decision_id: id, step }] : [];
  });
  if (!before) return facts;
  const reason = `${id} blocks it now`;
  const taken = worksOf(state, before.id, before.blocks).flatMap((it) =>
    it.job ? [unblocked(it.job, { decision_id: before.id, step: it.step }, "oj", reason)] : [],
  );
  return [...facts, ...taken];
}

/** What becomes of the blocked work, in words; null if nothing was blocked. */
export function aftermathOf(state: Readonly<State>, decision: Decision, frees: boolean): string | null {
  const works = worksOf(state, decision.id, decision.blocks);
  if (works.length === 0) return null;
  const way = decision.rule ? "cancel" : "resume"; // under a rule, nothing but a yes lets it continue
  const words = works.map(({ text, job }) => (frees || !job ? text : `${text} (oj job ${way} ${job.id})`));
  return `${frees ? "no longer blocked" : "still blocked"}: ${words.join(", ")}`;
}

/** Unblocks everything that the decision blocked. A job that nothing else blocks begins its step. */
export function freeWork(draft: Draft, decision: Decision, by: string): void {
  for (const work of worksOf(draft.state, decision.id, decision.blocks)) {
    if (!work.job) continue;
    const block = { decision_id: decision.id, step: work.step };
    draft.emit(unblocked(work.job, block, by, `${decision.id} was settled`));
    beginIfFree(draft, work.job.id);
  }
}

/**
 * A person lets a job continue without the answer. This lifts what blocks the job now or, while it is busy, everything
 * that would block it later; but not what a rule leaves to others, however that ended.
 */
export function liftBlocks(draft: Draft, id: JobId, input: { by: string; message: string | null }): void {
  const job = draft.job(id);
  const { by, message } = input;
  const wasBlocked = isBlocked(job);
  const blocks = wasBlocked ? blockersOf(job, job.step) : job.blocked_by;
  for (const it of blocks) refuseRuled(job, draft.state.decisions.get(it.decision_id));
  for (const it of blocks) draft.emit(unblocked(job, it, by, `${by} let it continue`));
  if (!wasBlocked) return;
  draft.emit({ type: "job:resumed", id, project: job.project, by, message });
  beginStep(draft, id);
}

function refuseRuled(job: Job, decision: Decision | undefined): void {
  if (!decision?.rule) return;
  const { id, state } = decision;
  const isOpen = state === "pending";
  throw new Refusal(
    "job.not-resumable",
    `${job.id} is blocked by ${id}, whose rule says who may answer: only a yes frees it${isOpen ? "" : ", and it got none"}`,
    isOpen ? `oj decision show ${id}` : `oj job cancel ${job.id}`,
  );
}

function unblocked({ id, project }: Job, block: Block, by: string, reason: string): Fact {
  return { type: "job:unblocked", id, project, ...block, by, reason };
}

function beginIfFree(draft: Draft, id: JobId): void {
  const job = draft.job(id);
  if (job.status === "waiting" && isAtPendingStep(job) && !isBlocked(job)) beginStep(draft, id);
}

/** "job-…/build" → the job and its step. */
function placeOf(text: string): { name: string; step: string | null } {
  const at = text.indexOf("/");
  return at < 0 ? { name: text, step: null } : { name: text.slice(0, at), step: text.slice(at + 1) };
}
