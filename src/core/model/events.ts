/** The closed list of facts. Past tense; a recorded fact is true and never changes. */

import type { PersonFact } from "../roles/people.ts";
import type { Rule } from "../roles/rule.ts";
import type { AgentFact, CrewFact } from "./agent-facts.ts";
import type {
  Action,
  Answer,
  Aside,
  AskedIn,
  DecisionState,
  ExactAction,
  Held,
  Option,
  Owner,
  Question,
  Source,
  Via,
  Vote,
} from "./decision-types.ts";
import type { Fixed } from "./fixed.ts";
import type { AgentId, DecisionId, JobId, MachineName, OwnerId, RunId } from "./ids.ts";
import type { Choice, JobEnding, JobRecord, Sight, Workspace } from "./job-types.ts";
import type { MirrorFact } from "./mirror-types.ts";
import type { PolicyFact } from "./policy-types.ts";
import type { QueueFact, Recipient } from "./queue-types.ts";
import type { EscalationDef, EscalationFact, LevelTimes, NoticeFact } from "./reach-types.ts";
import type { OnCancel, Urgency } from "./runbook.ts";
import type { SessionFact } from "./session-types.ts";

/** What the log adds to a fact: its place, its time, and where it was written. */
export interface Stamp {
  seq: number;
  at_ms: number;
  /** The machine whose daemon wrote it, where several share the log. */
  machine?: MachineName;
  /** Its texts were erased. */
  erased?: true;
}

export type Event = Fact & Stamp;

export type Fact = Fixed<
  | DecisionFact
  | NoticeFact
  | EscalationFact
  | JobFact
  | StepFact
  | AgentFact
  | CrewFact
  | SessionFact
  | QueueFact
  | PolicyFact
  | MachineFact
  | AuditFact
  | PersonFact
  | MirrorFact
  | EffectFact
  | LogFact
>;

export type DecisionFact =
  | {
      type: "decision:created";
      id: DecisionId;
      project: string;
      owner: Owner;
      job_id?: JobId;
      agent_id?: AgentId;
      source: Source;
      title: string;
      context: string;
      fields: Record<string, unknown>;
      urgency: Urgency;
      options: Option[];
      questions: Question[];
      action: ExactAction | null;
      requested_by: string | null;
      session?: string | null;
      claimed_session?: string;
      asked_in?: AskedIn;
      template: string | null;
      prompt_key?: string | null;
      blocks: string[];
      on_cancel?: OnCancel;
      parent: DecisionId | null;
      /** The bead that it belongs to, where a request names one instead of a decision. */
      parent_bead?: string;
      predecessor: DecisionId | null;
      supersedes: DecisionId | null;
      /** For a request: the folder of the project where it was made. Absent in older records. */
      root?: string;
      /** The queue that its outcome goes into, if nothing else takes it to whoever asked. */
      recipient?: Recipient | null;
      created_at_ms: number;
      escalation?: EscalationDef;
      deadline_at_ms?: number;
      /** The key of the option that is taken at the deadline. */
      default?: string;
      /** A request that nobody answers for so long expires by itself. */
      auto_close_ms?: number;
      /** Whoever asked goes on with other work. */
      aside?: Aside;
      rule?: Rule;
      sponsor?: string;
    }
  /** Whoever asked had gone on with other work, and now waits for the answer. */
  | { type: "decision:promoted"; id: DecisionId; project: string; reason: string }
  /** One of several people has said something; it takes the place of what they said before. */
  | ({ type: "decision:voted"; id: DecisionId; project: string } & Vote)
  /** They took it back. */
  | { type: "decision:unvoted"; id: DecisionId; project: string; who: string; by: string }
  | {
      type: "decision:held";
      id: DecisionId;
      project: string;
      given: Held["given"];
      answer: Answer;
      release_at_ms: number;
    }
  | { type: "decision:undone"; id: DecisionId; project: string; by: string }
  /** Somebody looked at it for the first time. */
  | { type: "decision:seen"; id: DecisionId; project: string; by: string; via: Via }
  /** Somebody is on it, or wants to hear of it later: the clock of its escalation is paused until then. */
  | { type: "decision:claimed"; id: DecisionId; project: string; by: string; via: Via; until_ms: number }
  | { type: "decision:snoozed"; id: DecisionId; project: string; by: string; via: Via; until_ms: number }
  /** It has been pending for longer than the person's settings allow. */
  | { type: "decision:stale"; id: DecisionId; project: string; since_ms: number }
  /** The claim or the snooze is over: the clock continues. `by` is null if its time was up. */
  | ({
      type: "decision:released";
      id: DecisionId;
      project: string;
      by: string | null;
      /** A request that expires by itself has its whole time again. */
      closes_at_ms?: number;
    } & LevelTimes)
  | ({
      type: "decision:resolved";
      id: DecisionId;
      project: string;
      state: "resolved" | "dismissed";
      action: Action;
      aftermath?: string | null;
    } & Answer)
  | { type: "decision:delivered"; id: DecisionId; project: string; attempt: number }
  | { type: "decision:acknowledged"; id: DecisionId; project: string }
  | { type: "decision:undelivered"; id: DecisionId; project: string; error: string }
  | { type: "decision:superseded"; id: DecisionId; project: string; superseded_by: DecisionId }
  | ({ type: "decision:withdrawn" } & Ended)
  /** With an answer: a deadline chose the default. It is never a person's answer. */
  | ({ type: "decision:expired"; default?: string; answer?: Answer } & Ended)
  /** The same asker asked the same again; one of several who wait is gone; one of those after the first has the answer. */
  | { type: "decision:repeated"; id: DecisionId; project: string; key: string }
  | { type: "decision:left"; id: DecisionId; project: string; key: string | null }
  | { type: "decision:shared"; id: DecisionId; project: string; key: string; arrived: boolean }
  /** Its bead shows how it stood then. */
  | {
      type: "decision:mirrored";
      id: DecisionId;
      project: string;
      bead: string;
      root: string;
      shows: DecisionState;
    }
  | { type: "decision:deleted"; id: DecisionId; project: string };

