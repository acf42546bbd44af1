/**
 * The types of everything that client and daemon send each other. Names are the same as in the events and in `-o json`;
 * nothing is translated. Each field is written once, in the schemas in api/, which only the daemon loads. This file has
 * their types, and whatever needs no schema.
 */

import type { Event } from "../core/model/events.ts";
import type { Sight } from "../core/model/job-types.ts";
import type { MailReceipt } from "../core/reach/received-mail.ts";
import type { AgentView } from "./agents.ts";
import type { AuditView, EraseBody, ErasedView } from "./audit.ts";
import type { BeadsBody, BeadsSynced, BeadsView } from "./beads.ts";
import type { DaemonStatus, EventQuery, JobLogQuery, LogQuery } from "./daemon.ts";
import type { DecisionQuery, RequestBody, ResolveBody, WithdrawBody } from "./decision-bodies.ts";
import type { BatchResult, BriefList, DecisionView, HistoryNames, ResolveResult } from "./decisions.ts";
import type { FailedRun } from "./failed.ts";
import type { CrewQuery, CrewView, JobQuery, JobView, RunView } from "./jobs.ts";
import type { MachineView } from "./machines.ts";
import type { MailBody } from "./mail.ts";
import type {
  AutoCloseBody,
  AutoCloseResult,
  ChainView,
  DashboardView,
  OwnQuery,
  OwnView,
} from "./overview.ts";
import type { PasskeyAsked, PeopleCalls } from "./people.ts";
import type {
  AcceptBody,
  Accepted,
  ExplainQuery,
  PolicyFindings,
  PolicyList,
  PolicyLog,
  PolicyQuery,
  PolicySuggestions,
  PolicyView,
  Rememberable,
  RememberBody,
  SuggestionBody,
  SuggestionView,
  SwitchBody,
  TriedPolicies,
  TryBody,
} from "./policies.ts";
import type { PushStatus, PushSubscriptionBody, PushSubscriptionView } from "./push.ts";
import type { DrainBody, DrainResult, HookQuery, InjectBody, QueueView } from "./queues.ts";
import type { ChannelTestBody, ChannelTestView, ChannelView, ExplainedView, WhoView } from "./reach.ts";
import type { CheckResult, CommandList, RunBody, RunResult, TemplateView } from "./runbooks.ts";
import type { StatsQuery, StatsView } from "./stats.ts";
import type { ProjectFleet, ProjectStatus } from "./status.ts";
import type { McpTokenMade, McpTokenView, TimelineView, WebLink, WebLoginView } from "./web.ts";

export type { AgentView } from "./agents.ts";
export type { AuditView } from "./audit.ts";
export type { BeadsSynced, BeadsView } from "./beads.ts";
export type { DaemonStatus, ErrorBody, EventQuery, LogQuery } from "./daemon.ts";
export type { DecisionQuery, RequestBody, ResolveBody, WithdrawBody } from "./decision-bodies.ts";
export type {
  BatchResult,
  BriefList,
  DecisionBrief,
  DecisionView,
  HistoryNames,
  OptionView,
  ResolveResult,
} from "./decisions.ts";
export type { FailedRun } from "./failed.ts";
export type { BlockView, CrewQuery, CrewView, JobQuery, JobView, RunView, StepView } from "./jobs.ts";
export type { MachineView } from "./machines.ts";
export type { MailBody } from "./mail.ts";
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
  DeviceWaiting,
  MeView,
  PasskeyAsked,
  PasskeyBody,
  PasskeyBrought,
  PersonRemoved,
  PersonTokenView,
  PersonView,
  RoleBody,
} from "./people.ts";
export type {
  Accepted,
  PolicyFindings,
  PolicyList,
  PolicyLog,
  PolicySuggestions,
  PolicyView,
  Rememberable,
  RememberBody,
  SuggestionBody,
  SuggestionView,
  TriedPolicies,
} from "./policies.ts";
export type {
  PushAction,
  PushMessage,
  PushStatus,
  PushSubscriptionBody,
  PushSubscriptionView,
} from "./push.ts";
export type {
  DrainBody,
  DrainResult,
  HookQuery,
  InjectBody,
  QueueView,
  RecipientBody,
} from "./queues.ts";
export type { ChannelTestBody, ChannelTestView, ChannelView, ExplainedView, WhoView } from "./reach.ts";
export type {
  CheckResult,
  CommandList,
  CommandView,
  RunBody,
  RunResult,
  TemplateView,
} from "./runbooks.ts";
export type { StatsGroup, StatsQuery, StatsView } from "./stats.ts";
export type { LiveAgent, ProjectFleet, ProjectStatus, SessionView } from "./status.ts";
export type { McpTokenMade, McpTokenView, TimelineView, WebLink, WebLoginView } from "./web.ts";

