/** The state that a whole log adds up to, as text: two logs are the same if this is, byte for byte. */
import type { Event } from "../core/model/events.ts";
import type { WholeState } from "../core/model/state/state.ts";
import { apply, emptyState } from "../core/model/state/state.ts";
import { decodeState } from "../core/model/state/state-text.ts";
import type { Whole } from "../store-ports.ts";

/** Reads every event, also those that the snapshot covers. */
export async function stateOf(whole: Whole): Promise<WholeState> {
  const { snapshot } = whole;
  const state = snapshot === null ? emptyState() : decodeState(snapshot.state);
  for await (const page of whole.pages())
    for (const { seq, body } of page) if (seq > state.seq) apply(state, JSON.parse(body) as Event);
  return state;
}
