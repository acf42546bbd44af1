/**
 * Notices agents that hang: at work, but without output or a report for longer than they may. Only a timer for each
 * agent at work; output and reports merely note the time. Time is monotonic, so a machine that slept is not counted.
 */
import { shouldBeHeard } from "../../../core/agent/hung.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import { isHung } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { State } from "../../../core/model/state/state.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { isPassing } from "./look-again.ts";

export interface Quiet {
  /** Something was heard of the agent: output, a report, a call. */
  heard(id: AgentId): void;
  /** For how long nothing has been heard of it; null if nobody listens, as it is not at work. */
  silentMs(id: AgentId): number | null;
  /** Listens to the agents that an earlier daemon left at work, which may have been silent for long already. */
  begin(): Promise<void>;
  stop(): void;
}

interface Listening {
  /** On the monotonic clock. */
  heard_at: number;
  disarm(): void;
}

/** A daemon that has just started doesn't know which reports its predecessor got: it listens for a while first. */
const GRACE_MS = 30_000;
/** A file's time and ours may differ by this much. */
const NEAR_MS = 1000;
/** What could not be recorded is tried again after this long. */
const AGAIN_MS = 10_000;
/** Timers can't be longer than 24 days. */
const LONGEST_MS = 86_400_000;

export function startQuiet(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: { hooks: () => Pick<Hooks, "saw">; hungAfterMs: number },
): Quiet {
  const { terminals, clock, journal } = ports;
  const listening = new Map<AgentId, Listening>();
  const hung = new Set<AgentId>();
  let stopped = false;
  const limitOf = ({ def }: Agent) => def.hung_after_ms ?? parts.hungAfterMs;
  const forgive = (error: Error) => {
    if (!stopped) journal.warn("could not look after a silent agent", { error: error.message });
  };

  const unwatch = terminals.watch({ printed: heard, exited: forget });
  const unwatchFacts = engine.watch((events, state) => {
    for (const id of new Set(events.flatMap((it) => (it.type.startsWith("agent:") ? [agentIn(it)] : [])))) {
      follow(state, id);
      const known = listening.get(id);
      if (known) known.heard_at = clock.monotonic(); // it was told something, or something was learned of it
    }
  });

  function follow(state: Readonly<State>, id: AgentId): void {
    const agent = state.agents.get(id);
    if (agent && isHung(agent)) hung.add(id);
    else hung.delete(id);
    if (!agent || !shouldBeHeard(agent)) forget(id);
    else if (!listening.has(id)) listen(agent, 0, limitOf(agent));
  }

  function listen({ id }: Agent, silentMs: number, waitMs: number): void {
    if (stopped) return;
    listening.set(id, { heard_at: clock.monotonic() - silentMs, disarm: arm(id, waitMs) });
  }

  function arm(id: AgentId, ms: number): () => void {
    return clock.after(Math.min(ms, LONGEST_MS), () => void look(id).catch(forgive));
  }

  function forget(id: AgentId): void {
    listening.get(id)?.disarm();
    listening.delete(id);
  }

  function heard(id: AgentId): void {
    const known = listening.get(id);
    if (known) known.heard_at = clock.monotonic();
    if (hung.delete(id)) stirred(id);
  }

  function stirred(id: AgentId): void {
    const failed = (error: Error) => {
      forgive(error);
      if (!stopped && isPassing(error)) clock.after(AGAIN_MS, () => stirred(id));
    };
    if (!stopped) void parts.hooks().saw(id, { type: "stirred" }).catch(failed);
  }

  /** The timer of the agent went off: it may have been heard meanwhile, and then has as much time again. */
  async function look(id: AgentId): Promise<void> {
    const agent = await engine.read((state) => state.agents.get(id) ?? null);
    const known = listening.get(id);
    if (!known || !agent || stopped) return;
    const limit = limitOf(agent);
    const quiet_ms = clock.monotonic() - known.heard_at;
    if (quiet_ms >= limit) {
      const still = () => listening.get(id) === known && clock.monotonic() - known.heard_at >= limit;
      try {
        await parts.hooks().saw(id, { type: "hung", quiet_ms }, still);
      } catch (error) {
        if (listening.get(id) === known) known.disarm = arm(id, AGAIN_MS);
        throw error;
      }
      if (listening.get(id) !== known) return; // a person is asked
      if (still()) known.heard_at = clock.monotonic(); // it waits for a person, who may take their time
    }
    known.disarm = arm(id, Math.max(1, limit - (clock.monotonic() - known.heard_at)));
  }

  return {
    heard,
    silentMs(id) {
      const known = listening.get(id);
      return known ? clock.monotonic() - known.heard_at : null;
    },
    async begin() {
      const agents = await engine.read((state) => [...state.agents.values()]);
      for (const agent of agents.filter(isHung)) {
        hung.add(agent.id);
        const printed_at = (await terminals.printedAt(agent.id)) ?? 0;
        if (printed_at > (agent.hung_since_ms ?? 0) + NEAR_MS) heard(agent.id); // while no daemon was running
      }
      for (const agent of agents.filter(shouldBeHeard)) {
        const at = Math.max((await terminals.printedAt(agent.id)) ?? 0, agent.changed_at_ms);
        const silentMs = Math.max(0, clock.now() - at);
        const limit = limitOf(agent);
        forget(agent.id);
        listen(agent, silentMs, Math.min(limit, Math.max(GRACE_MS, limit - silentMs)));
      }
    },
    stop() {
      stopped = true;
      unwatch();
      unwatchFacts();
      for (const id of [...listening.keys()]) forget(id);
    },
  };
}

function agentIn(event: { type: string }): AgentId {
  return (event as { id: AgentId } & typeof event).id;
}
