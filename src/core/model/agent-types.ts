/** What an agent and a crew look like in the state. The rules are in `agent.ts`, `trigger.ts` and `parcel.ts`. */
import type { AgentKind } from "./clients.ts";
import type { ExactAction, FileDiff, Question } from "./decision-types.ts";
import type { Fixed } from "./fixed.ts";
import type { AgentId, CrewId, DecisionId, JobId, MachineName, RunId } from "./ids.ts";
import type { AgentDef, Value } from "./runbook.ts";

export type AgentStatus = "starting" | "working" | "idle" | "prompting" | "errored" | "exited" | "ended";

/** The size of the terminal in which an agent is started, in characters. */
export const TERMINAL_SIZE = { columns: 120, rows: 40 } as const;

export type AgentOwner = Fixed<
  { kind: "job"; id: JobId; name: string; step: string } | { kind: "crew"; id: CrewId; name: string }
>;

/** A dialog that the agent shows. `key` identifies this one appearance of it, and answers are bound to that key. */
export type Prompt = Fixed<{
  key: string;
  kind: "approval" | "question" | "plan";
  tool: string;
  input: unknown;
  /** Hash of the tool and its input in canonical form. */
  sha256: string;
  questions: Question[];
  /** For a program's prompt: the choices that its pattern declares. */
  choices: { label: string; keys: string }[];
  /** What it would do to a file, as the file was when the dialog appeared. */
  diff?: FileDiff;
  /** Its client takes a Yes or a No to it, but no change. */
  as_is?: true;
}>;

export function exactAction({ tool, input, sha256, diff, as_is }: Prompt): ExactAction {
  return { tool, input, sha256, ...(diff ? { diff } : {}), ...(as_is ? { as_is } : {}) };
}

/** The answer to a dialog, in our terms; each client translates it into its own. */
export type Reply = Fixed<
  /** `typed`: no hook will carry the message, so it has to be typed along with the Yes. */
  | { type: "approve"; message: string | null; typed?: true; edit?: ReplyEdit }
  | { type: "deny"; message: string | null }
  /** `adds`: what was said with it, where a question takes nothing but its options. It follows in words. */
  | { type: "answers"; answers: QuestionAnswer[]; message: string | null; adds?: string }
  | { type: "accept"; mode: "clear" | "auto" | "manual"; message: string | null; edit?: ReplyEdit }
  | { type: "revise"; message: string }
  | { type: "keys"; keys: string; label: string; message?: string | null }
>;

/** A call or a plan that a person changed before it runs, and how the agent is told. Only a hook can carry it. */
export interface ReplyEdit {
  input: Record<string, unknown>;
  told: string;
}

export type QuestionAnswer = Fixed<{
  question: string;
  labels: string[];
  text: string | null;
  /** A remark that goes with a choice. */
  note?: string;
}>;

/** Something the agent must get: an answer to its dialog, or words. Owed until the agent's side proves receipt. */
export type Parcel = Fixed<{
  id: string;
  decision_id: DecisionId | null;
  prompt_key: string | null;
  reply: Reply | null;
  /** What to tell the agent if this is words, or if the dialog died with its agent. */
  text: string;
  state: "owed" | "delivered";
  attempts: number;
  /**
   * Words: how many times the terminal already showed this text before
   * it was typed. After a crash, that tells whether it was typed.
   */
  shown?: number;
  /**
   * Words: the message given with the answer to this dialog, which could
   * not take it. If a hook can, it adds the message to the tool's result.
   */
  beside?: string;
  /**
   * Words: a hook's response carried them, or the agent was started
   * with them. What the agent does after reading them is the receipt.
   */
  told?: true;
  /** A person sent these words by themselves: nobody else would learn that they never arrived. */
  sent?: true;
  /** What the agent was started for. It comes before anything else that it has to be told. */
  task?: true;
}>;

export type TriggerName = "on_idle" | "on_dead" | "on_error" | "on_prompt" | "on_signal";

export type Gate = Fixed<{
  run_id: RunId;
  trigger: TriggerName;
  /** The key under which its attempts are counted. */
  key?: string;
  run: string;
  timeout_ms: number;
}>;

