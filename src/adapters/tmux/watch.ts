/** Tells watchers what happens to terminals: what they print, and each exit once. */
import type { AgentId } from "../../core/model/ids.ts";
import type { Journal, TerminalWatcher } from "../../ports.ts";
import { endTree } from "../processes/tree.ts";
import type { TerminalOutput } from "./output.ts";
import type { Ended, Pane, Panes } from "./panes.ts";

export interface TerminalWatch {
  add(watcher: TerminalWatcher): () => void;
  onLook(panes: Panes, ended: readonly Ended[]): void;
  keyed(agent_id: AgentId, times: number): void;
  /** Returns when a program of this agent that lost its terminal is gone, and its exit was reported. */
  lost(agent_id: AgentId): Promise<void>;
  close(): Promise<void>;
}

export function terminalWatch(input: {
  output: TerminalOutput;
  killAfterMs: number;
  journal: Journal;
}): TerminalWatch {
  const { output, journal } = input;
  const watchers = new Set<TerminalWatcher>();
  const printing = new Map<AgentId, () => void>();
  const losses = new Map<AgentId, Promise<void>>();
  const attached = new Set<AgentId>();

  function tell(call: (watcher: TerminalWatcher) => void): void {
    for (const watcher of watchers) {
      try {
        call(watcher);
      } catch (error) {
        journal.error("a watcher of terminals failed", { error: (error as Error).stack });
      }
    }
  }

  function follow(panes: Panes): void {
    for (const [agent_id, stop] of printing) {
      if (panes.get(agent_id)?.exit === null) continue;
      printing.delete(agent_id);
      stop();
    }
    for (const { agent_id, exit } of panes.values()) {
      if (exit !== null || printing.has(agent_id)) continue;
      const printed = () => tell((it) => it.printed(agent_id));
      printing.set(agent_id, output.watch(agent_id, printed));
    }
  }

  function greet(panes: Panes): void {
    for (const id of attached) if (!panes.get(id)?.attached) attached.delete(id);
    for (const { agent_id, attached: people } of panes.values()) {
      if (people === 0 || attached.has(agent_id)) continue;
      attached.add(agent_id);
      tell((it) => it.attached?.(agent_id));
    }
  }

  /** Somebody killed its terminal, or the whole server. A program that lives on without one is of no use to anybody. */
  async function lose({ agent_id, pid }: Pane): Promise<void> {
    await endTree(pid, { graceMs: input.killAfterMs, ended: false }).catch((error) =>
      journal.warn("could not end an agent without a terminal", { agent_id, pid, error: error.message }),
    );
    losses.delete(agent_id);
    tell((it) => it.exited(agent_id, { code: null, signal: null }));
  }

  return {
    add(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    onLook(panes, ended) {
      follow(panes);
      greet(panes);
      for (const { was, exit } of ended) {
        if (exit) tell((it) => it.exited(was.agent_id, exit));
        else losses.set(was.agent_id, lose(was));
      }
    },
    keyed(agent_id, times) {
      tell((it) => it.keyed?.(agent_id, times));
    },
    async lost(agent_id) {
      await losses.get(agent_id);
    },
    async close() {
      watchers.clear();
      for (const stop of printing.values()) stop();
      printing.clear();
      await Promise.all(losses.values());
    },
  };
}
