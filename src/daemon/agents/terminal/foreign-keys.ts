/**
 * Records keys that somebody sent to an agent's terminal through tmux's own socket. They can't be blocked, because any
 * process of the same user may open the socket. They are recorded because an agent may have answered its own dialog.
 */
import { keysSent } from "../../../core/agent/record.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";

/** At most one record per agent in this time. Keys that arrive in between are counted in the next record. */
const ONE_IN_MS = 10_000;
const MOST_AGENTS = 1000;

export function watchForeignKeys(
  engine: Engine,
  { terminals, clock, journal }: Pick<Ports, "terminals" | "clock" | "journal">,
): () => void {
  const recorded = new Map<AgentId, { at: number; since: number }>();

  async function keyed(id: AgentId, count: number): Promise<void> {
    const now = clock.monotonic();
    const last = recorded.get(id);
    if (last && now - last.at < ONE_IN_MS) {
      last.since += count;
      return;
    }
    if (recorded.size >= MOST_AGENTS) recorded.clear();
    recorded.set(id, { at: now, since: 0 });
    const times = count + (last?.since ?? 0);
    journal.warn("keys were sent to an agent's terminal by neither a person nor oj", { agent_id: id, times });
    await engine.run((state) => keysSent(state, { id, times }));
  }

  return terminals.watch({
    exited() {},
    printed() {},
    keyed: (id, count) =>
      void keyed(id, count).catch((error: Error) =>
        journal.warn("could not record foreign keys", { error: error.message }),
      ),
  });
}
