/**
 * Gives each agent its own lane through the hooks' door, so that an agent that floods us delays nobody but itself. An
 * agent that is too fast waits for its turn: a client that waits for each response, as all do, is slowed down and never
 * refused. Reports are refused only if too many are open at once.
 */
import { Refusal } from "../../../core/model/errors.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Clock } from "../../../ports.ts";

export interface Lanes {
  /**
   * Does the work when it is this report's turn. Refuses if the agent has too many reports open, or the caller goes
   * away first.
   */
  pass<T>(agent_id: AgentId, bytes: number, abort: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** How many reports an agent may have open, whether they wait for their turn or for a person. */
const MOST_OPEN = 128;
/**
 * A working agent sends a few dozen reports a second. Large reports count as several, because reading them is what
 * costs.
 */
const PER_SECOND = 100;
const AT_ONCE = 200;
const BYTES_EACH = 32 * 1024;
/** With this many lanes, those of agents that have no report open are dropped. */
const MOST_LANES = 1000;

interface Lane {
  /** How much may pass now; refills over time. */
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

  /** Lets reports pass in order as far as the limit allows, and sets a timer for the next one. */
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
