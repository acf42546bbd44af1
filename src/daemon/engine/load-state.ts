/** Reads the log into a state: the newest snapshot, then every event after it. */
import { Refusal } from "../../core/model/errors.ts";
import type { WholeState } from "../../core/model/state/state.ts";
import { apply, emptyState } from "../../core/model/state/state.ts";
import { decodeState } from "../../core/model/state/state-text.ts";
import type { Log, Opened, Ports } from "../../ports.ts";

const PAGE = 2000;

/** Where others write to the log, they may make a newer snapshot and compact what we were about to read: so often. */
const MOST_TRIES = 5;

export interface Loaded {
  state: WholeState;
  opened: Opened;
}

export async function loadState(
  log: Log,
  how: { repair?: boolean; shelf?: Ports["shelf"] | undefined } = {},
): Promise<Loaded> {
  for (let tries = 1; ; tries++) {
    const loaded = await load(log, how);
    if ("state" in loaded) return loaded;
    if (tries === MOST_TRIES) throw missed(loaded.after, loaded.next);
  }
}

/** Events between these were compacted, and neither the snapshot nor we have seen them. */
interface Gap {
  after: number;
  next: number;
}

async function load(log: Log, how: Parameters<typeof loadState>[1]): Promise<Loaded | Gap> {
  const opened = await log.open(how);
  const state = opened.snapshot ? decodeState(opened.snapshot.state) : emptyState();
  if (how?.shelf) state.decisions.use(how.shelf());
  let reading = state.seq < opened.tip ? log.read(state.seq, PAGE) : null;
  while (reading !== null) {
    const events = await reading;
    const last = events.at(-1)?.seq ?? state.seq;
    if (events.length === 0) throw new Error(`the log ends at ${last}, but should reach ${opened.tip}`);
    const next = events[0]?.seq ?? 0;
    if (next !== state.seq + 1) return { after: state.seq, next };
    reading = last < opened.tip ? log.read(last, PAGE) : null; // loads while these are folded
    for (const event of events) apply(state, event);
  }
  return { state, opened };
}

/** A state that skipped events would be wrong in ways that nobody could see. */
export function missed(seq: number, next: number): Refusal {
  const message = `Events ${seq + 1} to ${next - 1} were compacted before this daemon had seen them.`;
  return new Refusal("store.failed", message, "oj daemon restart");
}
