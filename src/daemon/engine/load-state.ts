/** Reads the log into a state: the newest snapshot, then every event after it. */
import type { WholeState } from "../../core/model/state/state.ts";
import { apply, emptyState } from "../../core/model/state/state.ts";
import { decodeState } from "../../core/model/state/state-text.ts";
import type { Log, Opened, Ports } from "../../ports.ts";

const PAGE = 2000;

export async function loadState(
  log: Log,
  how: { repair?: boolean; shelf?: Ports["shelf"] | undefined } = {},
): Promise<{ state: WholeState; opened: Opened }> {
  const opened = await log.open(how);
  const state = opened.snapshot ? decodeState(opened.snapshot.state) : emptyState();
  if (how.shelf) state.decisions.use(how.shelf());
  let reading = state.seq < opened.tip ? log.read(state.seq, PAGE) : null;
  while (reading !== null) {
    const events = await reading;
    const last = events.at(-1)?.seq ?? state.seq;
    if (events.length === 0) throw new Error(`the log ends at ${last}, but should reach ${opened.tip}`);
    reading = last < opened.tip ? log.read(last, PAGE) : null; // loads while these are folded
    for (const event of events) apply(state, event);
  }
  return { state, opened };
}
