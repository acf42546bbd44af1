/** What agents tried and may not do: in the log and the journal, so many a minute; what is beyond that is counted into the next. */
import { callRefused } from "../../core/agent/record.ts";
import type { AgentId } from "../../core/model/ids.ts";
import type { Ports } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";

export interface Refused {
  /** Returns when it is on disk. Without an agent: somebody with a token that nobody has. */
  note(agent_id: AgentId | null, call: string, reason: string): Promise<void>;
}

const A_MINUTE = 100;
const MAX_CALL = 200;
const MAX_REASON = 500;
/** Callers that are remembered: agents, and one place for all tokens that are nobody's. */
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
