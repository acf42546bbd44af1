/** Does the chores of agents: start, stop, deliver, gate, wake. One short case each and no policy. */
import { agentCooled, observe } from "../core/agent.ts";
import type { Agent } from "../core/agent-types.ts";
import type { AgentEffect } from "../core/effects.ts";
import { never } from "../core/errors.ts";
import { agentDelivery } from "./agent-delivery.ts";
import { runGate } from "./agent-gate.ts";
import { agentStarter } from "./agent-starting.ts";
import type { AgentWorld } from "./agent-world.ts";
import type { Record } from "./chores.ts";
import { tailOf } from "./tail.ts";

export function agentPerformer(world: AgentWorld): (effect: AgentEffect, record: Record) => Promise<void> {
  const { engine, ports } = world;
  const start = agentStarter(world);
  const deliver = agentDelivery(world);

  return async (effect, record) => {
    const agent = await engine.read((state) => state.agents.get(effect.agent_id) ?? null);
    if (!agent) return;
    switch (effect.type) {
      case "start-agent":
        return start(agent, record);
      case "stop-agent":
        return stop(agent, effect.incarnation, record);
      case "deliver":
        return deliver(agent, effect.parcel.id, record);
      case "run-gate":
        return runGate(world, agent, effect, record);
      case "wake-agent":
        await record((state, moment) => agentCooled(state, { id: agent.id }, moment));
        return;
      default:
        never(effect);
    }
  };

  async function stop(agent: Agent, incarnation: number, record: Record): Promise<void> {
    const exit = (await ports.sessions.list()).find((it) => it.agent_id === agent.id)?.exit;
    const tail = agent.stopping === "kill" ? await tailOf(ports.sessions, agent.id) : "";
    world.holds.release(agent.id);
    await ports.sessions.kill(agent.id);
    const seen = {
      type: "exited",
      incarnation,
      code: exit?.code ?? null,
      signal: exit?.signal ?? "SIGTERM",
      error: null,
      tail,
    } as const;
    await record((state, moment) => observe(state, { id: agent.id, seen }, moment));
  }
}
