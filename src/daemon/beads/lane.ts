/**
 * One lane for each folder `.beads`: one `bd` at a time, and growing pauses while it can't be used. Everything that is
 * owed waits here, so nothing else in the daemon does.
 */
import type { Beads } from "../../beads-port.ts";
import { BeadsTrouble } from "../../beads-port.ts";
import type { Clock } from "../../ports.ts";
import type { Lane } from "../reach/lanes.ts";
import { lane } from "../reach/lanes.ts";
import type { Tracker } from "./up-to-date.ts";

export interface BeadsLane {
  /** Waits for its turn, and then as long as it takes until the call was made, or refused for itself alone. */
  run(call: (tracker: Tracker) => Promise<void>): Promise<void>;
  trouble(): LaneTrouble | null;
  /** How often it could not be used so far. */
  failures(): number;
  version(): string | null;
  /** Tries again now. */
  hurry(): void;
  close(): void;
}

export interface LaneTrouble {
  kind: Exclude<BeadsTrouble["kind"], "refused">;
  message: string;
  since_ms: number;
  retry_at_ms: number;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;

export function beadsLane(
  input: { dir: () => string | null; beads: Beads; abort: AbortSignal; troubled: () => void },
  clock: Clock,
): BeadsLane {
  const own: Lane = lane(clock, 1, 1);
  let tracker: Tracker | null = null;
  let version: string | null = null;
  let failures = 0;
  /** Since it last worked, or was told to hurry. */
  let inARow = 0;
  let trouble: LaneTrouble | null = null;

  /** Asked anew after a trouble: somebody may have installed another `bd`, or moved the folder. */
  async function ready(): Promise<Tracker> {
    const dir = input.dir();
    if (dir === null) throw new BeadsTrouble("no-database", "there is no folder .beads; oj never makes one");
    if (tracker?.at.dir === dir && trouble === null) return tracker;
    const at = { dir, abort: input.abort };
    version = await input.beads.version(at);
    tracker = { beads: input.beads, at, prefix: await input.beads.prefix(at) };
    return tracker;
  }

  function failed(error: BeadsTrouble): void {
    const now = clock.now();
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(inARow++, 20), LONGEST_PAUSE_MS);
    failures++;
    const kind = error.kind === "refused" ? "failing" : error.kind;
    const since_ms = trouble?.since_ms ?? now;
    trouble = { kind, message: error.message, since_ms, retry_at_ms: now + pause };
    own.pause(pause);
    input.troubled();
  }

  return {
    async run(call) {
      for (;;) {
        const error = await own.run(async () => {
          try {
            await call(await ready());
            inARow = 0;
            trouble = null;
            return null;
          } catch (caught) {
            if (!(caught instanceof BeadsTrouble)) throw caught;
            if (caught.kind === "refused") throw caught;
            failed(caught);
            return caught;
          }
        });
        if (error === null) return;
      }
    },
    trouble: () => trouble,
    failures: () => failures,
    version: () => version,
    hurry() {
      inARow = 0;
      own.resume();
    },
    close: () => own.close(),
  };
}
