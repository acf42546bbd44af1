/** Events over restarts of the daemon: each connection goes on after the last event that was handed out. */
import type { ApiClient, EventQuery } from "../api/api.ts";
import { isDisconnect } from "../client/disconnect.ts";
import { untilBack } from "../client/patience.ts";
import type { Event } from "../core/model/events.ts";

interface Following {
  query: EventQuery;
  signal: AbortSignal | undefined;
  /** Starts a daemon that died, if that is wanted. */
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
