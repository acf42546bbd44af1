/**
 * Records what agents tried to do and may not, as events and in the daemon's log: at most so many a minute. Any more
 * are counted in the next record.
 */
import { callRefused } from "../../core/agent/record.ts";
import type { AgentId } from "../../core/model/ids.ts";
import type { Ports } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";

export interface Refused {
  /** Returns once it is on disk. `agent_id` is null for a caller with an unknown token. */
  note(agent_id: AgentId | null, call: string, reason: string): Promise<void>;
}

const A_MINUTE = 200;
const MAX_CALL = 200;
const MAX_REASON = 500;
/** How many callers are remembered: agents, and one entry for all unknown tokens. */
const MAX_CALLERS = 1000;

export function startRefused(engine: Engine, { clock, journal }: Pick<Ports, "clock" | "journal">): Refused {
  const counts = new Map<AgentId | null, { since: number; noted: number; unnoted: number }>();

  return {
    async note(id, call, reason) {
      const now = clock.monotonic();
      const count = counts.get(id) ?? { since: now, noted: 0, unnoted: 0 };
      if (now - count.since >= 60_000) Object.assign(count, { since: now, noted: 0 });
      if (counts.size >= MAX_CALLERS) counts.clear();
      counts.set(id, count);
      if (count.noted >= A_MINUTE) {
        count.unnoted += 1;
        return;
      }
      const { unnoted } = count;
      Object.assign(count, { noted: count.noted + 1, unnoted: 0 });
      const what = { call: call.slice(0, MAX_CALL), reason: reason.slice(0, MAX_REASON), unnoted };
      journal.warn("an agent was refused", { agent_id: id, ...what });
      await engine
        .run((state) => (id === null ? [] : callRefused(state, { id, ...what })))
        .catch((error: Error) => journal.warn("could not record a refusal", { error: error.message }));
    },
  };
}