/**
 * Headers that say who is calling and with which version. A daemon of another version refuses the call, unless a header
 * says that any version will do.
 */
export const HEADERS = {
  version: "x-oj-version",
  anyVersion: "x-oj-any-version",
  user: "x-oj-user",
  via: "x-oj-via",
  agent: "x-oj-agent-token",
  /** On a list: the last event it includes. A stream that starts after this event misses nothing. */
  seq: "x-oj-seq",
  /** On every response while the store can't be reached: when it last could. What is shown is as of then. */
  asOf: "x-oj-as-of",
  session: "x-oj-session",
  /** The job step that is calling: `job/run`. */
  run: "x-oj-run",
  /** A browser's login consists of its cookie and this key. */
  webKey: "x-oj-web-key",
  /** Set by `oj serve` on whatever it passes on: only a token counts then, whatever else the call says. */
  remote: "x-oj-remote",
  /** Set by `oj serve` too: the address that a call came from. */
  address: "x-oj-address",
  /** Set by `oj serve` for a browser: `https`, or `http` on loopback. */
  web: "x-oj-web",
  /** Set by `oj ssh` and `oj serve`: whom the door vouches for, as it calls them. Only at the socket. */
  person: "x-oj-person",
  /** Set with it: which door, of `VOUCHING`. */
  door: "x-oj-door",
} as const;

/** Routes that `oj serve` lets strangers use: they ask for a login, and hear what became of it. */
export const FOR_STRANGERS: ReadonlySet<string> = new Set(["/device/codes", "/device/polls"]);

export function isCrewView(run: RunView): run is CrewView {
  return run.id.startsWith("crew-");
}

