/** What an agent and a crew look like in the state. The rules are in `agent.ts`, `trigger.ts` and `parcel.ts`. */
import type { AgentKind } from "./clients.ts";
import type { Question } from "./decision-types.ts";
import type { Fixed } from "./fixed.ts";
import type { AgentId, CrewId, DecisionId, JobId, RunId } from "./ids.ts";
import type { AgentDef, Value } from "./runbook.ts";

export type AgentStatus = "starting" | "working" | "idle" | "prompting" | "errored" | "exited" | "ended";

export type AgentOwner = Fixed<
  { kind: "job"; id: JobId; name: string; step: string } | { kind: "crew"; id: CrewId; name: string }
>;

/** A dialog that the agent shows. `key` names this one showing of it: answers are bound to it. */
export type Prompt = Fixed<{
  key: string;
  kind: "approval" | "question" | "plan";
  tool: string;
  input: unknown;
  /** Of the tool and its input in canonical form. */
  sha256: string;
  questions: Question[];
  /** A program's prompt: what its pattern declares. */
  choices: { label: string; keys: string }[];
}>;

/** The answer to a dialog, in our words; each client says it in its own. */
export type Reply = Fixed<
  /** `typed`: no hook will bring the message, so that it has to be typed beside the Yes. */
  | { type: "approve"; message: string | null; typed?: true }
  | { type: "deny"; message: string | null }
  | { type: "answers"; answers: QuestionAnswer[]; message: string | null }
  | { type: "accept"; mode: "clear" | "auto" | "manual"; message: string | null }
  | { type: "revise"; message: string }
  | { type: "keys"; keys: string; label: string; message?: string | null }
>;

export type QuestionAnswer = Fixed<{
  question: string;
  labels: string[];
  text: string | null;
  /** Said with a choice, beside it. */
  note?: string;
}>;

/** Something the agent must get: an answer to its dialog, or words. Owed until the agent's side proves it has it. */
export type Parcel = Fixed<{
  id: string;
  decision_id: DecisionId | null;
  prompt_key: string | null;
  reply: Reply | null;
  /** What to say when it is words, or when the dialog is gone with its agent. */
  text: string;
  state: "owed" | "delivered";
  attempts: number;
  /** Words: how often the terminal showed them before they were said. Whoever comes after a crash can tell by it whether they were. */
  shown?: number;
  /** Words: said with the answer to this dialog, which could not take them. They are told beside what its tool gave, where a hook can. */
  beside?: string;
  /** Words: a hook's response carried them, or the agent was started with them. What the agent does once it has read that is the receipt. */
  told?: true;
}>;

export type TriggerName = "on_idle" | "on_dead" | "on_error" | "on_prompt" | "on_signal";

export type Gate = Fixed<{
  run_id: RunId;
  trigger: TriggerName;
  /** Under which its attempts are counted. */
  key?: string;
  run: string;
  timeout_ms: number;
}>;

export type Agent = Fixed<{
  id: AgentId;
  project: string;
  name: string;
  /** How we talk to it. */
  kind: AgentKind;
  def: AgentDef;
  /** Its `run` line as a script, values apart from the text. */
  command: { script: string; values: Record<string, string> };
  owner: AgentOwner;
  cwd: string;
  root: string;
  status: AgentStatus;
  /** How often it was started; its terminal belongs to the newest. */
  incarnation: number;
  /** Its terminal is there (as far as we know). */
  spawned: boolean;
  conversation: string | null;
  /** The file that keeps the conversation, as the client says. */
  transcript: string | null;
  prompt: Prompt | null;
  decision_id: DecisionId | null;
  outbox: Parcel[];
  /** Attempts of each trigger so far, with the time of the last; of a gate, when it last ended. */
  attempts: Partial<Record<string, { used: number; at_ms: number }>>;
  cooling: { trigger: TriggerName; from_ms: number; until_ms: number } | null;
  gate: Gate | null;
  last_message: string;
  error: { kind: string; message: string } | null;
  /** What went wrong, as the agent is told of it: what the newest question about it is about. */
  failure?: string | null;
  exit: { code: number | null; signal: string | null } | null;
  /** What a person may want to know of this start of it: a client that is too old, a folder that was trusted. */
  notes: string[];
  /** Its client does not report: what is read off its screen and its conversation's file stands in. Absent in older snapshots. */
  silent?: Silence | null;
  /** It is to be stopped: for good, to be started again, or to see what its runbook says of a death. */
  stopping: "end" | "restart" | "kill" | null;
  created_at_ms: number;
  changed_at_ms: number;
}>;

export const CREW_STATUSES = ["running", "waiting", "completed", "failed", "cancelled"] as const;
export type CrewStatus = (typeof CREW_STATUSES)[number];

/** A standing agent outside any job. */
export type Crew = Fixed<{
  id: CrewId;
  project: string;
  name: string;
  /** The newest: a failed crew that was resumed has had others. */
  agent_id: AgentId;
  args: Record<string, Value>;
  env: Record<string, string>;
  invoke: string;
  root: string;
  by: string;
  status: CrewStatus;
  error: string | null;
  /** What it waits for, or waited for last. A snapshot of before knows neither of these. */
  decision_id?: DecisionId | null;
  /** Why it was cancelled. */
  reason?: string | null;
  cancelled_by?: string;
  created_at_ms: number;
  finished_at_ms: number | null;
}>;

export function crewHasEnded(crew: Pick<Crew, "status">): boolean {
  return crew.status === "completed" || crew.status === "failed" || crew.status === "cancelled";
}

/** What is switched off: all hooks, or those over HTTP; and by what, where that is known. */
export interface Silence {
  off: "all" | "http";
  by: string | null;
}
