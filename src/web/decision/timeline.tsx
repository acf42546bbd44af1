/** What happened to a decision or a job, in order; fetched when the person opens it. */
import { useEffect, useState } from "preact/hooks";
import type { DecisionView } from "../../api/api.ts";
import type { Event } from "../../core/model/events.ts";
import { safeLine } from "../../text/safe.ts";
import { client } from "../base/api.ts";
import { localTime } from "../base/clock.ts";

export function Timeline({ decision }: { decision: DecisionView }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="timeline-box" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Timeline</summary>
      {open && <Loaded decision={decision} />}
    </details>
  );
}

function Loaded({ decision }: { decision: DecisionView }) {
  const { id, state, held, delivery } = decision;
  const [events, setEvents] = useState<readonly Event[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    allEvents((after) => client.decisionEvents(id, { after })).then(
      (all) => wanted && setEvents(all),
      (problem: Error) => wanted && setError(problem.message),
    );
    return () => {
      wanted = false;
    };
  }, [id, state, held, delivery.state]);
  if (error !== null) return <p class="trouble">{safeLine(error)}</p>;
  if (events === null) return <p class="quiet">Loading…</p>;
  return <Events events={events} of="decision" />;
}

/** A long history comes in parts; parts beyond this number are left out. */
const MOST_PARTS = 20;

export async function allEvents(
  read: (after: number) => Promise<{ events: Event[]; next: number | null }>,
): Promise<Event[]> {
  const all: Event[] = [];
  let after: number | null = 0;
  for (let part = 0; part < MOST_PARTS && after !== null; part++) {
    const { events, next }: { events: Event[]; next: number | null } = await read(after);
    all.push(...events);
    after = next;
  }
  return all;
}

/** A decision's events are all about that decision; a job's events say which one they are about. */
export function Events({ events, of }: { events: readonly Event[]; of: "decision" | "job" }) {
  return (
    <ol class="timeline">
      {events.map((event) => (
        <li key={event.seq} class={kindOf(event)}>
          <time dateTime={new Date(event.at_ms).toISOString()}>{localTime(event.at_ms)}</time>
          <span>{wordsOf(event, of)}</span>
        </li>
      ))}
    </ol>
  );
}

function kindOf({ type }: Event): string {
  if (/failed|undelivered|expired|errored/.test(type)) return "bad";
  if (/completed|resolved|acknowledged|delivered/.test(type)) return "good";
  return "";
}

/** "resolved: Approve, by ana (web)": the type in words, and the few fields that say most. */
function wordsOf(event: Event, of: "decision" | "job"): string {
  const it = event as Event & Record<string, unknown>;
  const [kind = "", what = ""] = event.type.split(":");
  const words = kind === of ? what : `${kind} ${what}`;
  const answer = (it.answer ?? it) as { labels?: string[]; by?: string; via?: string; text?: string | null };
  const details = [
    text(it.step) && `"${text(it.step)}"`,
    of === "job" && event.type === "decision:created" ? `"${event.title}"` : "",
    kind === "decision" && event.type !== "decision:created"
      ? (answer.labels?.join(", ") ?? "") || text(answer.text)
      : "",
    text(it.reason),
    text(it.error),
    text(it.superseded_by),
    typeof it.exit_code === "number" ? `exit ${it.exit_code}` : "",
    answer.by ? `by ${answer.by}${answer.via ? ` (${answer.via})` : ""}` : "",
    text(it.message) && `"${text(it.message)}"`,
  ].filter((one) => one);
  const told = details.join(", ");
  return safeLine(told === "" ? words : `${words}${told.startsWith("by ") ? "" : ":"} ${told}`);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
