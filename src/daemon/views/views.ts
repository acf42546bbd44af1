/** Turns the state into what the API returns: copies that use the names of the contract. */
import type { AgentView, DecisionView, JobView, RunView } from "../../api/api.ts";
import { pendingOf } from "../../core/flow/step-requests.ts";
import type { Agent, Crew } from "../../core/model/agent-types.ts";
import type { Answer, Decision } from "../../core/model/decision-types.ts";
import { isBlocking, successorOf } from "../../core/model/decision-types.ts";
import type { Fixed } from "../../core/model/fixed.ts";
import { joined, loosened } from "../../core/model/fixed.ts";
import type { Job } from "../../core/model/job-types.ts";
import { hasEnded } from "../../core/model/job-types.ts";
import { outcomeOf } from "../../core/model/outcome.ts";
import { isCrew } from "../../core/model/state/find.ts";
import { homeOf } from "../../core/model/state/home.ts";
import type { State } from "../../core/model/state/state.ts";
import { queueOf } from "../../core/outbox/room.ts";
import { isTask, waitsFor } from "../../core/outbox/waiting.ts";
import { whyNobody } from "../../core/reach/notices.ts";
import { closingOf } from "../../core/request/age.ts";
import { neededFor, ruleWords, saidBy } from "../../core/rights/rule.ts";
import { letsAct } from "../../core/template/acting.ts";
import { consequence } from "../../core/template/options.ts";
import { saysNo } from "../../core/template/rule.ts";
import { silentWords } from "../../core/text/hook-settings.ts";
import { crewView } from "./crew-view.ts";
import { noticesOf } from "./notices-view.ts";

export function decisionView(decision: Decision): DecisionView {
  const view = joined(shown(decision), {
    outcome: outcomeOf(decision),
    machine: decision.machine ?? null,
    away_since_ms: null, // whoever knows adds it
    escalation: escalationView(decision),
    claimed: decision.claimed ?? null,
    snoozed: decision.snoozed ?? null,
    deadline_at_ms: decision.deadline_at_ms ?? null,
    default: decision.default ?? null,
    stale_since_ms: decision.stale_since_ms ?? null,
    closes_at_ms: closingOf(decision)?.at_ms ?? null,
    count: decision.count ?? 1,
    blocking: isBlocking(decision),
    meanwhile: decision.aside?.meanwhile ?? null,
    promoted: promotionOf(decision),
    options: decision.options.map(({ action, reversible: _, declines: __, ...rest }, index) => ({
      number: index + 1,
      ...rest,
      effect: consequence(action, decision.owner.kind),
      acts: letsAct(action),
    })),
    successor: successorOf(decision),
    parent: decision.parent ?? decision.parent_bead ?? null,
    bead: decision.bead?.id ?? null,
    notices: noticesOf(decision),
    not_notified: whyNobody(decision),
  });
  return loosened<DecisionView>(Object.assign(view, editedIn(decision), ruledBy(decision), whoMay(decision)));
}

/** Without what is only for figures and messages. Most decisions have none of it, and leaving out is slow. */
function shown(decision: Decision): Omit<Decision, (typeof INNER)[number]> {
  if (INNER.every((name) => decision[name] === undefined)) return decision;
  const { reach, seen, undone, closing, root, bead, parent_bead, aside, promoted, votes, ...rest } = decision;
  return rest;
}

const INNER = [
  "reach",
  "seen",
  "undone",
  "closing",
  "root",
  "bead",
  "parent_bead",
  "aside",
  "promoted",
  "votes",
] as const;

/** Who may answer, and what they have said so far; empty where no rule says it. */
function whoMay(decision: Decision): Pick<Fixed<DecisionView>, "who_may" | "said" | "min" | "approvals"> {
  if (!decision.rule) return {};
  const { votes = [] } = decision;
  const approvals = votes
    .filter(({ answer }) => !saysNo(decision, answer))
    .map(({ who, answer }) => ({ by: who, choice: answer.chosen, at_ms: answer.resolved_at_ms }));
  const who_may = ruleWords(decision) ?? "";
  return { who_may, said: votes.map(saidBy), min: neededFor(decision), approvals };
}

function promotionOf({ promoted }: Decision): { reason: string; at_ms: number } | null {
  return promoted ? { reason: promoted.reason, at_ms: promoted.at_ms } : null;
}

/** While somebody is on it, or it is on hold, its clock is paused. */
function escalationView(decision: Decision): DecisionView["escalation"] {
  const { escalation, claimed, snoozed, held } = decision;
  if (!escalation) return null;
  const { def, level, round, next_at_ms } = escalation;
  const isStill = claimed !== undefined || snoozed !== undefined || held !== null;
  return {
    name: def.name,
    level: level === null ? null : level + 1,
    levels: def.levels.length,
    round,
    next_at_ms: isStill ? null : next_at_ms,
  };
}

