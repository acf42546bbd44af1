/** What the state is made of: what rules and readers see of it, and what events fold into. */

import type { Member, Removed } from "../../roles/people.ts";
import type { Agent, Crew } from "../agent-types.ts";
import type { Decision } from "../decision-types.ts";
import type { Fixed } from "../fixed.ts";
import type { Gist } from "../gist.ts";
import type { AgentId, CrewId, DecisionId, JobId, MachineName, OwnerId } from "../ids.ts";
import type { Job, Workspace } from "../job-types.ts";
import type { Mirror, Unmirrored } from "../mirror-types.ts";
import type { PolicyBook } from "../policy-types.ts";
import type { Queue, Recipient } from "../queue-types.ts";
import type { HookedSession } from "../session-types.ts";
import type { PastCount } from "./fold-past.ts";
import type { Ids, Live, OpenIds, OpenRows, Rows } from "./table.ts";

/** A chore that failed and is tried again at `retry_at_ms` (never again if that is null). */
export type Retry = Fixed<{
  key: string;
  effect: string;
  attempt: number;
  error: string;
  failed_at_ms: number;
  retry_at_ms: number | null;
}>;

/** A machine with a daemon that shares this log. */
export type Machine = Fixed<{
  id: MachineName;
  /** What the store knows it by. */
  key: string;
  joined_at_ms: number;
  forgotten: boolean;
}>;

/** What is left to remove of a deleted job or crew. */
export type Trash = Fixed<{
  job_id: OwnerId;
  project: string;
  workspace: Workspace | null;
  /** Where it ran. */
  machine?: MachineName;
  /** Agents whose terminals and output are removed too. Absent in older snapshots. */
  agents?: AgentId[];
}>;

/** An agent that we run, or where an answer goes otherwise. People who ask have neither. */
export type Asker = AgentId | Recipient;

/** The pending requests of one asker, oldest first. */
export interface Asking {
  readonly asker: Asker;
  readonly ids: readonly DecisionId[];
}

/** What becoming stale depends on. */
export type Fresh = Pick<Decision, "id" | "project" | "created_at_ms">;

/** What rules and readers see of the state. */
export interface State extends Live {
  readonly seq: number;
  readonly decisions: Decisions;
  readonly jobs: Jobs;
  readonly agents: Rows<AgentId, Agent>;
  readonly crews: Rows<CrewId, Crew>;
  /** Sessions that oj did not start, by the ids that their client gave them. */
  readonly sessions: Rows<string, HookedSession>;
  readonly queues: Rows<Recipient, Queue>;
  /** The machines that share the log; empty where there is only one. */
  readonly machines: Rows<MachineName, Machine>;
  /** By name: whoever may do something without being at the socket. */
  readonly people: Rows<string, Member>;
  /** By name: whoever left. Somebody else may have the name since. */
  readonly removed: Rows<string, Removed>;
  readonly retries: Rows<string, Retry>;
  readonly trash: Rows<OwnerId, Trash>;
  /** Counts of decisions that were deleted. */
  readonly past: Rows<string, PastCount>;
  /** By project. */
  readonly policies: Rows<string, PolicyBook>;
  /** By the project's folder and its machine. */
  readonly mirrors: Rows<string, Mirror>;
  readonly unmirrored: Rows<DecisionId, Unmirrored>;
  /** Derived: the pending decisions, oldest first. */
  readonly pending: Ids<DecisionId>;
  /** Derived: the pending requests of each agent, session or name that asks. */
  readonly asking: Rows<Asker, Asking>;
  /** Derived: the pending decisions whose answer is on hold. */
  readonly held: Ids<DecisionId>;
  /** Derived: answered decisions that a request of a certain template must follow, as long as none does. */
  readonly unfollowed: Ids<DecisionId>;
  /** Derived: the jobs that have not ended, or that may still owe a chore. */
  readonly active: Ids<JobId>;
  /** Derived: the jobs and crews that failed, and nobody has seen it. */
  readonly unseen: Ids<OwnerId>;
  /** Derived: the pending decisions that were routed. */
  readonly routed: Ids<DecisionId>;
  /** Derived: the decisions with a notice that has to be sent or rewritten. */
  readonly untold: Ids<DecisionId>;
  /** Derived: the pending decisions with a deadline, an escalation or the like. */
  readonly timed: Ids<DecisionId>;
  /** Derived: the pending decisions that are not stale. */
  readonly fresh: Rows<DecisionId, Fresh>;
}

export interface Decisions extends Rows<DecisionId, Decision> {
  /** Reads a decision without keeping it, so that a walk through a long history doesn't fill the memory. */
  peek(id: DecisionId): Decision | undefined;
  gist(id: DecisionId): Gist | undefined;
  gists(): Iterable<Gist>;
  /** The decisions that this job or crew owns. */
  ownedBy(owner: string): ReadonlySet<DecisionId>;
  /** The decision as JSON. */
  text(id: DecisionId): string;
}

interface Jobs extends Rows<JobId, Job> {
  text(id: JobId): string;
}

/** What events fold into: the whole state, or a draft's. */
export interface Folding extends State {
  seq: number;
  readonly decisions: Decisions & OpenRows<DecisionId, Decision>;
  readonly jobs: Jobs & OpenRows<JobId, Job>;
  readonly agents: OpenRows<AgentId, Agent>;
  readonly crews: OpenRows<CrewId, Crew>;
  readonly sessions: OpenRows<string, HookedSession>;
  readonly queues: OpenRows<Recipient, Queue>;
  readonly machines: OpenRows<MachineName, Machine>;
  readonly people: OpenRows<string, Member>;
  readonly removed: OpenRows<string, Removed>;
  readonly retries: OpenRows<string, Retry>;
  readonly trash: OpenRows<OwnerId, Trash>;
  readonly past: OpenRows<string, PastCount>;
  readonly policies: OpenRows<string, PolicyBook>;
  readonly mirrors: OpenRows<string, Mirror>;
  readonly unmirrored: OpenRows<DecisionId, Unmirrored>;
  readonly pending: OpenIds<DecisionId>;
  readonly asking: OpenRows<Asker, Asking>;
  readonly held: OpenIds<DecisionId>;
  readonly unfollowed: OpenIds<DecisionId>;
  readonly active: OpenIds<JobId>;
  readonly unseen: OpenIds<OwnerId>;
  readonly routed: OpenIds<DecisionId>;
  readonly untold: OpenIds<DecisionId>;
  readonly timed: OpenIds<DecisionId>;
  readonly fresh: OpenRows<DecisionId, Fresh>;
}
