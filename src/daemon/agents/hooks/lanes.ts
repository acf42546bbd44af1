/**
 * A lane for each agent through the hooks' door, so that one that floods keeps nobody waiting but itself. Who is too fast waits for
 * its turn: a client that waits for each response, as all do, is slowed and never refused. Only too many at once are.
 */
import { Refusal } from "../../../core/model/errors.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Clock } from "../../../ports.ts";

export interface Lanes {
  /** Does the work when it is this report's turn. Refuses when too many of the agent's are open, or the caller goes away first. */
  pass<T>(agent_id: AgentId, bytes: number, abort: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Reports that an agent may have open: those that wait for their turn, and those that are open for a person. */
const MOST_OPEN = 128;
/** An agent at work makes some tens a second. Large reports count for several: what they cost is their reading. */
const PER_SECOND = 100;
const AT_ONCE = 200;
const BYTES_EACH = 32 * 1024;
/** Lanes kept of agents that report nothing just now. */
const MOST_LANES = 1000;

interface Lane {
  /** How much may pass now; fills with time. */
  left: number;
  at: number;
  open: number;
  waiting: { cost: number; go(): void }[];
  disarm(): void;
}

export function startLanes(clock: Clock): Lanes {
  const lanes = new Map<AgentId, Lane>();

  function laneOf(id: AgentId): Lane {
    let lane = lanes.get(id);
    if (!lane) {
      if (lanes.size >= MOST_LANES) for (const [key, { open }] of lanes) if (open === 0) lanes.delete(key);
      lane = { left: AT_ONCE, at: clock.monotonic(), open: 0, waiting: [], disarm: () => {} };
      lanes.set(id, lane);
    }
    return lane;
  }

  function fill(lane: Lane): void {
    const now = clock.monotonic();
    lane.left = Math.min(AT_ONCE, lane.left + ((now - lane.at) * PER_SECOND) / 1000);
    lane.at = now;
  }

  /** Lets pass what may, in order, and comes back when the next one may. */
  function advance(lane: Lane): void {
    fill(lane);
    lane.disarm();
    lane.disarm = () => {};
    for (let next = lane.waiting[0]; next; next = lane.waiting[0]) {
      if (next.cost > lane.left) {
        lane.disarm = clock.after(Math.ceil(((next.cost - lane.left) * 1000) / PER_SECOND), () =>
          advance(lane),
        );
        return;
      }
      lane.left -= next.cost;
      lane.waiting.shift();
      next.go();
    }
  }

  function admission(lane: Lane, cost: number, abort: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = () => {
        lane.waiting = lane.waiting.filter((it) => it !== own);
        reject(new Refusal("timeout", "the caller went away before its turn", null));
        advance(lane);
      };
      const own = {
        cost,
        go() {
          abort.removeEventListener("abort", gone);
          resolve();
        },
      };
      abort.addEventListener("abort", gone, { once: true });
      lane.waiting.push(own);
      if (abort.aborted) gone();
      else if (lane.waiting.length === 1) advance(lane);
    });
  }

  return {
    async pass(agent_id, bytes, abort, work) {
      const lane = laneOf(agent_id);
      if (lane.open >= MOST_OPEN)
        throw new Refusal(
          "request.too-many",
          `${agent_id} has ${MOST_OPEN} reports open`,
          "wait for a response before you report more",
        );
      const cost = Math.min(AT_ONCE, 1 + Math.floor(bytes / BYTES_EACH));
      lane.open += 1;
      try {
        fill(lane);
        if (lane.waiting.length === 0 && cost <= lane.left) lane.left -= cost;
        else await admission(lane, cost, abort);
        return await work();
      } finally {
        lane.open -= 1;
      }
    },
  };
}
