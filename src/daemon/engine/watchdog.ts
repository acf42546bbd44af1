/**
 * Notices what is late: an answer that an agent has not received, a chore that takes longer than it should. It says in
 * the daemon's log and on the decision what the answer is waiting for, and begins everything that is owed and not in
 * progress. No hang is silent.
 */

import type { AgentId } from "../../core/model/ids.ts";
import { parcelLate } from "../../core/outbox/chore.ts";
import { waitsFor } from "../../core/outbox/waiting.ts";
import type { Ports } from "../../ports.ts";
import type { Chores } from "./chores.ts";
import type { Engine } from "./engine.ts";

export interface Watchdog {
  /** Watches over what was owed before this daemon started. Called once, after its chores have begun. */
  begin(): Promise<void>;
  stop(): void;
}

/** When a parcel is checked, and checked again. After the first warning, only a change is reported. */
const LOOKS_MS = [5000, 10_000, 15_000, 30_000, 60_000, 300_000];

export function startWatchdog(
  engine: Engine,
  ports: Pick<Ports, "clock" | "journal">,
  parts: { chores: Chores; doing: (parcel_id: string) => string | null },
): Watchdog {
  const { clock, journal } = ports;
  const { chores, doing } = parts;
  const timers = new Map<string, () => void>();
  let stopped = false;

  const unwatch = engine.watch((events) => {
    for (const event of events) if (event.type === "agent:owed") follow(event.id, event.parcel.id);
  });

  function follow(agent_id: AgentId, parcel_id: string): void {
    const name = `${agent_id} ${parcel_id}`;
    if (!stopped && !timers.has(name)) arm(name, agent_id, parcel_id, 0, null);
  }

  function arm(name: string, agent_id: AgentId, parcel_id: string, n: number, before: string | null): void {
    const ms = LOOKS_MS[Math.min(n, LOOKS_MS.length - 1)] ?? 0;
    const look = async () => {
      const said = await lookAt(agent_id, parcel_id, before);
      timers.delete(name);
      if (said !== null && !stopped) arm(name, agent_id, parcel_id, n + 1, said);
    };
    timers.set(
      name,
      clock.after(ms, () => {
        look().catch((error: Error) => {
          timers.delete(name);
          if (!stopped) journal.warn("could not check what is late", { error: error.message });
        });
      }),
    );
  }

  /** What the parcel is waiting for, recorded if that is new. Null if it has arrived, or never will. */
  async function lookAt(agent_id: AgentId, parcel_id: string, before: string | null): Promise<string | null> {
    const reason = await engine.read((state) => {
      const agent = state.agents.get(agent_id);
      const parcel = agent?.outbox.find((it) => it.id === parcel_id);
      if (!agent || !parcel || agent.status === "ended") return null;
      return waitsFor(agent, parcel);
    });
    if (reason === null) return null;
    const waits_for = doing(parcel_id) ?? reason;
    await chores.takeUp();
    if (waits_for === before) return waits_for;
    journal.warn("an answer is late", { agent_id, parcel_id, waits_for });
    await engine.run((state) => parcelLate(state, { id: agent_id, parcel_id, waits_for }));
    return waits_for;
  }

  return {
    async begin() {
      const owed = await engine.read((state) =>
        [...state.agents.values()].flatMap(({ id, outbox }) => outbox.map((it) => [id, it.id] as const)),
      );
      for (const [agent_id, parcel_id] of owed) follow(agent_id, parcel_id);
    },
    stop() {
      stopped = true;
      unwatch();
      for (const disarm of timers.values()) disarm();
      timers.clear();
    },
  };
}
