/** A row of the fleet: what one job, crew, agent or session is doing, and what can be done about it. Pure data. */
import type { DecisionView } from "../../api/api.ts";
import { never } from "../../core/model/errors.ts";

/** In the order in which they need a person. */
export const FLEET_STATES = [
  "hung",
  "failed",
  "owed",
  "rate-limited",
  "waiting",
  "stuck",
  "blocked",
  "queued",
  "retrying",
  "suspended",
  "starting",
  "working",
  "running",
  "session",
  "aside",
] as const;
export type FleetState = (typeof FLEET_STATES)[number];

type AskedBy = Pick<DecisionView, "id" | "title" | "source" | "urgency"> &
  Partial<Pick<DecisionView, "blocks" | "blocking" | "meanwhile">>;

export interface FleetRow {
  /** Unique in the fleet, and what can be typed: the id of a job, a crew, an agent, a session or a decision. */
  id: string;
  kind: "job" | "crew" | "agent" | "session" | "decision";
  project: string;
  state: FleetState;
  since_ms: number;
  /** Who it is: "release/1.0 · ship". Safe to show, as all texts here are. */
  name: string;
  /** What there is to say about its state; empty if nothing. */
  about: string;
  /** What was said to its agent and waits, with why; empty if nothing does. */
  waits: string;
  /** The last line that its agent printed; empty if there is none. */
  line: string;
  /** The pending decision that it waits for. */
  decision: AskedBy | null;
  /** Its agent, if that has a terminal. */
  agent_id: string | null;
  /** The job or crew, if it has not ended or can be resumed. */
  run_id: string | null;
}

export type FleetActionType = "answer" | "peek" | "attach" | "send" | "cancel" | "retry" | "open" | "drop";

export interface FleetAction {
  type: FleetActionType;
  /** The key on the terminal's fleet screen; null if that only names the command. */
  key: "enter" | "p" | "a" | "t" | "x" | null;
  label: string;
  /** The same on the command line, with the id that is shown. */
  command: string;
}

/** What can be done about it, the most likely first. */
export function actionsOf(row: FleetRow): FleetAction[] {
  return typesOf(row).map((type) => actionOf(row, type));
}

function typesOf({ state, decision, agent_id, run_id, kind }: FleetRow): FleetActionType[] {
  if (state === "failed") return ["retry", "open", "drop"];
  return [
    ...(decision ? (["answer"] as const) : []),
    ...(state === "stuck" ? (["retry"] as const) : []),
    ...(agent_id ? (["peek", "attach", "send"] as const) : []),
    ...(run_id && kind !== "decision" ? (["open", "cancel"] as const) : []),
  ];
}

function actionOf({ decision, agent_id, run_id }: FleetRow, type: FleetActionType): FleetAction {
  const job = `oj ${run_id?.startsWith("crew-") ? "crew" : "job"}`;
  switch (type) {
    case "answer":
      return { type, key: "enter", label: "Open its decision", command: `oj decision show ${decision?.id}` };
    case "peek":
      return { type, key: "p", label: "Peek", command: `oj agent peek ${agent_id}` };
    case "attach":
      return { type, key: "a", label: "Attach", command: `oj agent attach ${agent_id}` };
    case "send":
      return { type, key: "t", label: "Send words", command: `oj agent send ${agent_id} "…"` };
    case "cancel":
      return { type, key: "x", label: "Cancel", command: `${job} cancel ${run_id}` };
    case "retry":
      return { type, key: null, label: "Retry", command: `${job} resume ${run_id}` };
    case "open":
      return {
        type,
        key: null,
        label: `Open the ${run_id?.startsWith("crew-") ? "crew" : "job"}`,
        command: `${job} show ${run_id}`,
      };
    case "drop":
      return { type, key: null, label: "Drop", command: `${job} drop ${run_id}` };
    default:
      return never(type);
  }
}
