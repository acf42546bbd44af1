/**
 * Calls that wait until an agent's terminal has been silent for a moment. Something on the screen may blink for ever, so a call
 * may also say how long it waits at most.
 */
import type { AgentId } from "../../../core/model/ids.ts";
import type { Clock, Journal } from "../../../ports.ts";

export interface WhenQuiet {
  /** Replaces a call that is waiting. The longest wait counts from the first of those that were replaced. */
  arm(id: AgentId, wait: Wait, call: (isSilent: boolean) => Promise<void>): void;
  disarm(id: AgentId): void;
  stop(): void;
}

export interface Wait {
  silentMs: number;
  longestMs?: number;
}

interface Waiting {
  /** On the monotonic clock. */
  since: number;
  cancel(): void;
}

export function startWhenQuiet(
  { clock, journal }: { clock: Clock; journal: Journal },
  /** Called when a call failed. */
  failed: (id: AgentId, error: unknown) => void,
): WhenQuiet {
  const waiting = new Map<AgentId, Waiting>();

  function disarm(id: AgentId): void {
    waiting.get(id)?.cancel();
    waiting.delete(id);
  }

  return {
    arm(id, { silentMs, longestMs = Number.POSITIVE_INFINITY }, call) {
      const since = waiting.get(id)?.since ?? clock.monotonic();
      disarm(id);
      const waitMs = Math.min(silentMs, Math.max(0, since + longestMs - clock.monotonic()));
      const due = () => {
        waiting.delete(id);
        void call(waitMs === silentMs).catch((error: Error) => {
          journal.warn("could not look at a silent agent", { error: error.message });
          failed(id, error);
        });
      };
      waiting.set(id, { since, cancel: clock.after(waitMs, due) });
    },
    disarm,
    stop() {
      for (const id of [...waiting.keys()]) disarm(id);
    },
  };
}
