/**
 * Whether an agent's client reports at all. Settings of a person or a company can switch hooks off, and the client says nothing about it.
 * So something must prove that they come: the client is up, and has said so (by the hook of its start, which needs no HTTP); words were said to it or a tool
 * has run, and it has said so (all other hooks). What is due and does not come is stated, and taken back when it comes after all.
 */
import type { AgentClient } from "../../../agents/client.ts";
import type { HookDoor } from "../../../agents/client-settings.ts";
import type { Agent, Silence } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Hooks } from "./hooks.ts";

export interface Reports {
  /** Its client is about to be started, and may report before we know that it was; what its settings allow. */
  starting(id: AgentId, door: HookDoor): void;
  /** It was started; what closed the better door. Where no hook is left, that is stated at once. */
  started(id: AgentId, by: string | null): Promise<void>;
  /** A report came: of the start of a session, which any kind of hooks can make, or another. */
  came(agent: Agent, isStart: boolean): Promise<void>;
  /** Something was seen that has to be reported. */
  evident(id: AgentId): void;
  /** A client of this line reported its start and nothing over HTTP: the next one is to report by commands. */
  refusesHttp(run: string): boolean;
  /** It is not known that its reports come. */
  isOpen(id: AgentId): boolean;
  /** No hook will bring it anything: that was stated, or it shows a dialog and nothing was ever reported. */
  isUnheard(agent: Agent): boolean;
  /** Its terminal printed something. */
  printed(id: AgentId): void;
  forget(id: AgentId): void;
  stop(): void;
}

/** After the start: a client is up within two seconds, where it has a core to itself. */
const FIRST_LOOK_MS = 1800;
const NEXT_LOOK_MS = 1500;
const LOOKS = 3;
/** A report that is due comes within milliseconds; on a machine that is short of breath this is said too early, and taken back. */
const LATE_MS = 2500;

interface Known {
  door: HookDoor;
  /** This daemon started it, so that the report of its start was not missed. */
  isFresh: boolean;
  hasStarted: boolean;
  isProven: boolean;
  up_at: number | null;
  evident_at: number | null;
  looks: number;
  disarm: (() => void) | null;
}

export function startReports(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: {
    hooks: () => Hooks;
    agentClientOf: (agent: Agent) => AgentClient;
    /** It is known now that its reports come. */
    proven: (id: AgentId) => void;
    /** It is known that they don't. */
    silent: (agent: Agent) => Promise<void>;
  },
): Reports {
  const { terminals, clock, journal } = ports;
  const agents = new Map<AgentId, Known>();
  /** Lines of clients that something which we can't see keeps from reporting over HTTP. */
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
      check(id).catch((error: Error) =>
        journal.warn("could not check whether an agent reports", { agent_id: id, error: error.message }),
      );
    });
  }

  function forget(id: AgentId): void {
    agents.get(id)?.disarm?.();
    agents.delete(id);
  }

  async function check(id: AgentId): Promise<void> {
    const agent = await agentNow(id);
    const it = known(id);
    if (!agent?.spawned || agent.stopping || it.isProven) return; // one that is being started is looked at once it was
    const now = clock.monotonic();
    if (it.evident_at !== null) {
      const left = LATE_MS - (now - it.evident_at);
      if (left > 0) return arm(id, left);
      return state(id, { off: it.hasStarted ? "http" : "all", by: null });
    }
    if (it.isFresh && !it.hasStarted && agent.silent?.off !== "all") await checkUp(agent, it, now);
  }

  /** A client that shows where one writes is past all that it asks as it starts. */
  async function checkUp(agent: Agent, it: Known, now: number): Promise<void> {
    const look = parts.agentClientOf(agent).look(await terminals.screen(agent.id));
    if (look.state !== "idle" && look.state !== "working") {
      it.looks += 1;
      if (it.looks < LOOKS) arm(agent.id, NEXT_LOOK_MS); // later, whatever it prints is a reason to look
      return;
    }
    it.up_at ??= now;
    const left = LATE_MS - (now - it.up_at);
    if (left > 0) return arm(agent.id, left);
    await state(agent.id, { off: "all", by: null });
  }

  async function state(id: AgentId, silence: Silence): Promise<void> {
    const agent = await agentNow(id);
    if (!agent || (agent.silent && (agent.silent.off === silence.off || !known(id).isFresh))) return;
    if (silence.off === "http") refusing.add(agent.def.run);
    journal.warn("an agent's reports don't arrive", { agent_id: agent.id, ...silence });
    await parts.hooks().saw(agent.id, { type: "unheard", ...silence });
    await parts.silent(agent);
  }

  return {
    starting(id, door) {
      forget(id);
      Object.assign(known(id), { door, isFresh: true });
      if (door !== "none") arm(id, FIRST_LOOK_MS);
    },
    async started(id, by) {
      if (known(id).door !== "none") return arm(id, NEXT_LOOK_MS);
      await state(id, { off: "all", by });
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
      if (agent.silent && (isProof || agent.silent.off === "all"))
        await parts.hooks().saw(agent.id, { type: "reports" });
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
