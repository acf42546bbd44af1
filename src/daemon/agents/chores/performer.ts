/** Does the chores of agents: start, stop, deliver, gate, wake. One short case each and no policy. */
import { agentCooled, observe } from "../../../core/agent/agent.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { AgentEffect } from "../../../core/model/effects.ts";
import { never } from "../../../core/model/errors.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { isDue } from "../../../core/outbox/agent-life.ts";
import type { Recorder } from "../../engine/chores.ts";
import { lastMessageOf } from "../conversation/last-message.ts";
import { tailOf } from "../terminal/tail.ts";
import type { Delivery } from "./delivery.ts";
import { agentDelivery } from "./delivery.ts";
import { runGate } from "./gate.ts";
import { agentStarter } from "./starting.ts";
import type { AgentWorld } from "./world.ts";

export interface AgentPerformer {
  perform(effect: AgentEffect, record: Recorder): Promise<void>;
  doing: Delivery["doing"];
}

export function agentPerformer(world: AgentWorld): AgentPerformer {
  const { engine, ports } = world;
  const start = agentStarter(world);
  const { deliver, looked, doing } = agentDelivery(world);

  /**
   * Starts and stops of one agent run in order. If an agent were stopped while it starts, its terminal might appear
   * afterwards and stay.
   */
  const queues = new Map<AgentId, Promise<void>>();
  function inOrder(id: AgentId, work: () => Promise<void>): Promise<void> {
    const done = (queues.get(id) ?? Promise.resolve()).then(work);
    const over = done.catch(() => undefined);
    queues.set(id, over);
    void over.then(() => queues.get(id) === over && queues.delete(id));
    return done;
  }

  const gates = runningGates();

  async function perform(effect: AgentEffect, record: Recorder): Promise<void> {
    const agentNow = () => engine.read((state) => state.agents.get(effect.agent_id) ?? null);
    if (effect.type === "start-agent" || effect.type === "stop-agent")
      return inOrder(effect.agent_id, async () => {
        const agent = await agentNow();
        if (agent?.incarnation !== effect.incarnation) return;
        if (effect.type === "stop-agent" && agent.stopping) return stop(agent, effect.incarnation, record);
        if (effect.type === "start-agent" && !agent.stopping && isDue(agent)) return start(agent, record);
      });
    if (effect.type === "deliver") await looked(effect.parcel.id);
    const agent = await agentNow();
    if (!agent) return;
    switch (effect.type) {
      case "deliver":
        return deliver(agent, effect.parcel.id, record);
      case "run-gate":
        return gates.during(agent.id, runGate(world, agent, effect, record));
      case "wake-agent":
        await record((state, moment) => agentCooled(state, { id: agent.id }, moment));
        return;
      default:
        never(effect);
    }
  }

  async function stop(agent: Agent, incarnation: number, record: Recorder): Promise<void> {
    const exit = (await ports.terminals.list()).find((it) => it.agent_id === agent.id)?.exit;
    const isAsked = agent.stopping === "kill";
    const tail = isAsked ? await tailOf(ports, agent.id) : "";
    const last_message = isAsked ? await lastMessageOf(ports, agent, world.agentClientOf(agent), null) : "";
    world.openHooks.release(agent.id);
    if (agent.stopping === "end") await gates.over(agent.id); // it may be at work in the folder that goes next
    await ports.terminals.kill(agent.id);
    const seen = {
      type: "exited",
      incarnation,
      code: exit?.code ?? null,
      signal: exit?.signal ?? "SIGTERM",
      error: null,
      tail,
      last_message,
    } as const;
    await record((state, moment) => observe(state, { id: agent.id, seen }, moment));
  }

  return { perform, doing };
}

/** The gates that run, by their agents. */
function runningGates() {
  const running = new Map<AgentId, Promise<void>>();
  return {
    during(id: AgentId, gate: Promise<void>): Promise<void> {
      const over = gate.catch(() => undefined).finally(() => running.get(id) === over && running.delete(id));
      running.set(id, over);
      return gate;
    },
    over: async (id: AgentId) => running.get(id),
  };
}
