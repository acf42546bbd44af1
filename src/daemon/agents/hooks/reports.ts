/**
 * Finds out whether an agent's client reports at all. A person's or a company's settings can switch hooks off, and the
 * client says nothing about it. So we wait for proof. Once the client is up, it must report its start (by a hook that
 * needs no HTTP). Once it was told something or a tool has run, it must report that (by all other hooks). If a report
 * is due and does not arrive, that is recorded, and taken back if the report arrives after all.
 */
import type { AgentClient } from "../../../agents/client.ts";
import type { HookDoor } from "../../../agents/client-settings.ts";
import type { Agent, Silence } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import { hasToHear } from "../terminal/told.ts";
import type { Hooks } from "./hooks.ts";

export interface Reports {
  /**
   * The agent's client is about to start, and may report before we know that it has started. `door` is what its
   * settings allow.
   */
  starting(id: AgentId, door: HookDoor): void;
  /** The client has started. `by` is what closed the better door. If no hook is left, that is recorded at once. */
  started(id: AgentId, by: string | null): Promise<void>;
  /** A report arrived. `isStart`: it reports the client's start, which any kind of hook can do. */
  came(agent: Agent, isStart: boolean): Promise<void>;
  /** We saw something that the client has to report. */
  evident(id: AgentId): void;
  /**
   * A client with this command line reported its start and nothing over HTTP, so the next one must report by commands.
   */
  refusesHttp(run: string): boolean;
  /** We don't know whether the agent's reports arrive. */
  isOpen(id: AgentId): boolean;
  /** No hook will bring the agent anything: that was recorded, or it shows a dialog and has never reported anything. */
  isUnheard(agent: Agent): boolean;
  /** The agent's terminal printed something. */
  printed(id: AgentId): void;
  forget(id: AgentId): void;
  stop(): void;
}

/** The first look after a start: a client that has a core to itself is up within two seconds. */
const FIRST_LOOK_MS = 1800;
const NEXT_LOOK_MS = 1500;
const LOOKS = 3;
/**
 * A report that is due arrives within milliseconds. On an overloaded machine we call it missing too early, and take
 * that back.
 */
const LATE_MS = 2500;

interface Known {
  door: HookDoor;
  /** This daemon started the client, so it did not miss the report of its start. */
  isFresh: boolean;
  hasStarted: boolean;
  isProven: boolean;
  up_at: number | null;
  evident_at: number | null;
  /** It is being recorded that these reports don't arrive. */
  stating: Silence["off"] | null;
  looks: number;
  disarm: (() => void) | null;
}

