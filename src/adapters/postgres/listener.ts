/**
 * Hears what others commit: LISTEN on a connection of its own. A connection can look open and be dead, and a pooler can
 * swallow every notice, so every two seconds it asks where the log ends. That keeps the connection honest, and is enough
 * to go on by if no notice ever comes.
 */
import type { Journal } from "../../ports.ts";
import type { Address } from "./address.ts";
import type { Connection } from "./connection.ts";
import { connect } from "./connection.ts";
import { wholeNumber } from "./rows.ts";
import { CHANNEL } from "./schema.ts";

const BEAT_MS = 2000;
const ANSWER_MS = 3000;
const CONNECT_MS = 5000;
const AGAIN_MS = 500;
/** After so many beats that found something no notice had told of, there are no notices. */
const SILENT_BEATS = 3;

export interface Listener {
  /** When PostgreSQL last answered, while it does not; null while it does. */
  lastHeard(): number | null;
  close(): Promise<void>;
}

/** Calls with the number of the last event whenever it may have changed. */
export function startListener(address: Address, journal: Journal, call: (seq: number) => void): Listener {
  const closing = new AbortController();
  let current: Connection | null = null;
  let told = 0;
  let silent = 0;
  let heard_at_ms = Date.now();
  let isAway = false;
  const running = run();

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        current = await connect(address, CONNECT_MS);
        await stay(current, () => {
          failures = 0;
          isAway = false;
          heard_at_ms = Date.now();
        });
      } catch (error) {
        isAway = true;
        if (failures === 0 && !closing.signal.aborted)
          journal.warn("PostgreSQL does not tell what others write", { error: (error as Error).message });
      }
      current?.destroy();
      await pause(AGAIN_MS);
    }
  }

  /** One connection, until it breaks or is closed. */
  async function stay(connection: Connection, began: () => void): Promise<void> {
    connection.heard((payload) => tell(wholeNumber(payload), true));
    await connection.ask([`LISTEN ${CHANNEL}`], ANSWER_MS);
    for (;;) {
      const text =
        "SELECT seq, EXISTS (SELECT FROM pg_listening_channels() c WHERE c = $1) AS listens FROM head";
      const [answer] = await connection.ask([{ text, values: [CHANNEL] }], ANSWER_MS);
      began();
      tell(wholeNumber(answer?.rows[0]?.seq), false);
      if (answer?.rows[0]?.listens !== true) await connection.ask([`LISTEN ${CHANNEL}`], ANSWER_MS);
      await Promise.race([pause(BEAT_MS), connection.ended]);
      if (closing.signal.aborted) return;
    }
  }

  function tell(seq: number | null, isNotice: boolean): void {
    if (seq === null || seq <= told) return;
    if (!isNotice && told > 0) silent += 1;
    else silent = 0;
    if (silent === SILENT_BEATS)
      journal.warn("PostgreSQL's notices don't arrive, as behind a pooler in transaction mode", {
        instead: `it is asked every ${BEAT_MS / 1000} s`,
      });
    told = seq;
    call(seq);
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        closing.signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      closing.signal.addEventListener("abort", end, { once: true });
      if (closing.signal.aborted) end();
    });
  }

  return {
    lastHeard: () => (isAway ? heard_at_ms : null),
    async close() {
      closing.abort();
      current?.destroy();
      await running;
    },
  };
}
