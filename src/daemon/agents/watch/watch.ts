/** Watches the terminals: which agents have exited, have fallen silent, or show a declared prompt. */
import type { AgentClient } from "../../../agents/client.ts";
import { clients } from "../../../agents/known/clients.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports, TerminalExit } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { OpenHooks } from "../hooks/open-hooks.ts";
import type { Reports } from "../hooks/reports.ts";
import { asItStands } from "../terminal/dialog-end.ts";
import type { CatchUp } from "./catch-up.ts";
import { isPassing } from "./look-again.ts";
import type { OpenDialogs } from "./open-dialogs.ts";
import type { StandIn } from "./stand-in.ts";
import { startWhenQuiet } from "./when-quiet.ts";

export interface AgentWatch {
  /** Reads the agent's screen in place of hooks that did not arrive. */
  look(id: AgentId): Promise<void>;
  /** Something about the agent was learned elsewhere. Once its terminal is silent, its screen may say more. */
  soon(id: AgentId): void;
  /** The agent's program has ended. `error`: why nothing is known of how. */
  ended(agent: Agent, exit: TerminalExit, error: string | null): Promise<void>;
  stop(): void;
}

const IDLE_AFTER_MS = 10_000;
/** We look for a prompt once a program has been silent for a moment, or has been printing for long. */
const LOOK_AFTER_MS = 400;
/**
 * A working client moves something on its screen all the time. One that is silent this long may be waiting for
 * somebody.
 */
const SILENT_MS = 1000;
/** A dialog may have something that blinks next to it. Where nothing else tells us of it, we look at least this often. */
const LONGEST_MS = 3000;
const STEADY_MS = 400;

