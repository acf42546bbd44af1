/** Keeps hook responses open while a person decides: one for each dialog that an agent shows. */
import type { AgentId } from "../../../core/model/ids.ts";

export interface HookAnswer {
  /** The response to send. */
  body: object;
  /** The name of the call that it allows, if that is not the one that was asked about: a person changed it. */
  call: string | null;
}

export interface OpenHooks {
  /** Waits until `answer` or `release`; resolves with what to send, or null for "no opinion". */
  wait(agent_id: AgentId, key: string, abort: AbortSignal): Promise<HookAnswer | null>;
  has(agent_id: AgentId, key: string): boolean;
  /** Answers an open dialog. False if nobody waits for it (any more). */
  answer(agent_id: AgentId, key: string, answer: HookAnswer): boolean;
  /**
   * Ends the wait with "no opinion" for a dialog that was settled in another way, or, without `key`, for all of the
   * agent's.
   */
  release(agent_id: AgentId, key?: string): void;
}

export function startOpenHooks(): OpenHooks {
  const open = new Map<string, (answer: HookAnswer | null) => void>();
  const at = (agent_id: AgentId, key: string) => `${agent_id} ${key}`;

  return {
    wait(agent_id, key, abort) {
      const name = at(agent_id, key);
      open.get(name)?.(null); // asked again: the older connection has nothing left to wait for
      return new Promise((resolve) => {
        const end = (answer: HookAnswer | null) => {
          if (open.get(name) === end) open.delete(name);
          abort.removeEventListener("abort", gone);
          resolve(answer);
        };
        const gone = () => end(null);
        open.set(name, end);
        abort.addEventListener("abort", gone, { once: true });
        if (abort.aborted) gone();
      });
    },
    has: (agent_id, key) => open.has(at(agent_id, key)),
    answer(agent_id, key, answer) {
      const end = open.get(at(agent_id, key));
      end?.(answer);
      return end !== undefined;
    },
    release(agent_id, key) {
      if (key !== undefined) open.get(at(agent_id, key))?.(null);
      else for (const [name, end] of [...open]) if (name.startsWith(`${agent_id} `)) end(null);
    },
  };
}