/** The policy that answered. Its text is in the log of policies. */
function ruledBy({ answer }: Decision): Pick<Fixed<DecisionView>, "policy"> & { answer?: Answer } {
  if (!answer?.policy) return {};
  const { policy, ...rest } = answer;
  return { answer: rest, policy: { name: policy.name, hash: policy.hash } };
}

/** Both calls, where a person changed what was approved; also while the answer is on hold. */
function editedIn({ action, answer, held }: Decision): Pick<Fixed<DecisionView>, "edited"> {
  const after = (answer ?? held?.answer)?.input;
  return action && after ? { edited: { before: action.input, after } } : {};
}

/** The fields of a job, a step and an agent that are returned as they are in the state. All others stay inside. */
const JOB = [
  "id",
  "project",
  "name",
  "kind",
  "status",
  "step",
  "vars",
  "error",
  "failed_step",
  "reason",
  "cwd",
  "by",
  "created_at_ms",
  "finished_at_ms",
] as const;
const STEP = [
  "name",
  "status",
  "started_at_ms",
  "finished_at_ms",
  "error",
  "exit_code",
  "entries",
  "decision_id",
  "child_id",
] as const;
const AGENT = [
  "id",
  "project",
  "name",
  "kind",
  "owner",
  "status",
  "incarnation",
  "conversation",
  "last_message",
  "error",
  "exit",
  "cwd",
  "created_at_ms",
  "changed_at_ms",
] as const;

export function jobView(job: Job, state: Readonly<State>): JobView {
  const asked = job.steps.map((it) => it.decision_id).find((id) => id !== null && state.pending.has(id));
  const pending = asked ?? (job.status === "waiting" ? pendingOf(state, job.id)[0]?.id : undefined);
  return loosened<JobView>({
    ...pick(job, JOB),
    machine: homeOf(state, job.id),
    steps: job.steps.map((it) => pick(it, STEP)),
    workspace: job.workspace?.path ?? null,
    branch: job.workspace?.branch ?? null,
    pending_decision: pending ?? null,
    blocked_by: job.blocked_by.map(({ decision_id, step }) => {
      const decision = state.decisions.get(decision_id);
      const ruled = decision?.rule ? ({ ruled: true } as const) : {};
      const { state: standing = "deleted", title = "" } = decision ?? {};
      return { decision_id, step, state: standing, title, ...ruled };
    }),
    parent: job.parent?.job_id ?? null,
    cancelled_by: job.cancelled_by ?? null,
    cancelling: cancellingOf(job),
  });
}

function cancellingOf({ cancelling, ending }: Job): JobView["cancelling"] {
  if (cancelling) return { by: cancelling.by, tidying: false };
  return ending?.type === "cancelled" ? { by: ending.by, tidying: true } : null;
}

export function agentView(agent: Agent, state: Readonly<State>): AgentView {
  const { decision_id, outbox, prompt, gate, cooling } = agent;
  const asked = decision_id === null ? undefined : state.decisions.get(decision_id);
  return {
    ...pick(agent, AGENT),
    machine: homeOf(state, agent.id),
    decision_id: asked?.state === "pending" ? asked.id : null,
    dismissed: asked?.state === "dismissed" && agent.status !== "working" && outbox.length === 0,
    gate: gate?.run ?? null,
    cooling_until_ms: cooling?.until_ms ?? null,
    owed: outbox.map((it) => ({
      ...pick(it, ["decision_id", "state", "attempts"]),
      waits_for: waitsFor(agent, it),
      task: isTask(agent, it),
    })),
    notes: [...(agent.notes ?? [])],
    silent: agent.silent ? { ...agent.silent, says: silentWords(agent.silent) } : null,
    prompt: prompt && pick(prompt, ["kind", "tool"]),
    hung_since_ms: agent.hung_since_ms ?? null,
    queued: queueOf(state, agent),
  };
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

/** The jobs that have not ended, oldest first. */
export function activeJobs(state: Readonly<State>): Job[] {
  const jobs = [...state.active].map((id) => state.jobs.get(id));
  return jobs
    .filter((job) => job !== undefined)
    .filter((job) => !hasEnded(job))
    .sort((a, b) => a.created_at_ms - b.created_at_ms);
}

export function runView(run: Job | Crew, state: Readonly<State>): RunView {
  return isCrew(run) ? crewView(run, state) : jobView(run, state);
}