export function startReports(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: {
    hooks: () => Hooks;
    agentClientOf: (agent: Agent) => AgentClient;
    /** Called when we know that the agent's reports arrive. */
    proven: (id: AgentId) => void;
    /** Called when we know that they don't. */
    silent: (agent: Agent) => Promise<void>;
  },
): Reports {
  const { terminals, clock, journal } = ports;
  const agents = new Map<AgentId, Known>();
  /** Command lines of clients that something we can't see keeps from reporting over HTTP. */
  const refusing = new Set<string>();
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);

  function known(id: AgentId): Known {
    const found = agents.get(id);
    if (found) return found;
    const fresh: Known = {
      door: "http",
      isFresh: false,
      hasStarted: false,
      isProven: false,
      up_at: null,
      evident_at: null,
      stating: null,
      looks: 0,
      disarm: null,
    };
    agents.set(id, fresh);
    return fresh;
  }

  function arm(id: AgentId, ms: number): void {
    const it = known(id);
    if (it.disarm || it.isProven) return;
    it.disarm = clock.after(ms, () => {
      it.disarm = null;
      check(id).catch((error: Error) => {
        journal.warn("could not check whether an agent reports", { agent_id: id, error: error.message });
        if (agents.get(id) === it) arm(id, NEXT_LOOK_MS);
      });
    });
  }

  function forget(id: AgentId): void {
    agents.get(id)?.disarm?.();
    agents.delete(id);
  }

  async function check(id: AgentId): Promise<void> {
    const agent = await agentNow(id);
    const it = known(id);
    if (!agent?.spawned || agent.stopping || it.isProven) return; // a starting agent is checked once it is up
    const now = clock.monotonic();
    if (it.evident_at !== null) {
      const left = LATE_MS - (now - it.evident_at);
      if (left > 0) return arm(id, left);
      return state(id, it, { off: it.hasStarted ? "http" : "all", by: null }, () => !it.isProven);
    }
    if (it.isFresh && !it.hasStarted && agent.silent?.off !== "all" && isStartDue(agent))
      await checkUp(agent, it, now);
  }

  /** A client that was told nothing may have nothing to report. */
  function isStartDue(agent: Agent): boolean {
    return parts.agentClientOf(agent).reportsStart === "at once" || hasToHear(agent);
  }

  /** A client that shows its composer is past everything it asks at its start. */
  async function checkUp(agent: Agent, it: Known, now: number): Promise<void> {
    const look = parts.agentClientOf(agent).look(await terminals.screen(agent.id));
    if (look.state !== "idle" && look.state !== "working") {
      it.looks += 1;
      if (it.looks < LOOKS) arm(agent.id, NEXT_LOOK_MS); // after that, anything it prints makes us look
      return;
    }
    it.up_at ??= now;
    const left = LATE_MS - (now - it.up_at);
    if (left > 0) return arm(agent.id, left);
    await state(agent.id, it, { off: "all", by: null }, () => !it.hasStarted);
  }

  /** `isMissing`: a report may come while we look, and while this is being recorded. */
  async function state(id: AgentId, it: Known, silence: Silence, isMissing = () => true): Promise<void> {
    const agent = await agentNow(id);
    const isDue = () => agents.get(id) === it && isMissing();
    if (!agent || !isDue() || (agent.silent && (agent.silent.off === silence.off || !it.isFresh))) return;
    if (silence.off === "http") refusing.add(agent.def.run);
    journal.warn("an agent's reports don't arrive", { agent_id: agent.id, ...silence });
    it.stating = silence.off;
    try {
      await parts.hooks().saw(agent.id, { type: "unheard", ...silence }, isDue);
    } finally {
      it.stating = null;
    }
    if (isDue()) await parts.silent(agent);
  }

  return {
    starting(id, door) {
      forget(id);
      Object.assign(known(id), { door, isFresh: true });
      if (door !== "none") arm(id, FIRST_LOOK_MS);
    },
    async started(id, by) {
      if (known(id).door !== "none") return arm(id, NEXT_LOOK_MS);
      await state(id, known(id), { off: "all", by });
    },
    async came(agent, isStart) {
      const it = known(agent.id);
      it.hasStarted = true;
      const isProof = !isStart || it.door === "command";
      if (isProof && !it.isProven) {
        it.isProven = true;
        if (it.door === "http") refusing.delete(agent.def.run);
        it.disarm?.();
        it.disarm = null;
        parts.proven(agent.id);
      }
      const off = it.stating ?? agent.silent?.off;
      if (off && (isProof || off === "all")) await parts.hooks().saw(agent.id, { type: "reports" });
    },
    evident(id) {
      const it = known(id);
      it.evident_at ??= clock.monotonic();
      arm(id, LATE_MS);
    },
    refusesHttp: (run) => refusing.has(run),
    isOpen: (id) => !known(id).isProven,
    isUnheard({ id, silent }) {
      const { isFresh, isProven } = known(id);
      return silent != null || (isFresh && !isProven);
    },
    printed(id) {
      const it = known(id);
      if (it.isFresh && !it.hasStarted && it.evident_at === null) arm(id, NEXT_LOOK_MS);
    },
    forget,
    stop() {
      for (const id of [...agents.keys()]) forget(id);
    },
  };
}