/** How a gate failed: what the next failure is compared with. */
export type GateFailure = Fixed<{
  /** `exit code 1`. */
  how: string;
  /** The line of its output that says why; empty if none does. */
  reason: string;
  /** The agent's folder after that attempt, as git names it; null if git doesn't look after the folder. */
  tree: string | null;
}>;

export type Agent = Fixed<{
  id: AgentId;
  project: string;
  name: string;
  /** How we talk to it. */
  kind: AgentKind;
  def: AgentDef;
  /** Its `run` line as a script, with the values kept apart from the text. */
  command: { script: string; values: Record<string, string> };
  owner: AgentOwner;
  cwd: string;
  root: string;
  status: AgentStatus;
  /** How many times it was started. Its terminal belongs to the latest start. */
  incarnation: number;
  /** Its terminal exists, as far as we know. */
  spawned: boolean;
  conversation: string | null;
  /** The file with the conversation, as the client reports it. */
  transcript: string | null;
  prompt: Prompt | null;
  decision_id: DecisionId | null;
  outbox: Parcel[];
  /** How often each trigger was tried, and when last; for a gate, when it last ended. */
  attempts: Partial<Record<string, { used: number; at_ms: number }>>;
  cooling: { trigger: TriggerName; from_ms: number; until_ms: number } | null;
  gate: Gate | null;
  /** The last failures of its gates, oldest first. Absent in older snapshots. */
  gate_failures?: (GateFailure & { key: string | null; at_ms: number })[];
  last_message: string;
  error: { kind: string; message: string } | null;
  /** What went wrong, in the words that the agent is told. The latest decision about the agent is about this. */
  failure?: string | null;
  exit: { code: number | null; signal: string | null } | null;
  /** What a person may want to know about this start: a client that is too old, a folder that was trusted. */
  notes: string[];
  /**
   * Set if its client does not report; oj reads its screen and
   * its conversation file instead. Absent in older snapshots.
   */
  silent?: Silence | null;
  /** Since when it has neither printed nor reported anything, if that is longer than it may. Absent in older snapshots. */
  hung_since_ms?: number | null;
  /** Why it is being stopped: for good, to start it again, or to let the runbook's `on_dead` handle it. */
  stopping: "end" | "restart" | "kill" | null;
  created_at_ms: number;
  changed_at_ms: number;
}>;

/** It has been silent for too long and has done nothing since. It hears nothing until it is restarted. */
export function isHung({ hung_since_ms }: Pick<Agent, "hung_since_ms">): boolean {
  return hung_since_ms != null;
}

export const CREW_STATUSES = ["running", "waiting", "completed", "failed", "cancelled"] as const;
export type CrewStatus = (typeof CREW_STATUSES)[number];

/** What a crew is made with. */
export interface CrewStart {
  id: CrewId;
  project: string;
  name: string;
  /** The latest agent; a failed crew that was resumed has had others. */
  agent_id: AgentId;
  args: Record<string, Value>;
  env: Record<string, string>;
  invoke: string;
  root: string;
  by: string;
  /** Who that is for rules about who may answer; absent in older records. */
  sponsor?: string;
}

interface CrewRecord extends CrewStart {
  /** Where it runs; absent where the log has one machine. */
  machine?: MachineName;
  status: CrewStatus;
  error: string | null;
  /** The decision it waits for, or last waited for. Absent in older snapshots, as are the next two fields. */
  decision_id?: DecisionId | null;
  /** Why it was cancelled. */
  reason?: string | null;
  cancelled_by?: string;
  created_at_ms: number;
  finished_at_ms: number | null;
}

/** A standing agent outside any job. */
export type Crew = Fixed<CrewRecord>;

export function crewHasEnded(crew: Pick<Crew, "status">): boolean {
  return crew.status === "completed" || crew.status === "failed" || crew.status === "cancelled";
}

/** What is switched off (all hooks, or only those over HTTP), and by what, if known. */
export interface Silence {
  off: "all" | "http";
  by: string | null;
}
