/** What travels between client and daemon. The same names as in the events and in `-o json`; nothing is translated. */

import type { AgentView } from "./api-agents.ts";
import type { CrewView, RunView } from "./api-crews.ts";
import type { DrainBody, DrainResult, HookQuery, InjectBody, QueueView } from "./api-inject.ts";
import type { OverviewCalls } from "./api-overview.ts";
import type { CheckResult, CommandList, RunBody, RunResult } from "./api-runbooks.ts";
import type { WebCalls } from "./api-web.ts";
import type { CrewStatus } from "./core/agent-types.ts";
import type { Brief } from "./core/brief.ts";
import type { Decision, DecisionState, Option, Source } from "./core/decision-types.ts";
import type { RefusalCode } from "./core/errors.ts";
import type { Event } from "./core/events.ts";
import type { DecisionId, JobId } from "./core/ids.ts";
import type { JobStatus, StepStatus } from "./core/job-types.ts";
import type { OnCancel, Template, Urgency } from "./core/runbook.ts";

export type { AgentView } from "./api-agents.ts";
export type {
  DrainBody,
  DrainResult,
  HookQuery,
  InjectBody,
  QueueView,
  RecipientBody,
} from "./api-inject.ts";
export type { CheckResult, CommandList, CommandView, RunBody, RunResult } from "./api-runbooks.ts";
export type { WebLoginView } from "./api-web.ts";

/** Headers that carry who asks and with which version. A daemon of another version refuses, unless told that any will do. */
export const HEADERS = {
  version: "x-oj-version",
  anyVersion: "x-oj-any-version",
  user: "x-oj-user",
  via: "x-oj-via",
  agent: "x-oj-agent-token",
  /** Of a list: the last event that it shows. A stream after that one has no gap to it. */
  seq: "x-oj-seq",
  session: "x-oj-session",
  /** The step of a job that calls: `job/run`. */
  run: "x-oj-run",
  /** A browser's login is its cookie and this. */
  webKey: "x-oj-web-key",
} as const;

export interface ErrorBody {
  error: { code: RefusalCode; message: string; hint: string | null; details?: Record<string, unknown> };
}

export interface OptionView extends Omit<Option, "action"> {
  number: number;
  /** What choosing it will do, in words. */
  effect: string;
}

export interface DecisionView extends Omit<Decision, "options"> {
  options: OptionView[];
  /** Answered so that a request of this template must follow. */
  successor: string | null;
}

/** A decision in a list: enough to choose by. `group` is the same for those that can be answered together. */
export type DecisionBrief = Brief;

export interface DecisionQuery {
  /** Pending ones only, unless `all`. */
  all?: boolean;
  source?: Source;
  urgency?: Urgency;
  /** What waits for it: a job or step by its id or the beginning of that, anything else whole. */
  blocks?: string;
  project?: string;
  /** Asked under this name. */
  requested_by?: string;
  /** Any but `pending` asks for settled ones too. */
  state?: DecisionState;
  /** Words that its texts, its answer or the names with it have in them, in any case. */
  search?: string;
  /** A page of the history, newest first: so many, older than that one. */
  limit?: number;
  before?: string;
}

/** The list, and the last event that it shows. */
export interface BriefList {
  seq: number;
  decisions: DecisionBrief[];
}

export interface ResolveBody {
  choices?: number[][];
  /** An option by its key, where numbers answer questions: "cancel". */
  option?: string | null;
  text?: string | null;
  /** Words for each of several questions; `text` is for those that have none here. */
  texts?: (string | null)[];
  message?: string | null;
}

export interface ResolveResult {
  decision: DecisionView;
  option: OptionView | null;
}

/** One decision of several answered at once: it went through, or this is why not. */
export type BatchResult = { id: string; decision: DecisionView } | { id: string; error: ErrorBody["error"] };

export interface RequestBody {
  project: string;
  cwd: string;
  /** Null: the person who asks. A name: an agent or script that has one pending request at a time. */
  as?: string | null;
  /** The session of an agent client that this comes from. It counts where `oj init claude` has put its hooks. */
  session?: string | null;
  /** The processes above the one that asks (`pid.start`), the nearest first: one of them may be a session's client. */
  processes?: string[];
  /** The one that asks lives as long as its client does: `/clear` makes the session that its environment names an old one. */
  outlives_session?: boolean;
  prompt: string;
  options: { label: string; description?: string | null }[];
  recommend?: number | null;
  context?: unknown;
  urgency?: Urgency | null;
  template?: string | null;
  blocks?: string[];
  /** What becomes of what it blocks when it ends without an answer: it stays blocked, unless told otherwise here or by the template. */
  on_cancel?: OnCancel | null;
  parent?: string | null;
  predecessor?: string | null;
  /** False: a request about a failure need not offer to file it. */
  file_check?: boolean;
  /** Of the caller's making, new for each question: sent again with the same key, it is the same request. */
  request_key?: string | null;
}

export interface StepView {
  name: string;
  status: StepStatus;
  started_at_ms: number | null;
  finished_at_ms: number | null;
  error: string | null;
  exit_code: number | null;
  entries: number;
  decision_id: DecisionId | null;
  child_id: JobId | null;
}

export interface BlockView {
  decision_id: DecisionId;
  step: string | null;
  /** Of the decision: it blocks while it is pending, and after it ended without an answer. */
  state: DecisionState | "deleted";
  title: string;
}

