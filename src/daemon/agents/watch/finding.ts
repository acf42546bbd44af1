/**
 * When a daemon starts, finds the agents that an earlier daemon left: which are there, which are gone, and what they
 * may not have been told.
 */
import type { AgentClient } from "../../../agents/client.ts";
import type { Agent, Parcel } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { wordsLost } from "../../../core/outbox/delivery.ts";
import type { Ports, TerminalInfo } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import { keptBy } from "../conversation/kept.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { timesSaid } from "../terminal/said.ts";
import { isPassing } from "./look-again.ts";

/** A terminal server that is shutting down refuses calls. A moment later it is gone, and we can tell that it is. */
const SOON_MS = 500;
const SOON_TIMES = 5;
/** If tmux can't be used at all, somebody has to fix that. */
const LATER_MS = 1000;
const LATEST_MS = 5000;
/** Whoever starts the daemon waits at most this long. */
const PATIENCE_MS = 5000;

export interface Finding {
  /**
   * Called once, before anything is delivered. If the terminals can't be read, or that takes long, it returns and keeps
   * trying: nobody who doesn't need tmux should wait for it.
   */
  find(): Promise<void>;
  /** Returns once all agents have been looked for, even if that failed. */
  looked(): Promise<void>;
  /** Why the agents have not been found yet; null once they have. */
  trouble(): string | null;
  stop(): void;
}

export function startFinding(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: {
    hooks: Hooks;
    look: (id: AgentId) => Promise<void>;
    agentClientOf: (agent: Agent) => AgentClient;
  },
): Finding {
  const { terminals, clock, journal } = ports;
  const { hooks, look, agentClientOf } = parts;
  const agentsNow = () =>
    engine.read((state) => [...state.agents.values()].filter((it) => it.status !== "ended"));
  let trouble: string | null = null;
  let disarm = () => {};
  let stopped = false;
  /** The agents whose receipts could not be looked for; null before the first try. */
  let unrecalled: ReadonlySet<AgentId> | null = null;
  /** Nobody waits for us any more: what is owed is being delivered. */
  let isLate = false;

  let looking: Promise<void> = Promise.resolve();

  async function find(): Promise<void> {
    looking = lookForAll();
    let disarmLong = () => {};
    const long = new Promise<void>((resolve) => {
      disarmLong = clock.after(PATIENCE_MS, resolve);
    });
    await Promise.race([looking, long]);
    disarmLong();
  }

  async function lookForAll(): Promise<void> {
    const said = (await agentsNow()).flatMap(({ outbox }) => outbox.filter(isSent));
    const untold = new Set(said.map((it) => it.id));
    for (let left = SOON_TIMES; left > 0; left--) {
      if (await isDone(untold)) return;
      await new Promise<void>((resolve) => clock.after(SOON_MS, resolve));
    }
    isLate = true;
    later(untold, LATER_MS);
  }

  function later(untold: Set<string>, pauseMs: number): void {
    if (stopped) return;
    const again = async () => {
      if (!(await isDone(untold))) later(untold, Math.min(pauseMs * 2, LATEST_MS));
    };
    disarm = clock.after(pauseMs, () => void again());
  }

  async function isDone(untold: Set<string>): Promise<boolean> {
    try {
      await reconcile(untold);
      trouble = null;
      return true;
    } catch (error) {
      const { message } = error as Error;
      if (message !== trouble) journal.warn("the agents can't be seen", { error: message });
      trouble = message;
      return false;
    }
  }

  /** Compares the state with the terminals that exist. */
  async function reconcile(untold: Set<string>): Promise<void> {
    const agents = (await agentsNow()).filter((it) => unrecalled === null || unrecalled.has(it.id));
    const listed = await terminals.list().catch((error) => {
      if (agents.length > 0) throw error;
      return []; // without agents, tmux is not needed
    });
    const there = new Map(listed.map((it) => [it.agent_id, it]));
    const lost = new Map<AgentId, Error>();
    await Promise.all(
      agents.map((it) =>
        findOne(it, there.get(it.id), untold, (error) => lost.set(it.id, error)).catch((error: Error) =>
          journal.warn("could not look at an agent", { error: error.message }),
        ),
      ),
    );
    unrecalled = new Set(lost.keys());
    for (const error of lost.values()) throw error;
    const known = new Set((await agentsNow()).map((it) => it.id)); // some may have been started meanwhile
    for (const id of there.keys()) if (!known.has(id)) await terminals.kill(id); // its job was deleted meanwhile
  }

  async function findOne(
    agent: Agent,
    terminal: TerminalInfo | undefined,
    untold: Set<string>,
    lost: (error: Error) => void,
  ): Promise<void> {
    const { id, incarnation, spawned, stopping } = agent;
    if (!spawned) return;
    if (terminal?.alive) {
      await recall(agent, untold).catch((error: Error) => {
        if (isPassing(error)) lost(error);
        throw error;
      });
      return look(id); // if that can't be had, or recorded, it is repeated (look-again.ts)
    }
    if (stopping) return; // whoever stops it reports its end
    const exit = terminal?.exit ?? { code: null, signal: null };
    const error = terminal ? null : "its terminal is gone";
    await hooks.saw(id, { type: "exited", incarnation, ...exit, error });
  }

  /**
   * Checks what an earlier daemon sent and whose receipt was lost. Of words, the terminal shows whether they were said.
   * A response may not have left the daemon, and if its dialog may still be open, it is not called delivered any longer.
   */
  async function recall(agent: Agent, untold: Set<string>): Promise<void> {
    const client = agentClientOf(agent);
    const { incarnation } = agent;
    const lost = (parcel_id: string) =>
      engine.run((state, moment) => wordsLost(state, { id: agent.id, incarnation, parcel_id }, moment));
    for (const { id, reply, text, shown, state } of [...agent.outbox]) {
      if (!untold.has(id) || (isLate && unrecalled && state === "owed")) continue; // delivery checks what this daemon sends
      if (reply !== null && state === "delivered" && (await isStillOpen(agent, client))) await lost(id);
      if (reply !== null || shown === undefined) {
        untold.delete(id);
        continue;
      }
      const isOwed = (now: Agent) => now.incarnation === incarnation && now.outbox.some((it) => it.id === id); // a report may have come by now
      if ((await timesSaid(terminals, client, agent.id, text)) > shown)
        await hooks.saw(agent.id, { type: "submitted", text }, isOwed);
      else await lost(id);
      untold.delete(id);
    }
  }

  /** Its dialog is on the screen, or another one that may hide it, and its call is not over. */
  async function isStillOpen(agent: Agent, client: AgentClient): Promise<boolean> {
    const { id, prompt } = agent;
    if (!prompt || client.look(await terminals.screen(id)).state !== "dialog") return false;
    return !(await keptBy(agent, client)).ended.some((it) => it.key === prompt.key);
  }

  return {
    find,
    looked: () => looking,
    trouble: () => trouble,
    stop() {
      stopped = true;
      disarm();
    },
  };
}

/** Words that were typed, or an answer that went out. */
function isSent({ reply, state, shown }: Parcel): boolean {
  return shown !== undefined || (reply !== null && state === "delivered");
}
