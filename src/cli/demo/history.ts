/** What happened to each agent, in order, told from the recorded events. */
import type { Event } from "../../core/model/events.ts";

export interface History {
  agent: string;
  name: string;
  job: string;
  moments: Moment[];
}

export interface Moment {
  at_ms: number;
  text: string;
}

/** `others` happened to all agents at the time: the death of the daemon is not an event. */
export function historiesOf(events: readonly Event[], others: readonly Moment[]): History[] {
  return events.flatMap((event) => {
    if (event.type !== "agent:created" || event.owner.kind !== "job") return [];
    const { id, name, owner } = event;
    const own = events.flatMap((it) => momentOf(it, events, id, owner.id) ?? []);
    const last = own.at(-1)?.at_ms ?? 0;
    const within = others.filter((it) => it.at_ms > event.at_ms && it.at_ms < last);
    const moments = [...own, ...within].sort((a, b) => a.at_ms - b.at_ms);
    return [{ agent: id, name, job: owner.name, moments }];
  });
}

function momentOf(event: Event, all: readonly Event[], agent: string, job: string): Moment | null {
  const text = textOf(event, all, agent, job);
  return text === null ? null : { at_ms: event.at_ms, text };
}

function textOf(event: Event, all: readonly Event[], agent: string, job: string): string | null {
  switch (event.type) {
    case "agent:spawned":
      if (event.id !== agent) return null;
      return event.incarnation > 1 ? "restarted" : "started in its own terminal";
    case "agent:signalled":
      return event.id === agent ? `says: ${event.signal}` : null;
    case "agent:gated":
      if (event.id !== agent) return null;
      return event.passed ? "its gate passes" : `its gate fails, exit code ${event.exit_code}`;
    case "agent:tried":
      return event.id === agent && event.action === "gate" ? "sent back with what the gate printed" : null;
    case "decision:created":
      return event.agent_id === agent ? `asks [${event.source}]: ${event.title}` : null;
    case "decision:resolved":
      return isOf(event.id, agent, all) ? answerText(event, all) : null;
    case "decision:withdrawn":
      return isOf(event.id, agent, all) ? `its question was closed: ${event.reason}` : null;
    case "step:completed":
      return event.job_id === job ? `step ${event.step} completed` : null;
    case "job:completed":
      return event.id === job ? "the job completed" : null;
    case "job:failed":
      return event.id === job ? `the job failed: ${event.error}` : null;
    case "job:cancelled":
      return event.id === job ? "the job was cancelled" : null;
    default:
      return null;
  }
}

function answerText(event: Extract<Event, { type: "decision:resolved" }>, all: readonly Event[]): string {
  const words = [event.labels.join(", "), event.message ? `"${event.message}"` : ""].filter(
    (it) => it !== "",
  );
  return `${event.by} answers: ${words.join(" ")}${trackOf(event.id, all).slice("answered".length)}`;
}

/** "answered → delivered after 8ms → acknowledged after 12ms", as far as it got. */
export function trackOf(id: string, all: readonly Event[]): string {
  const at = (type: Event["type"]) =>
    all.find((it) => it.type === type && "id" in it && it.id === id)?.at_ms ?? null;
  const begun = at("decision:resolved");
  if (begun === null) return "";
  const after = (name: string, ms: number | null) =>
    ms === null ? [] : [`${name} after ${duration(ms - begun)}`];
  return [
    "answered",
    ...after("delivered", at("decision:delivered")),
    ...after("acknowledged", at("decision:acknowledged")),
  ].join(" → ");
}

function isOf(decision: string, agent: string, all: readonly Event[]): boolean {
  return all.some((it) => it.type === "decision:created" && it.id === decision && it.agent_id === agent);
}

function duration(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${(ms / 1000).toFixed(1)}s`;
}
