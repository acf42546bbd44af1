/** The facts about agents and crews; part of the closed list in `events.ts`. */
import type {
  Agent,
  AgentOwner,
  CrewStart,
  Gate,
  GateFailure,
  Parcel,
  Prompt,
  Silence,
  TriggerName,
} from "./agent-types.ts";
import type { AgentKind } from "./clients.ts";
import type { AgentId, CrewId, DecisionId } from "./ids.ts";
import type { Sight } from "./job-types.ts";
import type { AgentDef, TriggerAction } from "./runbook.ts";

type Of = { id: AgentId; project: string };

export type AgentFact =
  | ({
      type: "agent:created";
      name: string;
      kind: AgentKind;
      def: AgentDef;
      command: Agent["command"];
      owner: AgentOwner;
      cwd: string;
      root: string;
      conversation: string | null;
    } & Of)
  | ({ type: "agent:spawned"; incarnation: number } & Of)
  | ({ type: "agent:conversing"; conversation: string; transcript: string | null } & Of)
  | ({ type: "agent:working" } & Of)
  | ({ type: "agent:idle"; last_message: string } & Of)
  | ({ type: "agent:prompted"; prompt: Prompt } & Of)
  | ({ type: "agent:errored"; kind: string; message: string } & Of)
  | ({ type: "agent:exited"; code: number | null; signal: string | null; error: string | null } & Of)
  | ({ type: "agent:signalled"; signal: SignalKind; message: string | null } & Of)
  | ({ type: "agent:asked"; decision_id: DecisionId; failure?: string } & Of)
  | ({ type: "agent:owed"; parcel: Parcel } & Of)
  | ({ type: "agent:saying"; parcel_id: string; shown: number } & Of)
  | ({ type: "agent:delivered"; parcel_id: string; attempt: number; told?: true } & Of)
  | ({ type: "agent:unsure"; parcel_id: string } & Of)
  /** The dialog took the answer but not the message given with it. From now on the message is owed as words. */
  | ({ type: "agent:replied"; parcel_id: string; text: string } & Of)
  | ({ type: "agent:received"; parcel_id: string } & Of)
  /** Somebody answered the dialog in the terminal first, so this parcel is no longer delivered. */
  | ({ type: "agent:missed"; parcel_id: string } & Of)
  | ({ type: "agent:tried"; trigger: TriggerName; key: string; action: TriggerAction } & Of)
  | ({ type: "agent:cooling"; trigger: TriggerName; until_ms: number } & Of)
  | ({ type: "agent:gating"; gate: Gate } & Of)
  /** `failed` is absent in older records. */
  | ({ type: "agent:gated"; passed: boolean; exit_code: number | null; failed?: GateFailure } & Of)
  | ({ type: "agent:noted"; note: string } & Of)
  /** The agent's client turned out not to report, or reports after all. */
  | ({ type: "agent:silent" } & Silence & Of)
  | ({ type: "agent:reporting" } & Of)
  /** It has neither printed nor reported anything for too long. What it does next ends that. */
  | ({ type: "agent:hung"; quiet_ms: number } & Of)
  | ({ type: "agent:reset" } & Of)
  | ({ type: "agent:restarting"; reason: string } & Of)
  | ({ type: "agent:killing" } & Of)
  | ({ type: "agent:ending"; reason: string } & Of)
  | ({ type: "agent:ended" } & Of)
  /** Somebody sent keys to the agent's terminal through tmux's socket, `times` times since the last record. */
  | ({ type: "agent:keyed"; times: number } & Of)
  /**
   * The agent tried something it isn't allowed to do. Since the
   * last record, `unnoted` more were refused and only counted.
   */
  | ({ type: "agent:refused"; call: string; reason: string; unnoted: number } & Of);

export type SignalKind = "done" | "escalate" | "fail";

export type CrewFact =
  | ({ type: "crew:created" } & CrewStart)
  | { type: "crew:waiting"; id: CrewId; project: string; decision_id: DecisionId }
  /**
   * The crew continues. `by` and `message` are set if a person resumed
   * it, `agent_id` if its last agent had ended and a new one took over.
   */
  | {
      type: "crew:resumed";
      id: CrewId;
      project: string;
      by?: string;
      message?: string | null;
      agent_id?: AgentId;
    }
  | { type: "crew:completed"; id: CrewId; project: string }
  /** As for a job: `unseen` until somebody has seen it. */
  | { type: "crew:failed"; id: CrewId; project: string; error: string; unseen?: true }
  | { type: "crew:seen"; id: CrewId; project: string; by: string; how: Sight }
  | { type: "crew:cancelled"; id: CrewId; project: string; by: string; reason: string | null }
  | { type: "crew:deleted"; id: CrewId; project: string; by: string }
  | { type: "crew:purged"; id: CrewId; project: string };