/** Every call there is. The client makes them over the socket. */
export interface ApiClient extends PeopleCalls {
  health(): Promise<DaemonStatus>;
  /** With a pid, stops only that daemon: another may have taken its place meanwhile. */
  stop(input: { kill?: boolean; pid?: number }): Promise<void>;
  status(query?: { project?: string }): Promise<ProjectStatus[]>;
  /** The same in short, for a view that is refreshed often. */
  fleet(query?: { project?: string }): Promise<ProjectFleet[]>;
  decisions(query?: DecisionQuery): Promise<DecisionView[]>;
  /** Decisions in short form, for an inbox. `events` after the list's `seq` misses nothing. */
  briefs(query?: DecisionQuery): Promise<BriefList>;
  /** Who settled decisions, and in which projects. */
  historyNames(): Promise<HistoryNames>;
  decision(id: string): Promise<DecisionView>;
  /** A person looks at it. */
  seeDecision(id: string): Promise<void>;
  resolveDecision(id: string, answer: ResolveBody): Promise<ResolveResult>;
  /** Takes back an answer that has not gone out yet. */
  undoAnswer(id: string): Promise<DecisionView>;
  resolveDecisions(ids: string[], answer: ResolveBody): Promise<BatchResult[]>;
  requestDecision(body: RequestBody): Promise<DecisionView>;
  awaitDecision(id: string, input: { timeout_ms?: number }): Promise<DecisionView>;
  claimDecision(id: string, input: { for_ms: number | null }): Promise<DecisionView>;
  releaseDecision(id: string): Promise<DecisionView>;
  snoozeDecision(id: string, input: { for_ms: number }): Promise<DecisionView>;
  cancelDecision(id: string, input: WithdrawBody): Promise<DecisionView>;
  inject(body: InjectBody): Promise<QueueView>;
  drain(body: DrainBody): Promise<DrainResult>;
  queues(query?: { project?: string }): Promise<QueueView[]>;
  /** Passes on a hook of a session that oj did not start, as its client sent it. Returns what to tell the client. */
  sessionHook(hook: unknown, query: HookQuery): Promise<object>;
  templates(query: { cwd: string }): Promise<TemplateView[]>;
  commands(query: { cwd: string }): Promise<CommandList>;
  checkRunbooks(input: { cwd: string; files: string[] }): Promise<CheckResult>;
  run(body: RunBody): Promise<RunResult>;
  jobs(query?: JobQuery): Promise<JobView[]>;
  crews(query?: CrewQuery): Promise<CrewView[]>;
  /** These calls take a job's id, or a crew's. */
  job(id: string): Promise<RunView>;
  cancelJob(id: string, input: { reason?: string | null; now?: boolean }): Promise<RunView>;
  suspendJob(id: string): Promise<RunView>;
  resumeJob(id: string, input: { message?: string | null }): Promise<RunView>;
  deleteJob(id: string): Promise<void>;
  waitJobs(input: { ids: string[]; all?: boolean; timeout_ms?: number }): Promise<RunView[]>;
  /** Jobs and crews that failed and nobody has seen, newest first. */
  failedRuns(query?: { project?: string }): Promise<FailedRun[]>;
  /** Takes a failed job or crew out of the inboxes. */
  seeFailure(id: string, input: { how: Sight }): Promise<RunView>;
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
  /** The screen now, and again whenever it changes. Ends when the agent ends. */
  agentScreens(id: string, query: { ansi?: boolean; history?: number }): AsyncIterable<string>;
  agentLogs(id: string, query: LogQuery): AsyncIterable<string>;
  /** The output of a job, or of a crew's agent, as it is kept: raw bytes as text. Make it safe before showing it. */
  jobLogs(id: string, query: JobLogQuery): AsyncIterable<string>;
  /** Hands over a mail that came in, and says what became of it. */
  receiveMail(body: MailBody): Promise<MailReceipt>;
  mcpTokens(): Promise<McpTokenView[]>;
  makeMcpToken(input: {
    name: string;
    project: string;
    cwd: string;
    lasts_ms?: number;
  }): Promise<McpTokenMade>;
  revokeMcpToken(name: string): Promise<void>;
  /** `opened` is called when the stream has begun. */
  events(query: EventQuery, opened?: () => void): AsyncIterable<Event>;
  decisionChain(id: string): Promise<ChainView>;
  dashboard(query: { project?: string }): Promise<DashboardView>;
  /** What a passkey has to sign for exactly this answer. */
  answerChallenge(id: string, answer: ResolveBody): Promise<PasskeyAsked>;
  /** What is proven about a decision. Reading it is recorded. */
  auditDecision(id: string): Promise<AuditView>;
  /** Erases the texts of a decision that is over, for good. */
  eraseDecision(id: string, body: EraseBody): Promise<ErasedView>;
  /** Before the whole audit is exported. */
  noteAuditExport(): Promise<void>;
  /** The machines that share the log; none if there is only one. */
  machines(): Promise<MachineView[]>;
  forgetMachine(name: string): Promise<void>;
  /** Who is there now. */
  who(): Promise<WhoView>;
  /** The projects whose decisions are mirrored as beads. */
  beads(): Promise<BeadsView[]>;
  /** Returns once every bead was compared with its decision, or can't be now. */
  syncBeads(body: BeadsBody): Promise<BeadsSynced>;
  /** The channels, each asked how it is. */
  channels(): Promise<ChannelView[]>;
  /** Returns once the test message was sent, or was not. */
  testChannel(name: string, body: ChannelTestBody): Promise<ChannelTestView>;
  explainRoute(id: string): Promise<ExplainedView>;
  policies(query: PolicyQuery): Promise<PolicyList>;
  acceptPolicies(body: AcceptBody): Promise<Accepted>;
  switchPolicy(body: SwitchBody): Promise<PolicyView[]>;
  /** What policies have answered, the latest first. */
  policyLog(query: { project?: string }): Promise<PolicyLog>;
  explainPolicies(id: string, query?: ExplainQuery): Promise<PolicyFindings>;
  /** The rule that would be remembered if this approval were; nothing is changed. */
  ruleFor(id: string): Promise<Rememberable>;
  /** Approves it and remembers that very rule. */
  rememberDecision(id: string, body: RememberBody): Promise<ResolveResult>;
  /** What the inboxes propose: rules that people's answers suggest, tried on history. */
  suggestions(query: { project?: string }): Promise<SuggestionView[]>;
  acceptSuggestion(key: string, body: SuggestionBody): Promise<SuggestionView>;
  /** It is not suggested again. */
  declineSuggestion(key: string): Promise<void>;
  suggestPolicies(query: PolicyQuery): Promise<PolicySuggestions>;
  /** What policies would have answered; nothing is changed. */
  tryPolicies(body: TryBody): Promise<TriedPolicies>;
  /** How it is going. */
  stats(query?: StatsQuery): Promise<StatsView>;
  ownDecisions(query: OwnQuery): Promise<OwnView>;
  autoClose(body: AutoCloseBody): Promise<AutoCloseResult>;
  decisionEvents(id: string, query?: { after?: number }): Promise<TimelineView>;
  /** Events of the job and of the decisions it owns. */
  jobEvents(id: string, query?: { after?: number }): Promise<TimelineView>;
  /** Makes a link that logs one browser in. It opens the given decision, if any. */
  makeWebLink(input: { decision?: string; elsewhere?: boolean }): Promise<WebLink>;
  webLogins(): Promise<WebLoginView[]>;
  /** Ends one login; with null, ends all of them and voids unused links. */
  endWebLogins(id: string | null): Promise<{ ended: number }>;
  /** The browsers that get push messages, and what a browser needs in order to join. */
  pushStatus(): Promise<PushStatus>;
  addPushSubscription(body: PushSubscriptionBody): Promise<PushSubscriptionView>;
  removePushSubscription(id: string): Promise<void>;
}
