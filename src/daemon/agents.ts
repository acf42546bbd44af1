/** Everything about agents, put together: their hooks, their terminals, their chores. */
import { clientOf } from "../agents/known/clients.ts";
import type { Agent } from "../core/agent-types.ts";
import type { AgentEffect } from "../core/effects.ts";
import type { AgentId } from "../core/ids.ts";
import { agentPerformer } from "./agent-performer.ts";
import { startAgentWatch } from "./agent-watch.ts";
import type { AgentWorld } from "./agent-world.ts";
import { identityOf } from "./agent-world.ts";
import { catchingUp } from "./catch-up.ts";
import type { Record } from "./chores.ts";
import type { Engine } from "./engine.ts";
import type { Finding } from "./finding.ts";
import { startFinding } from "./finding.ts";
import { watchForeignKeys } from "./foreign-keys.ts";
import { heldDialogs } from "./held-dialogs.ts";
import type { Holds } from "./holds.ts";
import { startHolds } from "./holds.ts";
import type { Hooks } from "./hooks.ts";
import { startHooks } from "./hooks.ts";
import { startLaunches } from "./launches.ts";
import type { Marks } from "./marks.ts";
import { agentMarks } from "./marks.ts";
import type { Ports } from "./ports.ts";
import { startPrimer } from "./primer.ts";
import { startReleasers } from "./releasers.ts";
import { startReports } from "./reports.ts";
import { startStandIn } from "./stand-in.ts";
import type { Tokens } from "./tokens.ts";
import { agentTokens } from "./tokens.ts";
import { startTurns } from "./turns.ts";
import { startTypist } from "./typist.ts";

export interface Agents {
  hooks: Hooks;
  holds: Holds;
  tokens: Tokens;
  marks: Marks;
  perform(effect: AgentEffect, record: Record): Promise<void>;
  /** What a delivery that is under way waits for. */
  doing(parcel_id: string): string | null;
  /** Knows the tokens of all agents. Called before anybody can report. */
  prepare(): Promise<void>;
  /** Finds those again that an earlier daemon left. */
  finding: Pick<Finding, "find" | "trouble">;
  /** Reads what the agent has heard so far, where no report tells: before something ends its work. */
  catchUpWith(id: AgentId): Promise<void>;
  stop(): Promise<void>;
}

export function startAgents(
  engine: Engine,
  ports: Ports,
  place: Pick<AgentWorld, "dir" | "stateDir" | "env" | "hookUrl">,
): Agents {
  const holds = startHolds();
  const tokens = agentTokens(place.dir);
  const marks = agentMarks(place.dir);
  const own = { tokens, stateDir: place.stateDir };
  const primer = startPrimer(
    engine,
    ports,
    async (agent) => ({ ...place.env, ...(await identityOf(own, agent)) }),
    marks,
  );
  const turns = startTurns();
  const typist = startTypist(ports);
  const launches = startLaunches(place.dir);
  const reports = startReports(engine, ports, {
    hooks: () => hooks,
    clientOf,
    proven: (id) => standIn.leave(id),
    silent: (agent) => watch.look(agent.id),
  });
  const hooks = startHooks(engine, ports, holds, primer, turns, clientOf, reports.came);
  const standIn = startStandIn(engine, ports, {
    hooks,
    turns,
    launches,
    clientOf,
    evident: reports.evident,
    told: (id) => watch.soon(id),
  });
  const readFile = async (agent: Agent) => {
    if (!reports.isOpen(agent.id)) return false;
    await standIn.follow(agent);
    return true;
  };
  const catchUp = catchingUp(engine, ports, { hooks, turns, typist, clientOf, readFile });
  const held = heldDialogs(engine, ports, { hooks, holds, clientOf });
  const watch = startAgentWatch(engine, ports, {
    hooks,
    holds,
    heldDialogs: held,
    catchUp,
    reports,
    standIn,
    clientOf,
  });
  const releasers = startReleasers(ports.clock);
  releasers.add("the stand-in", standIn.stop);
  releasers.add("the reports", reports.stop);
  releasers.add("foreign keys", watchForeignKeys(engine, ports));
  releasers.add("the watch", watch.stop);
  releasers.add("the hooks", hooks.stop);
  const finding = startFinding(engine, ports, { hooks, look: watch.look, clientOf });
  releasers.add("the finding", finding.stop);
  const { perform, doing } = agentPerformer({
    engine,
    ports,
    holds,
    tokens,
    marks,
    primer,
    turns,
    typist,
    async settled(agent_id, key) {
      await hooks.saw(agent_id, { type: "answered", key });
      await watch.look(agent_id);
    },
    async missed(agent_id, key) {
      await hooks.saw(agent_id, { type: "missed", key });
      await watch.look(agent_id);
    },
    looked: finding.looked,
    async heard(agent_id, text) {
      await hooks.saw(agent_id, { type: "submitted", text });
    },
    reports,
    launches,
    clientOf,
    ...place,
  });
  return {
    hooks,
    holds,
    tokens,
    marks,
    perform,
    doing,
    async prepare() {
      await tokens.load(await engine.read((state) => [...state.agents.keys()]));
    },
    finding,
    async catchUpWith(id) {
      const agent = await engine.read((state) => state.agents.get(id) ?? null);
      if (agent && clientOf(agent).hooks.length > 0) await readFile(agent).catch(() => {}); // what it says counts all the same
    },
    stop: releasers.release,
  };
}