/** A decision that ended without an answer. `aftermath` says what happened to the work that it blocked. */
interface Ended {
  id: DecisionId;
  project: string;
  reason: string;
  by: string;
  aftermath?: string | null;
}

export type JobFact =
  | ({ type: "job:created" } & JobRecord)
  | { type: "job:prepared"; id: JobId; project: string; workspace: Workspace }
  | {
      type: "job:advanced";
      id: JobId;
      project: string;
      step: string;
      from: string | null;
      route: string | null;
      ending: JobEnding | null;
    }
  | { type: "job:completed"; id: JobId; project: string }
  /** `unseen`: nobody chose that, and nobody was asked; it is shown in the inboxes until somebody has seen it. */
  | { type: "job:failed"; id: JobId; project: string; step: string | null; error: string; unseen?: true }
  | { type: "job:seen"; id: JobId; project: string; by: string; how: Sight }
  | { type: "job:cancelling"; id: JobId; project: string; reason: string | null; by: string }
  | { type: "job:cancelled"; id: JobId; project: string; reason: string | null; by: string }
  | { type: "job:suspended"; id: JobId; project: string; by: string }
  | { type: "job:resumed"; id: JobId; project: string; by: string; message: string | null }
  | { type: "job:blocked"; id: JobId; project: string; decision_id: DecisionId; step: string | null }
  | {
      type: "job:unblocked";
      id: JobId;
      project: string;
      decision_id: DecisionId;
      step: string | null;
      by: string;
      reason: string;
    }
  /** The job has reached a step that can't begin until these decisions are answered. */
  | { type: "job:waiting"; id: JobId; project: string; step: string; decision_ids: DecisionId[] }
  | { type: "job:deleted"; id: JobId; project: string; by: string }
  | { type: "job:cleaned"; id: JobId; project: string; kept: string | null }
  | { type: "job:purged"; id: JobId; project: string };

export type StepFact =
  | { type: "step:started"; job_id: JobId; project: string; step: string; run_id: RunId; entry: number }
  | {
      type: "step:waiting";
      job_id: JobId;
      project: string;
      step: string;
      decision_id: DecisionId | null;
      child_id: JobId | null;
    }
  | {
      type: "step:completed";
      job_id: JobId;
      project: string;
      step: string;
      exit_code: number | null;
      output: string;
      choice?: Choice;
    }
  | { type: "step:skipped"; job_id: JobId; project: string; step: string; reason: string }
  | {
      type: "step:failed";
      job_id: JobId;
      project: string;
      step: string;
      error: string;
      exit_code: number | null;
      output: string;
    }
  | { type: "step:resumed"; job_id: JobId; project: string; step: string }
  | { type: "step:cancelled"; job_id: JobId; project: string; step: string };

/** `project` is empty: it concerns all of them. */
export type MachineFact =
  /** Its daemon has started here for the first time. `key` is what the store knows it by. */
  | { type: "machine:joined"; id: MachineName; project: ""; key: string }
  /** It won't come back: what ran there was ended, and its daemon can't write any more. */
  | { type: "machine:forgotten"; id: MachineName; project: ""; by: string };

export type AuditFact = ReadFact | ErasedFact;

/** Somebody looked at what is proven: of one decision, or exported it all. It changes nothing. */
interface ReadFact {
  type: "audit:read";
  id: "audit";
  of: DecisionId | null;
  project: string;
  by: string;
  via: Via;
}

/** The texts of the decision with this id are gone. What stays of each event is proven by its hash, as written. */
export interface ErasedFact {
  type: "audit:erased";
  id: DecisionId;
  project: string;
  by: string;
  via: Via;
  reason: string | null;
  records: readonly { readonly seq: number; readonly sha256: string }[];
}

export type EffectFact = FailedFact | LateFact;

/** A chore takes longer than it should; `waits_for` says what it is waiting for. */
export interface LateFact {
  type: "effect:late";
  project: string;
  key: string;
  effect: string;
  agent_id: AgentId | null;
  decision_id: DecisionId | null;
  waits_for: string;
}

type FailedFact = {
  type: "effect:failed";
  project: string;
  key: string;
  effect: string;
  job_id: OwnerId | null;
  agent_id?: AgentId | null;
  decision_id: DecisionId | null;
  attempt: number;
  error: string;
  retry_at_ms: number | null;
};

/**
 * Takes the place of an event that can no longer be read. It changes nothing, because nobody knows what the event was.
 */
export type LogFact = { type: "log:lost"; id: "log"; project: string; what: string };

/** The stream a fact belongs to: two writers that touch the same stream conflict, others don't. */
export function streamOf(fact: Fact): string {
  if ("job_id" in fact && fact.type.startsWith("step:")) return fact.job_id as string;
  if (fact.type === "effect:failed" || fact.type === "effect:late")
    return ("job_id" in fact ? fact.job_id : null) ?? fact.agent_id ?? fact.decision_id ?? fact.key;
  if ("recipient" in fact && fact.type.startsWith("inject:")) return fact.recipient as string;
  return (fact as { id: string }).id;
}

/** The ids of the decisions and jobs that an event is about. */
export function idsOf(event: Event): string[] {
  const { id, job_id, decision_id } = event as {
    id?: string;
    job_id?: string | null;
    decision_id?: string | null;
  };
  return [id, job_id, decision_id].filter((it): it is string => typeof it === "string");
}
