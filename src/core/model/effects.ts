/** The closed list of chores for the outside. Imperative; the outcome of each comes back as a fact. */

import type { Parcel } from "./agent-types.ts";
import type { AgentId, DecisionId, JobId, MachineName, OwnerId, RunId } from "./ids.ts";
import type { Workspace } from "./job-types.ts";
import type { WorkspaceDef } from "./runbook.ts";

export type Effect =
  | { type: "make-workspace"; job_id: JobId; project: string; workspace: WorkspaceDef; root: string }
  | { type: "remove-workspace"; job_id: JobId; project: string; workspace: Workspace }
  | ({ type: "run-shell" } & ShellRun)
  | { type: "stop-shell"; job_id: JobId; project: string; run_id: RunId }
  /** An answer whose undo window ends at `until_ms`; it was given at `from_ms`. */
  | { type: "release-answer"; decision_id: DecisionId; project: string; from_ms: number; until_ms: number }
  | AgeEffect
  /** For a job or a crew. */
  | {
      type: "purge-job";
      job_id: OwnerId;
      project: string;
      workspace: Workspace | null;
      agents?: readonly AgentId[];
    }
  | ReachEffect
  | MirrorEffect
  | AgentEffect;

/** A decision becomes stale, or a request that nobody answered expires. */
export type AgeEffect =
  | ({ type: "mark-stale"; decision_id: DecisionId; project: string } & Wait)
  | ({ type: "auto-close"; decision_id: DecisionId; project: string } & Wait);

export type ReachEffect =
  /** Nobody has looked yet who hears of this decision. */
  | { type: "route"; decision_id: DecisionId; project: string }
  /** A notice has not been sent, or shows another face than the decision has now. */
  | ({ type: "tell"; decision_id: DecisionId; project: string; key: string; face: string } & Wait)
  | EscalateEffect
  /** The deadline of a decision: its default is carried out then. */
  | ({ type: "expire"; decision_id: DecisionId; project: string } & Wait);

/** The bead of this decision does not show how it stands (`shows`), or is not there yet. */
export interface MirrorEffect {
  type: "mirror";
  decision_id: DecisionId;
  project: string;
  root: string;
  /** The machine that has the folder; absent where the log has one machine. */
  machine?: MachineName;
  shows: string;
}

/** What an escalation does next: the first level, a reminder, the next level, the end of a claim or of a snooze. */
export interface EscalateEffect extends Wait {
  type: "escalate";
  what: "begin" | "remind" | "next" | "release" | "wake";
  decision_id: DecisionId;
  project: string;
}

/** Not before `until_ms`, which was set at `from_ms`. */
interface Wait {
  from_ms: number;
  until_ms: number;
}

export type AgentEffect =
  | { type: "start-agent"; agent_id: AgentId; project: string; incarnation: number }
  | { type: "stop-agent"; agent_id: AgentId; project: string; incarnation: number }
  | { type: "deliver"; agent_id: AgentId; project: string; incarnation: number; parcel: Parcel }
  | ({ type: "run-gate"; agent_id: AgentId } & GateRun)
  /** Not before `until_ms`, which was set at `from_ms`. */
  | { type: "wake-agent"; agent_id: AgentId; project: string; from_ms: number; until_ms: number };

/** A gate's script, with its values kept apart from its text. */
export interface GateRun {
  project: string;
  run_id: RunId;
  script: string;
  values: Record<string, string>;
  cwd: string;
  timeout_ms: number;
  job_id: JobId | null;
}

/** A script to run: that of a step, or the context command of a decision step. */
export interface ShellRun {
  job_id: JobId;
  project: string;
  step: string;
  run_id: RunId;
  purpose: "step" | "context";
  script: string;
  /** Interpolated values, carried as shell variables. */
  values: Record<string, string>;
  env: Record<string, string>;
  cwd: string;
  /** The job whose environment it runs in. */
  origin: JobId;
  timeout_ms: number | null;
  keep_bytes: number;
}

/** Each chore has one key, so it is never started twice while it runs or waits for its retry. */
export function effectKey(effect: Effect): string {
  if (effect.type === "run-gate") return `run-gate:${effect.run_id}:${effect.agent_id}`;
  if (effect.type === "deliver")
    return `deliver:${effect.parcel.id}:${effect.incarnation}:${effect.agent_id}`;
  if (effect.type === "release-answer") return `release-answer:${effect.until_ms}:${effect.decision_id}`;
  if (effect.type === "route") return `route:${effect.decision_id}`;
  if (effect.type === "mirror") return `mirror:${effect.shows}:${effect.decision_id}`;
  if (effect.type === "tell")
    return `tell:${effect.key}:${effect.face}:${effect.until_ms}:${effect.decision_id}`;
  if (effect.type === "escalate") return `escalate:${effect.what}:${effect.until_ms}:${effect.decision_id}`;
  if (effect.type === "expire" || effect.type === "mark-stale" || effect.type === "auto-close")
    return `${effect.type}:${effect.until_ms}:${effect.decision_id}`;
  if (effect.type === "wake-agent") return `wake-agent:${effect.until_ms}:${effect.agent_id}`;
  if ("agent_id" in effect) return `${effect.type}:${effect.incarnation}:${effect.agent_id}`;
  if (effect.type === "run-shell" || effect.type === "stop-shell") return `${effect.type}:${effect.run_id}`;
  return `${effect.type}:${effect.job_id}`;
}

/** A chore that somebody waits for is retried within seconds; one that only tidies up can wait longer. */
const LONGEST_MS: Partial<Record<Effect["type"], number>> = {
  "remove-workspace": 300_000,
  "purge-job": 300_000,
  mirror: 3_600_000,
};
const LONGEST_WAIT_MS = 10_000;

/** Back-off for a chore that failed: 1 s, 2 s, 4 s … at most 10 seconds, or longer if nobody waits for it. */
export function retryDelayMs(attempt: number, type?: Effect["type"]): number {
  const longest = (type && LONGEST_MS[type]) ?? LONGEST_WAIT_MS;
  return Math.min(1000 * 2 ** Math.min(attempt - 1, 20), longest);
}
