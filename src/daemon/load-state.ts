/** Reads the log into a state: the newest snapshot, then every event after it. */
import type { State } from "../core/state.ts";
import { apply, decodeState, emptyState } from "../core/state.ts";
import type { Log, Opened } from "./ports.ts";

const PAGE = 5000;

export async function loadState(
  log: Log,
  how: { repair?: boolean } = {},
): Promise<{ state: State; opened: Opened }> {
  const opened = await log.open(how);
  const state = opened.snapshot ? decodeState(opened.snapshot.state) : emptyState();
  while (state.seq < opened.tip) {
    const events = await log.read(state.seq, PAGE);
    if (events.length === 0) throw new Error(`the log ends at ${state.seq}, but should reach ${opened.tip}`);
    for (const event of events) apply(state, event);
  }
  return { state, opened };
}