export function startAgentWatch(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: {
    hooks: Hooks;
    openHooks: OpenHooks;
    openDialogs: OpenDialogs;
    catchUp: CatchUp;
    reports: Pick<Reports, "isOpen" | "printed" | "forget">;
    standIn: Pick<StandIn, "printed" | "ended" | "leave">;
    agentClientOf: (agent: Agent) => AgentClient;
    /** Called when something of an agent could not be seen. */
    lost?: (id: AgentId, error: unknown) => void;
  },
): AgentWatch {
  const { terminals, clock, journal } = ports;
  const { hooks, openHooks, openDialogs, catchUp, reports, standIn, agentClientOf, lost = () => {} } = parts;
  const hasHooks = (agent: Agent) => agentClientOf(agent).hooks.length > 0;
  /** Agents that we are looking at now: the keys we press there make them print. */
  const looked = new Set<AgentId>();
  const whenQuiet = startWhenQuiet(ports, lost);
  let stopped = false;
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);
  const forgive = (what: string, id?: AgentId) => (error: Error) => {
    journal.warn(what, { error: error.message });
    if (id) lost(id, error);
  };

  const unwatch = terminals.watch({
    exited: (id, exit) => void exited(id, exit).catch(forgive("could not record an exit", id)),
    printed: (id) => void printed(id).catch(forgive("could not look at output", id)),
    attached: (id) => void attached(id).catch(forgive("could not show a dialog")),
  });

  const unwatchFacts = engine.watch((events) => {
    for (const it of events) {
      if (it.type === "agent:spawned") void spawned(it.id).catch(forgive("could not look at output", it.id));
      if (it.type === "agent:exited") {
        reports.forget(it.id);
        standIn.leave(it.id);
      }
      // a dead program's terminal is kept while somebody may want to see it, and keeps tmux running
      if (it.type === "agent:ended") void terminals.kill(it.id).catch(forgive("could not close a terminal"));
    }
  });

  /** Output that came before the start was recorded led to nothing, and the program may print nothing more. */
  async function spawned(id: AgentId): Promise<void> {
    const agent = await agentNow(id);
    if (agent && !hasHooks(agent)) await printed(id);
  }

  async function exited(id: AgentId, exit: TerminalExit): Promise<void> {
    whenQuiet.disarm(id);
    openDialogs.forget(id);
    const agent = await agentNow(id);
    if (agent) await ended(agent, exit, null);
  }

  async function ended(agent: Agent, exit: TerminalExit, error: string | null): Promise<void> {
    const { id, incarnation, stopping } = agent; // `agent` changes while we work
    if (hasHooks(agent) && reports.isOpen(id))
      await standIn.ended(agent).catch((error: Error) => {
        if (isPassing(error)) throw error; // the file's end counts before the program's
        forgive("could not read the end of a conversation")(error);
      });
    if (stopping) return; // whoever stops it reports its end
    await hooks.saw(id, { type: "exited", incarnation, ...exit, error });
  }

  /** Whoever attaches must be able to answer: the client draws its dialog when nobody else is asked any more. */
  async function attached(id: AgentId): Promise<void> {
    const agent = await agentNow(id);
    if (agent && agentClientOf(agent).hidesDialogs) openHooks.release(id);
  }

  async function printed(id: AgentId): Promise<void> {
    const agent = await agentNow(id);
    if (!agent || agent.status === "ended") return;
    if (hasHooks(agent)) {
      const isUp = agent.status === "starting"; // it prints, but its start is not recorded yet
      if (isUp || isUnclear(agent)) soon(id);
      openDialogs.printed(agent);
      if (!reports.isOpen(id)) return;
      reports.printed(id);
      standIn.printed(id);
      return;
    }
    const still = asItStands(agent);
    if (agent.status === "idle" || (agent.status === "prompting" && !(await isStillAsking(agent))))
      await hooks.saw(id, { type: "submitted", text: "" }, still);
    const wait = { silentMs: LOOK_AFTER_MS, longestMs: LONGEST_MS };
    whenQuiet.arm(id, wait, () => lookForPrompt(id));
  }

  /** A program may draw its prompt again and again. */
  async function isStillAsking(agent: Agent): Promise<boolean> {
    const { id, prompt } = agent;
    return prompt !== null && agentClientOf(agent).shows(prompt, await terminals.screen(id));
  }

  async function lookForPrompt(id: AgentId): Promise<void> {
    const agent = await agentNow(id);
    if (agent?.status !== "working") return;
    const still = asItStands(agent);
    const screen = await terminals.screen(id);
    const prompt = agentClientOf(agent).declared(agent, screen);
    if (prompt) return hooks.saw(id, { type: "prompted", prompt }, still);
    const silentMs = Math.max(0, (agent.def.idle_after_ms ?? IDLE_AFTER_MS) - LOOK_AFTER_MS);
    whenQuiet.arm(id, { silentMs }, () => hooks.saw(id, { type: "stopped", last_message: "" }));
  }

  /**
   * What we know about the agent comes from hooks alone, and some things no hook reports: a question before the first
   * hook, an Esc.
   */
  function isUnclear({ id, spawned, stopping, status, prompt, outbox, ...agent }: Agent): boolean {
    if (!spawned || stopping || clients.endsWithTurn(agent.kind, agent.def.run)) return false;
    if (status !== "prompting" || !prompt)
      return status === "working" || (agent.silent != null && (status === "idle" || status === "errored"));
    return (
      !openHooks.has(id, prompt.key) &&
      !outbox.some((it) => it.prompt_key === prompt.key && it.state === "owed")
    );
  }

  async function lookIfUnclear(id: AgentId): Promise<void> {
    const agent = await agentNow(id);
    if (agent && isUnclear(agent)) await look(id);
  }

  function soon(id: AgentId): void {
    const wait = reports.isOpen(id)
      ? { silentMs: SILENT_MS, longestMs: LONGEST_MS }
      : { silentMs: SILENT_MS };
    whenQuiet.arm(id, wait, (isSilent) => (isSilent ? lookIfUnclear(id) : lookIfAsking(id)));
  }

  /** The screen moves on: only a dialog counts, and only if it stays. Between two frames, a screen may show anything. */
  async function lookIfAsking(id: AgentId): Promise<void> {
    soon(id); // it may fall silent right now
    const dialog = await dialogOf(id);
    if (dialog === null) return;
    await new Promise<void>((resolve) => clock.after(STEADY_MS, resolve));
    if (!stopped && dialog === (await dialogOf(id))) await lookIfUnclear(id);
  }

  async function dialogOf(id: AgentId): Promise<string | null> {
    const agent = await agentNow(id);
    const look = agent && agentClientOf(agent).look(await terminals.screen(id));
    return look?.state === "dialog" ? look.text : null;
  }

  /** A prompt that is no longer there was answered; one that we didn't know about is new. */
  async function lookForNews(agent: Agent): Promise<void> {
    const { id, status, prompt } = agent;
    const client = agentClientOf(agent);
    const screen = await terminals.screen(id);
    const isNews = prompt ? !client.shows(prompt, screen) : client.declared(agent, screen) !== null;
    if (status === "working" || isNews) await printed(id);
  }

  async function look(id: AgentId): Promise<void> {
    const agent = await agentNow(id);
    if (!agent) return;
    if (looked.has(id)) return soon(id); // the look in progress may be of an older screen
    if (!hasHooks(agent)) return lookForNews(agent);
    looked.add(id);
    try {
      await catchUp(agent);
    } catch (error) {
      lost(id, error);
      throw error;
    } finally {
      looked.delete(id);
    }
  }

  return {
    look,
    soon,
    ended,
    stop() {
      stopped = true;
      unwatch();
      unwatchFacts();
      openDialogs.stop();
      whenQuiet.stop();
    },
  };
}