export interface JobView {
  id: JobId;
  project: string;
  name: string;
  kind: string;
  status: JobStatus;
  step: string | null;
  steps: StepView[];
  vars: Record<string, string | string[]>;
  /** The folder the job works in, where it has one of its own. */
  workspace: string | null;
  branch: string | null;
  pending_decision: DecisionId | null;
  /** Decisions that keep its next step (or the one named) from beginning. */
  blocked_by: BlockView[];
  error: string | null;
  /** Where a failed job failed. */
  failed_step: string | null;
  reason: string | null;
  cwd: string;
  parent: JobId | null;
  by: string;
  cancelled_by: string | null;
  /** It is being cancelled: what runs is being stopped, or, `tidying`, its on_cancel runs. */
  cancelling: { by: string; tidying: boolean } | null;
  created_at_ms: number;
  finished_at_ms: number | null;
}

export interface JobQuery {
  status?: JobStatus;
  project?: string;
}

export interface CrewQuery {
  status?: CrewStatus;
  project?: string;
}

export interface TemplateView extends Omit<Template, "example"> {
  /** A request that this template accepts. */
  example: string;
}

export interface ProjectStatus {
  project: string;
  jobs: JobView[];
  crews: CrewView[];
  pending: DecisionView[];
  agents: AgentView[];
  /** Answered, and whoever asked does not have it yet; oldest first. */
  owed: DecisionView[];
}

export interface DaemonStatus {
  running: boolean;
  pid: number;
  version: string;
  uptime_ms: number;
  socket: string;
  port: number | null;
  seq: number;
  pending: number;
  /** Jobs with a step under way, which a stop would interrupt. */
  running_jobs: number;
  /** Agents in their terminals, which live on without a daemon. */
  live_agents: number;
  memory_bytes: number;
  /** What is wrong with the store right now, or was found at start. */
  warnings: string[];
}

/** Who has a token for MCP over HTTP. */
export interface McpTokenView {
  name: string;
  project: string;
  created_at_ms: number;
}

export interface EventQuery {
  after?: number;
  /** Types, or their beginnings with a star: `decision:*`. */
  types?: string[];
  project?: string;
  job?: string;
  decision?: string;
}

export interface LogQuery {
  /** Last lines only. */
  tail?: number;
  follow?: boolean;
}

/** Every call there is. The client fulfils it over the socket. */
export interface Client extends OverviewCalls, WebCalls {
  health(): Promise<DaemonStatus>;
  /** With a pid: only that one. Another may have taken its place meanwhile. */
  stop(input: { kill?: boolean; pid?: number }): Promise<void>;
  status(query?: { project?: string }): Promise<ProjectStatus[]>;
  decisions(query?: DecisionQuery): Promise<DecisionView[]>;
  /** Small ones, for an inbox; `events` after its `seq` has no gap to it. */
  briefs(query?: DecisionQuery): Promise<BriefList>;
  decision(id: string): Promise<DecisionView>;
  resolveDecision(id: string, answer: ResolveBody): Promise<ResolveResult>;
  /** Takes an answer back that has not gone out yet. */
  undoAnswer(id: string): Promise<DecisionView>;
  resolveDecisions(ids: string[], answer: ResolveBody): Promise<BatchResult[]>;
  requestDecision(body: RequestBody): Promise<DecisionView>;
  awaitDecision(id: string, input: { timeout_ms?: number }): Promise<DecisionView>;
  cancelDecision(id: string, input: { reason?: string | null }): Promise<DecisionView>;
  inject(body: InjectBody): Promise<QueueView>;
  drain(body: DrainBody): Promise<DrainResult>;
  queues(query?: { project?: string }): Promise<QueueView[]>;
  /** A hook of a session that oj did not start, as its client sent it; what to tell the client. */
  sessionHook(hook: unknown, query: HookQuery): Promise<object>;
  templates(query: { cwd: string }): Promise<TemplateView[]>;
  commands(query: { cwd: string }): Promise<CommandList>;
  checkRunbooks(input: { cwd: string; files: string[] }): Promise<CheckResult>;
  run(body: RunBody): Promise<RunResult>;
  jobs(query?: JobQuery): Promise<JobView[]>;
  crews(query?: CrewQuery): Promise<CrewView[]>;
  /** These take a job, or a crew by its own id. */
  job(id: string): Promise<RunView>;
  cancelJob(id: string, input: { reason?: string | null; now?: boolean }): Promise<RunView>;
  suspendJob(id: string): Promise<RunView>;
  resumeJob(id: string, input: { message?: string | null }): Promise<RunView>;
  deleteJob(id: string): Promise<void>;
  waitJobs(input: { ids: string[]; all?: boolean; timeout_ms?: number }): Promise<RunView[]>;
  agents(query?: { project?: string }): Promise<AgentView[]>;
  agent(id: string): Promise<AgentView>;
  sendToAgent(id: string, input: { text: string }): Promise<AgentView>;
  signal(
    id: string,
    input: { signal: "done" | "escalate" | "fail"; message?: string | null },
  ): Promise<AgentView>;
  killAgent(id: string): Promise<AgentView>;
  attachAgent(id: string): Promise<{ argv: string[] }>;
  agentScreen(id: string, query: { ansi?: boolean; history?: number }): AsyncIterable<string>;
  /** The screen now, and again whenever it has changed; ends with the agent. */
  agentScreens(id: string, query: { ansi?: boolean; history?: number }): AsyncIterable<string>;
  agentLogs(id: string, query: LogQuery): AsyncIterable<string>;
  /** The output of a job, or of a crew's agent, as it is kept: raw bytes as text, to be made safe before it is shown. */
  jobLogs(id: string, query: LogQuery): AsyncIterable<string>;
  mcpTokens(): Promise<McpTokenView[]>;
  makeMcpToken(input: {
    name: string;
    project: string;
    cwd: string;
  }): Promise<{ name: string; project: string; token: string; url: string }>;
  revokeMcpToken(name: string): Promise<void>;
  events(query: EventQuery): AsyncIterable<Event>;
}
