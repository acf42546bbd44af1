/** Follows events across restarts of the daemon: each connection continues after the last event handed out. */
import type { ApiClient, EventQuery } from "../api/api.ts";
import { isDisconnect } from "../client/disconnect.ts";
import { untilBack } from "../client/patience.ts";
import type { Event } from "../core/model/events.ts";

interface Following {
  query: EventQuery;
  signal: AbortSignal | undefined;
  /** Starts the daemon if it died, unless the program does not want that. */
  clientFor(abort?: AbortSignal): ApiClient;
  direct(abort?: AbortSignal): ApiClient;
}

export async function* followEvents({
  query,
  signal,
  clientFor,
  direct,
}: Following): AsyncGenerator<Event, void, undefined> {
  const patience = { health: () => direct(signal).health(), isOver: () => false, abort: signal };
  try {
    let seen = query.after ?? (await clientFor(signal).health()).seq;
    for (;;) {
      try {
        for await (const event of clientFor(signal).events({ ...query, after: seen })) {
          seen = event.seq;
          yield event;
        }
      } catch (error) {
        if (signal?.aborted || !isDisconnect(error)) throw error;
      }
      await untilBack(patience, null);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
