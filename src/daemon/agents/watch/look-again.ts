/**
 * Looks again at agents of whom something was lost: it could not be recorded (the disk was full), or their terminal
 * could not be read. Only which agents these are is kept, and not what was lost: their terminals and files still show
 * it.
 */
import { clients } from "../../../agents/known/clients.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import { retryDelayMs } from "../../../core/model/effects.ts";
import { Refusal } from "../../../core/model/errors.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { isDue } from "../../../core/outbox/agent-life.ts";
import type { Ports, TerminalExit } from "../../../ports.ts";
import { Unreachable } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import type { OpenHooks } from "../hooks/open-hooks.ts";
import type { Still } from "../terminal/dialog-end.ts";
import { asItStands } from "../terminal/dialog-end.ts";

export interface LookAgain {
  /** Because of this error, something of the agent was not recorded or not seen. */
  lost(id: AgentId, error: unknown): void;
  stop(): void;
}

interface Lost {
  /** Whether something was lost since the last look. */
  isDue: boolean;
  attempts: number;
  /** Whether the agent is as it was when something was lost. */
  still: Still;
  disarm: (() => void) | null;
}

export function startLookAgain(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: {
    openHooks: Pick<OpenHooks, "has">;
    /** Its program runs. */
    look(id: AgentId): Promise<void>;
    /** Its program has ended. */
    ended(agent: Agent, exit: TerminalExit, error: string | null): Promise<void>;
  },
): LookAgain {
  const { terminals, clock, journal } = ports;
  const agents = new Map<AgentId, Lost>();
  let stopped = false;
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);

  // the store takes something of it again: nothing is left of the back-off
  const unwatch = engine.watch((events) => {
    if (agents.size === 0) return;
    for (const event of events) {
      const it = event.type.startsWith("agent:") && agents.get((event as { id: AgentId }).id);
      if (it && !it.isDue) agents.delete((event as { id: AgentId }).id);
    }
  });

  function lost(id: AgentId, error: unknown): void {
    if (stopped || !isPassing(error)) return;
    const it = agents.get(id) ?? { isDue: false, attempts: 0, still: () => true, disarm: null };
    agents.set(id, it);
    const wasDue = it.isDue;
    it.isDue = true;
    void agentNow(id).then((agent) => {
      if (agent) it.still = asItStands(agent);
    });
    if (!wasDue && it.disarm === null) later(id, it);
  }

  function later(id: AgentId, it: Lost): void {
    it.attempts += 1;
    it.disarm = clock.after(retryDelayMs(it.attempts), () => void again(id, it));
  }

  async function again(id: AgentId, it: Lost): Promise<void> {
    it.isDue = false;
    const before = await agentNow(id);
    const still = before && asItStands(before);
    const hasLooked = await lookAt(id, it).catch((error: Error) => {
      lost(id, error);
      journal.warn("could not look at an agent again", { agent_id: id, error: error.message });
      return false;
    });
    const now = hasLooked ? await agentNow(id) : null;
    it.disarm = null;
    if (stopped) return;
    if (now && still?.(now) === false && !agents.has(id)) {
      it.isDue = true; // whatever was recorded meanwhile may have overtaken the look, which then said nothing
      agents.set(id, it);
    }
    if (agents.get(id) === it && it.isDue) later(id, it);
  }

  /** Returns whether its screen was looked at. */
  async function lookAt(id: AgentId, it: Lost): Promise<boolean> {
    const agent = await agentNow(id);
    if (!agent) agents.delete(id);
    if (!agent || agent.stopping || agent.status === "ended") return false; // whoever stops it reports its end
    if (isDue(agent)) it.isDue = true; // what it reported counts once its start is recorded
    if (!agent.spawned) return false;
    const there = (await terminals.list()).find((one) => one.agent_id === id);
    if (!there?.alive) {
      const exit = there?.exit ?? { code: null, signal: null };
      await parts.ended(agent, exit, there ? null : "its terminal is gone");
      return false;
    }
    if (isElsewhere(agent, it)) return false;
    await parts.look(id);
    return true;
  }

  /** Whether others see what becomes of it, or what was recorded since is newer than what was lost. */
  function isElsewhere(agent: Agent, { still }: Lost): boolean {
    const { id, status, prompt, outbox } = agent;
    if (clients.endsWithTurn(agent.kind, agent.def.run)) return true;
    if (status === "idle" || status === "errored") return !still(agent);
    if (status !== "prompting" || !prompt) return false;
    const isOwed = outbox.some((one) => one.prompt_key === prompt.key && one.state === "owed");
    return isOwed || parts.openHooks.has(id, prompt.key);
  }

  return {
    lost,
    stop() {
      stopped = true;
      unwatch();
      for (const { disarm } of agents.values()) disarm?.();
      agents.clear();
    },
  };
}

/** A mistake of ours stays one, however often we look. */
export function isPassing(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refusal && error.code.startsWith("store."));
}
