/** Follows a job to its end by its events, over restarts of the daemon. */
import type { JobView } from "../../api.ts";
import { Refusal } from "../../core/errors.ts";
import type { Event } from "../../core/events.ts";
import type { Context } from "../command.ts";
import type { Deadline } from "../deadline.ts";
import { isOver, timeLeft } from "../deadline.ts";
import { directClient, patiently, stopped } from "../patience.ts";

export interface Following {
  id: string;
  /** The number of the last event that is known already. */
  after: number;
  deadline: Deadline;
  onEvent(event: Event): void;
}

/** Returns the job as it is when it has ended. */
export async function followJob(
  context: Context,
  { id, after, deadline, onEvent }: Following,
): Promise<JobView> {
  let seen = after;
  await patiently(context, deadline, async () => {
    await context.client.health(); // starts the daemon again if it died
    for await (const event of events(context, id, seen, deadline)) {
      seen = event.seq;
      onEvent(event);
      if (endsJob(event, id)) return;
    }
    throw stopped();
  }).catch((error) => {
    throw isOver(deadline, context.now()) && !context.abort.aborted ? tooLate(id, deadline) : error;
  });
  return context.client.job(id);
}

export function tooLate(id: string, deadline: Deadline): Refusal {
  return new Refusal("timeout", `${id} has not ended within ${deadline?.text}`, `oj job show ${id}`);
}

function events(context: Context, id: string, after: number, deadline: Deadline): AsyncIterable<Event> {
  const ends = deadline ? [AbortSignal.timeout(timeLeft(deadline, context.now()))] : [];
  const abort = AbortSignal.any([context.abort, ...ends]);
  return directClient(context, abort).events({ after, job: id });
}

function endsJob(event: Event, id: string): boolean {
  switch (event.type) {
    case "job:completed":
    case "job:failed":
    case "job:cancelled":
    case "job:deleted":
      return event.id === id;
    default:
      return false;
  }
}
