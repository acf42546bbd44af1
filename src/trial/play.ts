/** Plays a job from its start: as a test says and until one of its expectations fails, or as it comes and to its end. */
import { startJob } from "../core/control/job.ts";
import type { ResolveInput } from "../core/decision/answer.ts";
import { resolveDecision } from "../core/decision/give.ts";
import type { JobInput } from "../core/flow/job-start.ts";
import type { Decision } from "../core/model/decision-types.ts";
import { Refusal } from "../core/model/errors.ts";
import type { DecisionId, JobId } from "../core/model/ids.ts";
import type { JobStatus } from "../core/model/job-types.ts";
import { hasEnded } from "../core/model/job-types.ts";
import { formatDuration } from "../core/text/duration.ts";
import type { AnswerStep, ExpectStep, Trial } from "../runbook/trials.ts";
import { drawnAnswer, likelyAnswer, scriptedAnswer } from "./answer.ts";
import { chanceOf } from "./chance.ts";
import { expectedWords, meets, pendingIn, standing } from "./expectation.ts";
import { drawn, hopeful, scripted } from "./script.ts";
import type { Stage } from "./stage.ts";
import { openStage } from "./stage.ts";
import type { Told } from "./story.ts";
import { told } from "./story.ts";

export interface Played {
  /** What was expected and did not come, or was answered and refused; null if all is well. */
  problem: { line: number; text: string } | null;
  /** How the job stood at the end. */
  status: JobStatus;
  /** Why it did not go on, if it did not end by itself. */
  stuck: string | null;
  took_ms: number;
  story: Told[];
}

export interface HowToPlay {
  job: JobInput & { id: JobId };
  script: Trial | null;
  /** Whatever the script doesn't say is drawn from it. */
  seed: number | null;
  /** Go on to the end of the job once the script is over. */
  toTheEnd: boolean;
  hungAfterMs: number;
}

/** Nobody waits longer than this for anything. */
const LONGEST_MS = 400 * 86_400_000;
const MOST_ANSWERS = 200;

class Unmet extends Error {}

export async function play({ job, script, seed, toTheEnd, hungAfterMs }: HowToPlay): Promise<Played> {
  const chance = chanceOf(seed ?? 1);
  const otherwise = seed === null ? hopeful : drawn(chance);
  const behaviour = script ? scripted(script, otherwise) : otherwise;
  const story: Told[] = [];
  const stage = openStage(behaviour, {
    seed: seed ?? 1,
    hungAfterMs,
    watch(events, state) {
      for (const event of events) {
        const it = told(event, state);
        if (it) story.push({ at_ms: stage.now(), ...it });
      }
    },
  });
  await stage.run((state, moment) => startJob(state, job, moment));
  const problem = await follow(stage, job.id, script?.steps ?? []);
  const answer = (it: Decision) => (seed === null ? likelyAnswer(it) : drawnAnswer(it, chance));
  const stuck = problem === null && toTheEnd ? await goToTheEnd(stage, job.id, answer) : null;
  const status = stage.read((state) => state.jobs.get(job.id)?.status ?? "cancelled");
  return { problem, status, stuck, took_ms: stage.now(), story };
}

async function follow(stage: Stage, job_id: JobId, steps: Trial["steps"]): Promise<Played["problem"]> {
  const met = new Set<DecisionId>();
  let current: DecisionId | null = null;
  for (const step of steps) {
    try {
      if (step.type === "expect") current = (await expect(stage, job_id, step, met)) ?? current;
      else {
        await answer(stage, job_id, step, current);
        current = null;
      }
    } catch (error) {
      if (!(error instanceof Unmet || error instanceof Refusal)) throw error;
      return { line: step.line, text: error.message };
    }
  }
  return null;
}

async function expect(
  stage: Stage,
  job_id: JobId,
  step: ExpectStep,
  met: Set<DecisionId>,
): Promise<DecisionId | null> {
  const from = stage.now();
  const until = from + (step.within ?? LONGEST_MS);
  await stage.settle();
  for (;;) {
    const found = stage.read((state) => meets(state, step, { job_id, met }));
    if (found?.decision) met.add(found.decision.id);
    if (found) return found.decision?.id ?? null;
    if (await stage.goOn(until)) continue;
    const when = step.within === undefined ? "" : ` within ${formatDuration(step.within)}`;
    throw new Unmet(
      `expected ${expectedWords(step)}${when}, which never came: ${stage.read((it) => standing(it, job_id))}`,
    );
  }
}

async function answer(
  stage: Stage,
  job_id: JobId,
  step: AnswerStep,
  current: DecisionId | null,
): Promise<void> {
  await stage.settle();
  for (;;) {
    const decision = stage.read((state) => {
      const pending = pendingIn(state);
      return pending.find((it) => it.id === current) ?? pending[0];
    });
    if (decision) return resolve(stage, scriptedAnswer(decision, step));
    if (!(await stage.goOn(stage.now() + LONGEST_MS)))
      throw new Unmet(`there is nothing to answer: ${stage.read((it) => standing(it, job_id))}`);
  }
}

async function resolve(stage: Stage, input: ResolveInput): Promise<void> {
  const decision = stage.read((state) => state.decisions.get(input.id as DecisionId));
  for (const who of decision ? votersFor(decision) : [input.by]) {
    await stage.run((state, moment) => resolveDecision(state, { ...input, who }, moment));
    await stage.settle();
    if (stage.read((state) => state.decisions.get(input.id as DecisionId))?.state !== "pending") return;
  }
}

/** As many people as the decision's rule takes, made up where it doesn't name them. */
function votersFor({ rule, sponsor }: Decision): string[] {
  const { min = 1, approvers, self } = rule ?? {};
  const some = approvers ?? Array.from({ length: min }, (_, n) => `person ${n + 1}`);
  return some.filter((it) => self !== "deny" || it !== sponsor).slice(0, min);
}

/** Why it did not get there; null if it did. */
async function goToTheEnd(
  stage: Stage,
  job_id: JobId,
  answerTo: (decision: Decision) => ResolveInput,
): Promise<string | null> {
  await stage.settle();
  for (let answers = 0; answers < MOST_ANSWERS; ) {
    const job = stage.read((state) => state.jobs.get(job_id));
    if (!job || hasEnded(job)) return null;
    const [decision] = stage.read(pendingIn);
    if (decision) {
      answers += 1;
      await resolve(stage, answerTo(decision));
    } else if (!(await stage.goOn(stage.now() + LONGEST_MS)))
      return `nothing more happens: ${stage.read((it) => standing(it, job_id))}`;
  }
  return `it was stopped after ${MOST_ANSWERS} answers: the runbook may go round in circles`;
}
