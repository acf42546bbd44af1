/** Wires up everything about agents: their hooks, their terminals and their chores. */
import { agentClientOf } from "../../agents/known/clients.ts";
import type { Agent } from "../../core/model/agent-types.ts";
import type { AgentEffect } from "../../core/model/effects.ts";
import type { AgentId } from "../../core/model/ids.ts";
import type { Ports } from "../../ports.ts";
import type { Recorder } from "../engine/chores.ts";
import type { Engine } from "../engine/engine.ts";
import { startReleasers } from "../engine/releasers.ts";
import type { Policies } from "../runbooks/policies.ts";
import type { Marks } from "../secrets/marks.ts";
import { agentMarks } from "../secrets/marks.ts";
import type { Tokens } from "../secrets/tokens.ts";
import { agentTokens } from "../secrets/tokens.ts";
import { agentPerformer } from "./chores/performer.ts";
import type { AgentWorld } from "./chores/world.ts";
import { identityOf } from "./chores/world.ts";
import { startLaunches } from "./conversation/launches.ts";
import type { Hooks } from "./hooks/hooks.ts";
import { startHooks } from "./hooks/hooks.ts";
import type { OpenHooks } from "./hooks/open-hooks.ts";
import { startOpenHooks } from "./hooks/open-hooks.ts";
import { startPrimer } from "./hooks/primer.ts";
import { startReports } from "./hooks/reports.ts";
import { startTurns } from "./hooks/turns.ts";
import { watchForeignKeys } from "./terminal/foreign-keys.ts";
import { startTypist } from "./terminal/typist.ts";
import { catchingUp } from "./watch/catch-up.ts";
import type { Finding } from "./watch/finding.ts";
import { startFinding } from "./watch/finding.ts";
import type { LastLines } from "./watch/last-lines.ts";
import { startLastLines } from "./watch/last-lines.ts";
import type { LookAgain } from "./watch/look-again.ts";
import { startLookAgain } from "./watch/look-again.ts";
import { openDialogs } from "./watch/open-dialogs.ts";
import type { Quiet } from "./watch/quiet.ts";
import { startQuiet } from "./watch/quiet.ts";
import { startStandIn } from "./watch/stand-in.ts";
import { startAgentWatch } from "./watch/watch.ts";

export interface Agents {
  hooks: Hooks;
  openHooks: OpenHooks;
  tokens: Tokens;
  marks: Marks;
  perform(effect: AgentEffect, record: Recorder): Promise<void>;
  /** What a delivery in progress is waiting for. */
  doing(parcel_id: string): string | null;
  /** Loads the tokens of all agents. Called before any agent can report. */
  prepare(): Promise<void>;
  /** Finds the agents that an earlier daemon left running. */
  finding: Pick<Finding, "find" | "trouble">;
  quiet: Pick<Quiet, "begin" | "silentMs">;
  lastLines: Pick<LastLines, "of">;
  /**
   * For an agent whose reports may not arrive: reads what it has been told so far. Called before something ends its
   * work.
   */
  catchUpWith(id: AgentId): Promise<void>;
  stop(): Promise<void>;
}

export function startAgents(
  engine: Engine,
  ports: Ports,
  {
    hungAfterMs,
    policies,
    ...place
  }: Pick<AgentWorld, "dir" | "stateDir" | "env" | "hookUrl"> & { hungAfterMs: number; policies?: Policies },
): Agents {
  const openHooks = startOpenHooks();
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
    agentClientOf,
    proven: (id) => standIn.leave(id),
    silent: (agent) => watch.look(agent.id),
  });
  const quiet = startQuiet(engine, ports, { hooks: () => hooks, hungAfterMs });
  const came: typeof reports.came = (agent, isStart) => {
    quiet.heard(agent.id);
    return reports.came(agent, isStart);
  };
  const lost: LookAgain["lost"] = (id, error) => lookAgain.lost(id, error);
  const hooks = startHooks(engine, ports, openHooks, primer, turns, agentClientOf, came, policies, lost);
  const standIn = startStandIn(engine, ports, {
    hooks,
    turns,
    launches,
    agentClientOf,
    evident: reports.evident,
    isOpen: reports.isOpen,
    told: (id) => watch.soon(id),
  });
  const readFile = async (agent: Agent) => {
    if (!reports.isOpen(agent.id)) return false;
    await standIn.follow(agent);
    return true;
  };
  const catchUp = catchingUp(engine, ports, { hooks, turns, typist, agentClientOf, readFile });
  const dialogs = openDialogs(engine, ports, { hooks, openHooks, agentClientOf });
  const watch = startAgentWatch(engine, ports, {
    hooks,
    openHooks,
    openDialogs: dialogs,
    catchUp,
    reports,
    standIn,
    agentClientOf,
    lost,
  });
  const lookAgain = startLookAgain(engine, ports, { openHooks, look: watch.look, ended: watch.ended });
  const releasers = startReleasers(ports.clock);
  releasers.add("the stand-in", standIn.stop);
  releasers.add("the reports", reports.stop);
  releasers.add("foreign keys", watchForeignKeys(engine, ports));
  releasers.add("the watch", watch.stop);
  releasers.add("the looks that are repeated", lookAgain.stop);
  releasers.add("the quiet", quiet.stop);
  const lastLines = startLastLines(ports);
  releasers.add("the last lines", lastLines.stop);
  releasers.add("the hooks", hooks.stop);
  const finding = startFinding(engine, ports, { hooks, look: watch.look, agentClientOf });
  releasers.add("the finding", finding.stop);
  const { perform, doing } = agentPerformer({
    engine,
    ports,
    openHooks,
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
    async heard(agent_id, text, still) {
      await hooks.saw(agent_id, { type: "submitted", text }, still);
    },
    found: watch.look,
    reports,
    launches,
    agentClientOf,
    ...place,
  });
  return {
    hooks,
    openHooks,
    tokens,
    marks,
    perform,
    doing,
    async prepare() {
      await tokens.load(await engine.read((state) => [...state.agents.keys()]));
    },
    finding,
    quiet,
    lastLines,
    async catchUpWith(id) {
      const agent = await engine.read((state) => state.agents.get(id) ?? null);
      // the agent's signal counts even if this fails
      if (agent && agentClientOf(agent).hooks.length > 0) await readFile(agent).catch(() => {});
    },
    stop: releasers.release,
  };
}
