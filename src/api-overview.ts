/** Of what travels between client and daemon: decisions seen together, and somebody's own. */
import type { DecisionView } from "./api.ts";
import type { DecisionId } from "./core/ids.ts";
import type { Urgency } from "./core/runbook.ts";

/** A decision in a chain: without what it takes to decide it. */
export type ChainLink = Omit<DecisionView, "context" | "fields" | "questions" | "action">;

export interface ChainBranch extends ChainLink {
  followed_by: ChainBranch[];
}

export interface ChainView {
  /** Those it came from, the first of all first. */
  ancestors: ChainLink[];
  decision: ChainLink;
  descendants: ChainBranch[];
  /** An ancestor that is no longer kept. */
  gone: DecisionId | null;
  is_cycle: boolean;
  /** Descendants that are too many to be told. */
  left_out: number;
}

/** How many there are, and the first of them. */
export interface Section {
  count: number;
  decisions: DecisionView[];
}

export interface DashboardView {
  pending: number;
  by_urgency: Record<Urgency, Section>;
  /** Pending for longer than this. */
  stale: Section & { after_ms: number };
  /** Settled within this time, in whatever way, newest first. */
  recent: Section & { within_ms: number };
}

/** Who asks what is theirs: nothing more than an agent's token has to be said. */
export interface OwnQuery {
  project: string;
  as?: string;
  session?: string;
}

export interface OwnView {
  caller: { kind: "agent" | "session" | "name" | "person"; name: string };
  /** What they asked and nobody has settled. */
  pending: DecisionView[];
  /** What came of their requests and they don't have in hand yet. */
  news: DecisionView[];
  /** For a person: all that waits for an answer in the project. */
  inbox: Record<Urgency, number> | null;
}

interface AutoCloseBody {
  project: string;
  threshold_ms: number;
  dry_run?: boolean;
}

export interface AutoCloseResult {
  dry_run: boolean;
  threshold_ms: number;
  /** Those that expired, or would have. */
  expired: DecisionView[];
}

/** The calls about them. */
export interface OverviewCalls {
  decisionChain(id: string): Promise<ChainView>;
  dashboard(query: { project?: string }): Promise<DashboardView>;
  ownDecisions(query: OwnQuery): Promise<OwnView>;
  autoClose(body: AutoCloseBody): Promise<AutoCloseResult>;
}
