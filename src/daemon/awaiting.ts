/** Waiting for a decision: a thousand may wait for one, and each has what came of it in the same moment, as the same bytes. */
import type { ServerResponse } from "node:http";
import { acknowledge, deliver, undeliver } from "../core/decision.ts";
import type { Decision } from "../core/decision-types.ts";
import { Refusal } from "../core/errors.ts";
import type { DecisionId } from "../core/ids.ts";
import { deadline } from "./deadline.ts";
import type { Rule } from "./engine.ts";
import type { Principal } from "./principal.ts";
import type { Service } from "./service.ts";

export interface Wait {
  id: DecisionId;
  caller: Principal;
  timeout_ms: number | null;
  /** Aborted when the caller went away. */
  abort: AbortSignal;
  /** The response that will carry it. */
  outgoing: ServerResponse | undefined;
}

/** How long it is remembered that somebody had it: those who waited with them need not say so too. */
const REMEMBER_MS = 1000;

/** Answers when the decision is settled, in whatever way. */
export function startAwaiting(service: Service): (wait: Wait) => Promise<Response> {
  const { engine, hub, cache, ports } = service;
  const delivering = new Map<DecisionId, Promise<unknown>>();
  const had = new Set<DecisionId>();

  async function settled({ id, caller, timeout_ms, abort, outgoing }: Wait): Promise<Response> {
    const until = deadline(ports.clock, timeout_ms, abort, service.stopping);
    try {
      for (;;) {
        const changed = hub.next([id], until.abort);
        const found = await engine.read((state) => look(state.decisions.get(id), caller));
        if (found.state !== "pending") return await handOver(id, found.isOwed, outgoing);
        if (until.passed()) throw new Refusal("timeout", `${id} is still pending`, `oj decision await ${id}`);
        if (abort.aborted) return new Response(null, { status: 499 });
        until.check();
        await changed;
      }
    } finally {
      until.disarm();
    }
  }

  /** Whoever waited has the answer once the response is out: that is the receipt. */
  async function handOver(
    id: DecisionId,
    isOwed: boolean,
    outgoing: ServerResponse | undefined,
  ): Promise<Response> {
    if (isOwed) {
      await delivered(id);
      outgoing?.once("close", () => noteEnd(id, outgoing.writableFinished));
    }
    const bytes = await engine.read((state) => {
      const decision = state.decisions.get(id);
      return decision ? cache.bytes(decision) : gone(id);
    });
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { "content-type": "application/json" },
    });
  }

  /** Recorded once for all who have it in the same moment. */
  function delivered(id: DecisionId): Promise<unknown> {
    const begun = delivering.get(id);
    if (begun !== undefined) return begun;
    const recorded = engine.run((state, moment) => deliver(state, { id }, moment));
    delivering.set(id, recorded);
    return recorded.finally(() => delivering.delete(id));
  }

  function noteEnd(id: DecisionId, isHad: boolean): void {
    if (isHad && had.has(id)) return;
    if (isHad) {
      had.add(id);
      ports.clock.after(REMEMBER_MS, () => had.delete(id));
    }
    const rule: Rule = (state, moment) => (isHad ? acknowledge : undeliver)(state, { id }, moment);
    engine.run(rule).catch((error: Error) => {
      ports.journal.warn("a receipt was not recorded", { id, error: error.message });
    });
  }

  function look(decision: Decision | undefined, caller: Principal) {
    if (!decision) return { state: "deleted", isOwed: false };
    const { agent_id, source, state, delivery } = decision;
    // what an agent asked is handed to it alone
    const isTheirs = agent_id === null || (caller.kind === "agent" && caller.agent_id === agent_id);
    return { state, isOwed: source === "request" && isTheirs && delivery.state !== "acknowledged" };
  }

  return settled;
}

function gone(id: DecisionId): never {
  throw new Refusal("decision.not-found", `there is no decision ${id}`, "oj decision list");
}
