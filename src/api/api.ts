/**
 * What travels between client and daemon, as types. The same names as in the events and in `-o json`; nothing is translated. Each
 * field is written once, in the schemas in api/, which only the daemon loads: here are their types, and what needs no schema.
 */

import type { Event } from "../core/model/events.ts";
import type { AgentView } from "./agents.ts";
import type { DaemonStatus, EventQuery, LogQuery } from "./daemon.ts";
import type { RequestBody, ResolveBody } from "./decision-bodies.ts";
import type { BatchResult, BriefList, DecisionQuery, DecisionView, ResolveResult } from "./decisions.ts";
import type { CrewQuery, CrewView, JobQuery, JobView, RunView } from "./jobs.ts";
import type {
  AutoCloseBody,
  AutoCloseResult,
  ChainView,
  DashboardView,
  OwnQuery,
  OwnView,
} from "./overview.ts";
import type { DrainBody, DrainResult, HookQuery, InjectBody, QueueView } from "./queues.ts";
import type { CheckResult, CommandList, RunBody, RunResult, TemplateView } from "./runbooks.ts";
import type { ProjectStatus } from "./status.ts";
import type { McpTokenMade, McpTokenView, TimelineView, WebLink, WebLoginView } from "./web.ts";

export type { AgentView } from "./agents.ts";
export type { DaemonStatus, ErrorBody, EventQuery, LogQuery } from "./daemon.ts";
export type { RequestBody, ResolveBody } from "./decision-bodies.ts";
export type {
  BatchResult,
  BriefList,
  DecisionBrief,
  DecisionQuery,
  DecisionView,
  OptionView,
  ResolveResult,
} from "./decisions.ts";
export type { BlockView, CrewQuery, CrewView, JobQuery, JobView, RunView, StepView } from "./jobs.ts";
export type {
  AutoCloseBody,
  AutoCloseResult,
  ChainBranch,
  ChainLink,
  ChainView,
  DashboardView,
  OwnQuery,
  OwnView,
  Section,
} from "./overview.ts";
export type {
  DrainBody,
  DrainResult,
  HookQuery,
  InjectBody,
  QueueView,
  RecipientBody,
} from "./queues.ts";
export type {
  CheckResult,
  CommandList,
  CommandView,
  RunBody,
  RunResult,
  TemplateView,
} from "./runbooks.ts";
export type { ProjectStatus } from "./status.ts";
export type { McpTokenMade, McpTokenView, TimelineView, WebLink, WebLoginView } from "./web.ts";

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

export function isCrewView(run: RunView): run is CrewView {
  return run.id.startsWith("crew-");
}

/** Every call there is. The client fulfils it over the socket. */
export interface ApiClient {
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
  makeMcpToken(input: { name: string; project: string; cwd: string }): Promise<McpTokenMade>;
  revokeMcpToken(name: string): Promise<void>;
  events(query: EventQuery): AsyncIterable<Event>;
  decisionChain(id: string): Promise<ChainView>;
  dashboard(query: { project?: string }): Promise<DashboardView>;
  ownDecisions(query: OwnQuery): Promise<OwnView>;
  autoClose(body: AutoCloseBody): Promise<AutoCloseResult>;
  decisionEvents(id: string, query?: { after?: number }): Promise<TimelineView>;
  /** Of the job and of the decisions that it owns. */
  jobEvents(id: string, query?: { after?: number }): Promise<TimelineView>;
  /** A link that logs one browser in; it shows that decision, if one is given. */
  makeWebLink(input: { decision?: string }): Promise<WebLink>;
  webLogins(): Promise<WebLoginView[]>;
  /** Ends that one, or all, and the links that nobody has used. */
  endWebLogins(id: string | null): Promise<{ ended: number }>;
}
