/** What happened in a trial, one line for each thing that a person would tell. */
import type { Decision } from "../core/model/decision-types.ts";
import type { Event } from "../core/model/events.ts";
import type { State } from "../core/model/state/state.ts";
import { formatDuration } from "../core/text/duration.ts";

export interface Told {
  at_ms: number;
  text: string;
  /** The decision that was asked, as it was then. */
  decision?: Decision;
}

/** The first line of what somebody said, for one line of a timeline. */
const line = (text: string | null) => (text ?? "").trim().split("\n")[0] ?? "";
const quoted = (text: string | null) => (line(text) === "" ? "" : `: "${line(text)}"`);

/** Null: not worth telling. */
export function told(event: Event, state: State): Omit<Told, "at_ms"> | null {
  const agent = (id: string) => state.agents.get(id as never)?.name ?? id;
  switch (event.type) {
    case "job:created":
      return { text: `job ${event.name} started` };
    case "job:advanced":
      return event.step === null ? null : { text: `step ${event.step}` };
    case "step:completed":
      return { text: `step ${event.step} completed` };
    case "step:failed":
      return { text: `step ${event.step} failed${quoted(event.error)}` };
    case "agent:spawned":
      return { text: `agent ${agent(event.id)} started${event.incarnation > 1 ? " again" : ""}` };
    case "agent:idle":
      return { text: `${agent(event.id)} ended its turn${quoted(event.last_message)}` };
    case "agent:errored":
      return { text: `${agent(event.id)} met an error${quoted(event.message)}` };
    case "agent:exited":
      return { text: `${agent(event.id)} exited${event.code ? ` with code ${event.code}` : ""}` };
    case "agent:signalled":
      return { text: `${agent(event.id)} signalled ${event.signal}${quoted(event.message)}` };
    case "agent:gated":
      return { text: `gate ${event.passed ? "passed" : "failed"}` };
    case "agent:owed":
      return event.parcel.reply ? null : { text: `${agent(event.id)} is told${quoted(event.parcel.text)}` };
    case "agent:hung":
      return { text: `${agent(event.id)} hangs: nothing for ${formatDuration(event.quiet_ms)}` };
    case "agent:cooling":
      return { text: `${agent(event.id)} waits until it is tried again` };
    case "decision:created": {
      const decision = state.decisions.get(event.id);
      return { text: `asked: ${event.title}`, ...(decision ? { decision } : {}) };
    }
    case "decision:resolved":
      return { text: `answered: ${event.labels.join(", ") || line(event.text ?? event.message)}` };
    case "decision:expired":
      return { text: "nobody answered in time: the default was taken" };
    case "decision:withdrawn":
      return { text: `withdrawn: ${event.reason}` };
    case "job:completed":
      return { text: "job completed" };
    case "job:failed":
      return { text: `job failed${quoted(event.error)}` };
    case "job:cancelled":
      return { text: "job cancelled" };
    default:
      return null;
  }
}
