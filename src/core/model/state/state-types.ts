/** What the state is made of: what rules and readers see of it, and what events fold into. */
import type { Agent, Crew } from "../agent-types.ts";
import type { Decision } from "../decision-types.ts";
import type { Fixed } from "../fixed.ts";
import type { Gist } from "../gist.ts";
import type { AgentId, CrewId, DecisionId, JobId, OwnerId } from "../ids.ts";
import type { Job, Workspace } from "../job-types.ts";
import type { Queue, Recipient } from "../queue-types.ts";
import type { HookedSession } from "../session-types.ts";
import type { Ids, Live, OpenIds, OpenRows, Rows } from "./table.ts";

/** A chore that failed and is tried again at `retry_at_ms` (never again where that is null). */
export type Retry = Fixed<{
  key: string;
  effect: string;
  attempt: number;
  error: string;
  failed_at_ms: number;
  retry_at_ms: number | null;
}>;

/** What is left to remove of a deleted job or crew. */
export type Trash = Fixed<{
  job_id: OwnerId;
  project: string;
  workspace: Workspace | null;
  /** Whose terminals and output go too. A snapshot of before knows of none. */
  agents?: AgentId[];
}>;

/** What rules and readers see of it. */
export interface State extends Live {
  readonly seq: number;
  readonly decisions: Decisions;
  readonly jobs: Jobs;
  readonly agents: Rows<AgentId, Agent>;
  readonly crews: Rows<CrewId, Crew>;
  /** Sessions that oj did not start, by the ids that their client gave them. */
  readonly sessions: Rows<string, HookedSession>;
  readonly queues: Rows<Recipient, Queue>;
  readonly retries: Rows<string, Retry>;
  readonly trash: Rows<OwnerId, Trash>;
  /** Derived: the pending decisions, oldest first. */
  readonly pending: Ids<DecisionId>;
  /** Derived: the pending decisions whose answer can still be taken back. */
  readonly held: Ids<DecisionId>;
  /** Derived: answers that a request of a certain template must follow, while none does. */
  readonly unfollowed: Ids<DecisionId>;
  /** Derived: the jobs that have not ended, or that something may be owed to. */
  readonly active: Ids<JobId>;
}

export interface Decisions extends Rows<DecisionId, Decision> {
  /** Reads one without keeping it: what goes through a long history must not fill the memory with it. */
  peek(id: DecisionId): Decision | undefined;
  gist(id: DecisionId): Gist | undefined;
  gists(): Iterable<Gist>;
  /** Those that a job or crew asked. */
  ownedBy(owner: string): ReadonlySet<DecisionId>;
  /** Its JSON. */
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
  readonly retries: OpenRows<string, Retry>;
  readonly trash: OpenRows<OwnerId, Trash>;
  readonly pending: OpenIds<DecisionId>;
  readonly held: OpenIds<DecisionId>;
  readonly unfollowed: OpenIds<DecisionId>;
  readonly active: OpenIds<JobId>;
}
