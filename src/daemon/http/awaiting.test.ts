import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { hookedAgent } from "../../../test/fakes/hooked-agent.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { Event } from "../../core/model/events.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { requestDecision } from "../../core/request/request.ts";
import { startHub } from "../engine/hub.ts";
import { viewCache } from "../views/view-cache.ts";
import { decisionView } from "../views/views.ts";
import type { Wait } from "./awaiting.ts";
import { startAwaiting } from "./awaiting.ts";
import type { AgentCaller, Principal } from "./callers.ts";
import type { Service } from "./service.ts";

const ana: Principal = {
  ...{ kind: "person", name: "ana", who: "ana", session: null, step: null },
  ...{ rights: null, trust: null, login: null },
};

async function setup() {
  const { engine, id: agent_id, clock, ports } = await hookedAgent();
  const hub = startHub(engine);
  let listening = 0;
  const counted = {
    ...hub,
    on(id: string, call: () => void) {
      const off = hub.on(id, call);
      listening += 1;
      return () => {
        listening -= 1;
        off();
      };
    },
  };
  const stop = new AbortController();
  const service = { engine, hub: counted, cache: viewCache(engine, decisionView), ports };
  const awaiting = startAwaiting({ ...service, stopping: stop.signal } as unknown as Service);
  const events: Event[] = [];
  const turns: Event["type"][][] = [];
  engine.watch((all) => {
    events.push(...all);
    turns.push(all.map((it) => it.type));
  });

  async function ask(requester = asker("bot")): Promise<DecisionId> {
    const all = await engine.run((state, moment) =>
      requestDecision(state, requestInput({ requester }), moment),
    );
    return (all.find((it) => it.type === "decision:created") as { id: DecisionId }).id;
  }

  const answer = (id: DecisionId) =>
    engine.run((state, moment) =>
      resolveDecision(
        state,
        { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" },
        moment,
      ),
    );

  function wait(id: DecisionId, more: Partial<Wait> = {}) {
    const outgoing = Object.assign(new EventEmitter(), { closed: false, writableFinished: true });
    const abort = new AbortController();
    const carrier = outgoing as unknown as ServerResponse;
    const response = awaiting({
      id,
      caller: ana,
      timeout_ms: null,
      abort: abort.signal,
      outgoing: carrier,
      ...more,
    });
    response.catch(() => undefined); // whoever awaits the response gets the error
    return { response, outgoing, abort };
  }

  const agent: AgentCaller = {
    kind: "agent",
    agent_id,
    name: "c",
    project: "p",
    root: "/",
    owner_id: "crew-1",
  };
  const types = () => events.map((it) => it.type);
  return { engine, clock, stop, ask, answer, wait, types, turns, agent, listening: () => listening };
}

/** Resolves once everything that was begun is done, except for what waits. */
const calm = (engine: { read(look: () => null): Promise<null> }) =>
  engine.read(() => null).then(() => new Promise<void>((done) => setImmediate(done)));

describe("callers waiting for one decision", () => {
  it("get the same bytes; it is delivered once, and acknowledged once", async () => {
    const { engine, ask, answer, wait, types, listening } = await setup();
    const id = await ask();
    const waiters = Array.from({ length: 50 }, () => wait(id));
    await calm(engine);
    assert.equal(listening(), 1, "one of them listens for all");
    await answer(id);
    const texts = await Promise.all(waiters.map(async (it) => (await it.response).text()));
    assert.equal(new Set(texts).size, 1);
    assert.equal(JSON.parse(texts[0] ?? "").delivery.state, "delivered");
    for (const { outgoing } of waiters) outgoing.emit("close");
    await calm(engine);
    assert.deepEqual(
      types().filter((it) => it.startsWith("decision:")),
      ["decision:created", "decision:resolved", "decision:delivered", "decision:acknowledged"],
    );
    assert.equal(listening(), 0);
  });

  it("are on record with the answer itself, in one commit; who came too late or left has no part in it", async () => {
    const { engine, ask, answer, wait, turns } = await setup();
    const commits = async (id: DecisionId) => {
      turns.length = 0;
      await answer(id);
      await calm(engine);
      return turns.map((it) => it.filter((type) => type.startsWith("decision:")));
    };
    const waited = await ask();
    const { response, outgoing } = wait(waited);
    await calm(engine);
    assert.deepEqual(await commits(waited), [["decision:resolved", "decision:delivered"]]);
    assert.equal(JSON.parse(await (await response).text()).delivery.attempts, 1);
    outgoing.emit("close");
    await calm(engine);
    assert.deepEqual(turns.at(-1), ["decision:acknowledged"]);

    const left = await ask();
    const gone = wait(left);
    await calm(engine);
    gone.abort.abort();
    await gone.response;
    assert.deepEqual(await commits(left), [["decision:resolved"]]);
    const late = wait(left);
    assert.equal(JSON.parse(await (await late.response).text()).delivery.state, "delivered");
    assert.deepEqual(turns.at(-1), ["decision:delivered"]);
  });

  it("prove nothing if they may only read or answer: the answer is still owed to whoever asked", async () => {
    const { engine, ask, answer, wait, types } = await setup();
    const id = await ask();
    const roles = [{ role: "approver", project: "" }] as const;
    const reader: Principal = {
      ...ana,
      name: "ben",
      who: "ben",
      rights: { roles, scopes: ["read", "answer"] },
    };
    const other = wait(id, { caller: reader });
    await calm(engine);
    await answer(id);
    assert.equal(JSON.parse(await (await other.response).text()).state, "resolved");
    other.outgoing.emit("close");
    await calm(engine);
    assert.ok(!types().includes("decision:delivered") && !types().includes("decision:acknowledged"));
    const own = wait(id);
    await own.response;
    own.outgoing.emit("close");
    await calm(engine);
    assert.deepEqual(types().slice(-2), ["decision:delivered", "decision:acknowledged"]);
  });

  it("may leave, by timeout or by hanging up, and the others keep waiting", async () => {
    const { engine, clock, ask, answer, wait, listening } = await setup();
    const id = await ask();
    const [early, late, gone] = [wait(id, { timeout_ms: 100 }), wait(id, { timeout_ms: 200 }), wait(id)];
    await calm(engine);
    clock.pass(99);
    gone.abort.abort();
    assert.equal((await gone.response).status, 499);
    clock.pass(1);
    await assert.rejects(early.response, { code: "timeout" });
    assert.equal(listening(), 1);
    await answer(id);
    assert.equal((await late.response).status, 200);
    clock.pass(1000);
    const again = wait(id);
    assert.equal((await again.response).status, 200, "what is settled is told at once");
    assert.equal(listening(), 0);
  });

  it("get an answer that was on its way to disk when their time was up", async () => {
    const { engine, clock, ask, answer, wait } = await setup();
    const id = await ask();
    const waiter = wait(id, { timeout_ms: 100 });
    await calm(engine);
    const answered = answer(id);
    clock.pass(100);
    assert.equal((await waiter.response).status, 200);
    await answered;
  });

  it("are told when the daemon stops, and nobody comes in afterwards", async () => {
    const { engine, stop, ask, wait, listening } = await setup();
    const id = await ask();
    const waiter = wait(id);
    await calm(engine);
    stop.abort();
    await assert.rejects(waiter.response, { code: "daemon.stopping" });
    await assert.rejects(wait(id).response, { code: "daemon.stopping" });
    assert.equal(listening(), 0);
  });

  it("leave an agent's answer in doubt if its connection broke before the answer was out", async () => {
    const { engine, ask, answer, wait, types, agent } = await setup();
    const id = await ask(asker("c", { agent_id: agent.agent_id }));
    const person = wait(id);
    const own = wait(id, { caller: agent });
    await calm(engine);
    own.outgoing.closed = true;
    await answer(id);
    await Promise.all([own.response, person.response]);
    person.outgoing.emit("close");
    await calm(engine);
    assert.ok(types().includes("agent:unsure"), types().join(" "));
    assert.ok(!types().includes("decision:acknowledged"), "a person who looked on is not the agent");
  });
});
