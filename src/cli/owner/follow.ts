/** Follows a job or crew to its end through its events, across restarts of the daemon. */
import type { RunView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Event } from "../../core/model/events.ts";
import type { Context } from "../base/command.ts";
import type { Deadline } from "../base/deadline.ts";
import { isOver, timeLeft } from "../base/deadline.ts";
import { directClient, patiently, stopped } from "../base/patience.ts";
import { kindOf } from "./id.ts";

export interface Following {
  id: string;
  /** The number of the last event that is known already. */
  after: number;
  deadline: Deadline;
  onEvent(event: Event): void;
}

/** Returns the job or crew as it is when it has ended. */
export async function followJob(
  context: Context,
  { id, after, deadline, onEvent }: Following,
): Promise<RunView> {
  let seen = after;
  const family = new Set<string>([id]);
  await patiently(context, deadline, async () => {
    await context.client.health(); // starts the daemon again if it died
    for await (const event of events(context, seen, deadline)) {
      seen = event.seq;
      if (!family.has(jobOf(event))) continue;
      if (event.type === "step:waiting" && event.child_id) family.add(event.child_id);
      onEvent(event);
      if (endsJob(event, id)) return;
    }
    throw stopped();
  }).catch((error) => {
    throw isOver(deadline) && !context.abort.aborted ? tooLate(id, deadline) : error;
  });
  return context.client.job(id);
}

export function tooLate(id: string, deadline: Deadline): Refusal {
  return new Refusal(
    "timeout",
    `${id} did not end within ${deadline?.text}`,
    `oj ${kindOf(id)} show ${id.split(",")[0]}`,
  );
}

/** For the whole project: which jobs this one will start is only known as it runs. */
function events(context: Context, after: number, deadline: Deadline): AsyncIterable<Event> {
  const ends = deadline ? [AbortSignal.timeout(timeLeft(deadline))] : [];
  const abort = AbortSignal.any([context.abort, ...ends]);
  const types = ["job:*", "step:*", "crew:*", "decision:created", "effect:failed"];
  return directClient(context, abort).events({ after, types, project: context.config.project });
}

/** The job or crew that an event is about. */
export function jobOf(event: Event): string {
  if ("job_id" in event && event.job_id) return event.job_id;
  if (event.type === "decision:created") return event.owner.id;
  return "id" in event ? event.id : "";
}

function endsJob(event: Event, id: string): boolean {
  switch (event.type) {
    case "job:completed":
    case "job:failed":
    case "job:cancelled":
    case "job:deleted":
    case "crew:completed":
    case "crew:failed":
    case "crew:cancelled":
    case "crew:deleted":
      return event.id === id;
    default:
      return false;
  }
}
