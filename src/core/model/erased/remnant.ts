/** What stays of the events of a decision whose texts are erased. Who did what, and when, stays as it was. */
import type { Decision } from "../decision-types.ts";
import type { Event } from "../events.ts";
import { ERASED, isSaid, keysOf, withoutDefault, withoutFaces, withoutTexts } from "./texts.ts";

export interface Eraser {
  /** What to look for in the log: an event that names none of these is not about it. */
  ids: string[];
  /** The event without the decision's texts; null if it has none of them. Events come in the order of the log. */
  remnantOf(event: Event): Event | null;
}

export function eraserOf(decision: Decision): Eraser {
  const { id, agent_id, prompt_key, owner, context, options } = decision;
  const keys = keysOf(options);
  const parcels = new Set<string>();
  let isSettled = false;
  const bare = <T>(value: T): T => withoutTexts(value, keys);

  function change(event: Event): Event | null {
    switch (event.type) {
      case "inject:queued":
        return event.decision_id === id ? { ...event, text: ERASED } : null;
      case "job:unblocked":
        return event.decision_id === id ? { ...event, reason: ERASED } : null;
      case "step:completed": {
        const isIts =
          isSettled && event.job_id === owner.id && owner.kind === "job" && event.step === owner.step;
        if (!isIts || event.choice === undefined) return null;
        isSettled = false; // the step may be entered again, and ask something else
        return { ...event, output: bare(event.output), choice: bare(event.choice) };
      }
      case "agent:asked":
        return event.decision_id === id && event.failure !== undefined
          ? { ...event, failure: bare(event.failure) }
          : null;
      case "agent:owed":
        if (event.parcel.decision_id !== id) return null;
        parcels.add(event.parcel.id);
        return { ...event, parcel: bare(event.parcel) };
      case "agent:replied":
        return parcels.has(event.parcel_id) ? { ...event, text: ERASED } : null;
      case "agent:prompted":
        return event.id === agent_id && event.prompt.key === prompt_key && prompt_key !== null
          ? { ...event, prompt: bare(event.prompt) }
          : null;
      case "agent:idle":
        return event.id === agent_id && isSaid(context, event.last_message)
          ? { ...event, last_message: ERASED }
          : null;
      case "agent:errored":
        return event.id === agent_id && isSaid(context, event.message) ? { ...event, message: ERASED } : null;
      default:
        return ofDecision(event);
    }
  }

  function ofDecision(event: Event): Event | null {
    if ((event as { id?: unknown }).id !== id) return null;
    if (event.type.startsWith("notice:")) return withoutFaces(event);
    if (event.type === "escalation:given") return withoutDefault(event, keys);
    if (!event.type.startsWith("decision:")) return null;
    if (event.type === "decision:resolved" || event.type === "decision:expired") isSettled = true;
    return bare(event);
  }

  return {
    ids: [id, agent_id, prompt_key, owner.kind === "job" ? owner.id : null].filter((it) => it !== null),
    remnantOf(event) {
      const changed = event.erased ? null : change(event);
      if (changed === null || JSON.stringify(changed) === JSON.stringify(event)) return null;
      return { ...changed, erased: true };
    },
  };
}
