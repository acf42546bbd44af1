/**
 * Notices when a dialog with an open hook is answered in the terminal. The client reports that only after its tool has
 * run, which may take an hour. The screen shows it at once: a dialog that was there and has given way to work was
 * answered.
 */
import type { AgentClient } from "../../../agents/client.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { OpenHooks } from "../hooks/open-hooks.ts";
import { isAlive } from "../terminal/alive.ts";
import { isUnanswered } from "../terminal/dialog-end.ts";

export interface OpenDialogs {
  /** The agent printed something. */
  printed(agent: Agent): void;
  forget(id: AgentId): void;
  stop(): void;
}

/** A working client prints all the time; we look at most this often. */
const LOOK_EVERY_MS = 1000;
/** Between two frames, a screen may show something that isn't true. */
const STEADY_MS = 400;

export function openDialogs(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: { hooks: Hooks; openHooks: OpenHooks; agentClientOf: (agent: Agent) => AgentClient },
): OpenDialogs {
  const { terminals, clock, journal } = ports;
  const { hooks, openHooks, agentClientOf } = parts;
  const timers = new Map<AgentId, () => void>();
  /** The dialogs that have been on the screen. One that hasn't been is drawn late, or never. */
  const seen = new Map<AgentId, string>();

  // a dialog may be drawn before it is recorded, and then prints nothing more until it is answered
  const unwatch = engine.watch((events) => {
    for (const it of events) if (it.type === "agent:prompted") shown(it.id, it.prompt.key);
  });

  function shown(id: AgentId, key: string): void {
    if (!timers.has(id)) after(LOOK_EVERY_MS, id, () => look(id, key, 1));
  }

  function after(ms: number, id: AgentId, call: () => Promise<void>): void {
    const failed = (error: Error) => journal.warn("could not look at a dialog", { error: error.message });
    const due = () => {
      timers.delete(id);
      call().catch(failed);
    };
    timers.set(id, clock.after(ms, due));
  }

  async function look(id: AgentId, key: string, time: 1 | 2): Promise<void> {
    const agent = await engine.read((state) => state.agents.get(id) ?? null);
    if (agent?.prompt?.key !== key) return;
    const client = agentClientOf(agent);
    if (!openHooks.has(id, key) && !client.hidesDialogs) return; // a hidden dialog is drawn once its hook is closed
    const screen = await terminals.screen(id);
    const { state } = client.look(screen);
    if (state === "dialog" && client.shows(agent.prompt, screen)) seen.set(id, key);
    if (state !== "working" || seen.get(id) !== key || !(await isAlive(terminals, id))) return;
    if (time === 1) return after(STEADY_MS, id, () => look(id, key, 2));
    await hooks.saw(id, { type: "answered", key }, isUnanswered(key));
  }

  return {
    printed({ id, prompt }) {
      if (prompt) shown(id, prompt.key);
    },
    forget(id) {
      timers.get(id)?.();
      timers.delete(id);
      seen.delete(id);
    },
    stop() {
      unwatch();
      for (const disarm of timers.values()) disarm();
      timers.clear();
    },
  };
}
