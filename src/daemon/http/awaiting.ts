/**
 * Waiting for a decision: a thousand callers may wait for one, and all get the outcome at the same moment, as the same
 * bytes.
 */
import type { ServerResponse } from "node:http";
import { acknowledge, deliver, undeliver } from "../../core/decision/decision.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { may } from "../../core/rights/rights.ts";
import { endAfter, refuseStopping } from "../engine/deadline.ts";
import type { Rule } from "../engine/engine.ts";
import type { Principal } from "./callers.ts";
import type { Service } from "./service.ts";

export interface Wait {
  id: DecisionId;
  caller: Principal;
  timeout_ms: number | null;
  /** Aborted when the caller goes away. */
  abort: AbortSignal;
  /** The response that will carry the outcome. */
  outgoing: ServerResponse | undefined;
}

/** Everyone who waits for one decision. They get the outcome together. */
interface Room {
  waiters: Set<Waiter>;
  /** Stops listening for the decision. */
  close(): void;
}

interface Waiter extends Pick<Wait, "caller" | "outgoing"> {
  answer(response: Response): void;
  refuse(error: unknown): void;
}

/** How long we remember that somebody received the outcome: the others who waited don't need to acknowledge it too. */
const REMEMBER_MS = 1000;

/** Responds once the decision is settled, in whatever way. */
export function startAwaiting(service: Service): (wait: Wait) => Promise<Response> {
  const { engine, hub, cache, ports, stopping } = service;
  const rooms = new Map<DecisionId, Room>();
  const delivering = new Map<DecisionId, Promise<unknown>>();
  const had = new Set<DecisionId>();

  stopping.addEventListener("abort", () => {
    for (const id of [...rooms.keys()]) for (const it of callOut(id)) it.refuse(refuseStopping());
  });

  function settled({ id, caller, outgoing, timeout_ms, abort }: Wait): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (stopping.aborted) return reject(refuseStopping());
      if (abort.aborted) return resolve(nobody());
      const waiter: Waiter = {
        caller,
        outgoing,
        answer(response) {
          disarm();
          resolve(response);
        },
        refuse(error) {
          disarm();
          reject(error);
        },
      };
      const went = () => {
        if (leave(id, waiter)) waiter.answer(nobody());
      };
      const late = async () => {
        await engine.run(() => []).catch(() => {}); // an answer may be on its way to disk: it comes before us
        await look(id);
        if (leave(id, waiter)) waiter.refuse(stillPending(id));
      };
      const stopTimer = endAfter(ports.clock, timeout_ms, () => void late());
      const disarm = () => {
        stopTimer();
        abort.removeEventListener("abort", went);
      };
      abort.addEventListener("abort", went, { once: true });
      enter(id, waiter);
      void look(id); // it may be settled already
    });
  }

  function enter(id: DecisionId, waiter: Waiter): void {
    const room = rooms.get(id) ?? openRoom(id);
    room.waiters.add(waiter);
    rooms.set(id, room);
  }

  /** What settles the decision records at once that it is on its way to those here: one commit less until they have it. */
  function openRoom(id: DecisionId): Room {
    const waiters = new Set<Waiter>();
    const leaveTurns = engine.join(id, (state, moment) => {
      const decision = glance(state.decisions.get(id));
      const isOnItsWay = decision && [...waiters].some((it) => isOwed(decision, it.caller));
      // an agent's own request is in its parcel, which has to be taken back if nobody is here any more
      return isOnItsWay && decision.agent_id === null && decision.state !== "pending"
        ? deliver(state, { id }, moment)
        : [];
    });
    const stopListening = hub.on(id, () => void look(id));
    return {
      waiters,
      close() {
        leaveTurns();
        stopListening();
      },
    };
  }

  /** False if the waiter was called out before. */
  function leave(id: DecisionId, waiter: Waiter): boolean {
    const room = rooms.get(id);
    if (!room?.waiters.delete(waiter)) return false;
    if (room.waiters.size === 0) callOut(id);
    return true;
  }

  /** Closes the room and returns everyone in it. */
  function callOut(id: DecisionId): Waiter[] {
    const room = rooms.get(id);
    room?.close();
    rooms.delete(id);
    return [...(room?.waiters ?? [])];
  }

  /** If the decision is settled, everyone in the room gets the outcome. */
  async function look(id: DecisionId): Promise<void> {
    const decision = await engine.read((state) => glance(state.decisions.get(id)));
    if (decision?.state === "pending") return;
    const waiters = callOut(id);
    if (waiters.length === 0) return;
    try {
      if (!decision) throw noSuch(id);
      await handOver(id, decision, waiters);
    } catch (error) {
      for (const it of waiters) it.refuse(error);
    }
  }

  /** Each waiter has the answer once its response is out: that is the receipt. */
  async function handOver(id: DecisionId, decision: Glance, waiters: readonly Waiter[]): Promise<void> {
    const owed = new Set(waiters.filter((it) => isOwed(decision, it.caller)));
    const isRecorded = decision.agent_id === null && decision.delivery === "delivered";
    if (owed.size > 0 && !isRecorded) await delivered(id);
    const bytes = await engine.read((state) => {
      const newest = state.decisions.get(id);
      return newest ? cache.bytes(newest) : null;
    });
    if (!bytes) throw noSuch(id);
    for (const waiter of waiters) {
      if (owed.has(waiter)) whenOut(id, waiter.outgoing);
      waiter.answer(
        new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": "application/json" } }),
      );
    }
  }

  /** Recorded once for everyone who gets it at the same moment. */
  function delivered(id: DecisionId): Promise<unknown> {
    const begun = delivering.get(id);
    if (begun !== undefined) return begun;
    const recorded = engine.run((state, moment) => deliver(state, { id }, moment));
    delivering.set(id, recorded);
    return recorded.finally(() => delivering.delete(id));
  }

  function whenOut(id: DecisionId, outgoing: ServerResponse | undefined): void {
    if (outgoing?.closed) return noteEnd(id, false); // the connection broke while the delivery was recorded
    outgoing?.once("close", () => noteEnd(id, outgoing.writableFinished));
  }

  function noteEnd(id: DecisionId, isHad: boolean): void {
    if (isHad && had.has(id)) return;
    if (isHad) {
      had.add(id);
      ports.clock.after(REMEMBER_MS, () => had.delete(id));
    }
    const rule: Rule = (state, moment) => (isHad ? acknowledge : undeliver)(state, { id }, moment);
    engine.run(rule).catch((error: Error) => {
      ports.journal.warn("could not record a receipt", { id, error: error.message });
    });
  }

  return settled;
}

type Glance = Pick<Decision, "state" | "source" | "agent_id" | "project"> & { delivery: string };

function glance(decision: Decision | undefined): Glance | null {
  if (!decision) return null;
  const { state, source, agent_id, project, delivery } = decision;
  return { state, source, agent_id, project, delivery: delivery.state };
}

/** The answer is owed to whoever asked. Others may wait for it too, and prove nothing. */
function isOwed(decision: Glance, caller: Principal): boolean {
  return decision.source === "request" && asks(decision, caller) && decision.delivery !== "acknowledged";
}

/** Whether this may be who asked. An agent's request is awaited by that agent; whoever may only read asks nothing. */
export function asks(
  { agent_id, project }: Pick<Decision, "agent_id" | "project">,
  caller: Principal,
): boolean {
  if (caller.kind === "agent") return caller.agent_id === agent_id;
  return agent_id === null && may(caller.rights, "ask", project);
}

function nobody(): Response {
  return new Response(null, { status: 499 });
}

function stillPending(id: DecisionId): Refusal {
  return new Refusal("timeout", `${id} is still pending`, `oj decision await ${id}`);
}

function noSuch(id: DecisionId): Refusal {
  return new Refusal("decision.not-found", `there is no decision ${id}`, "oj decision list");
}
