/** Requests that nobody waits for yet: who hears of them, how loudly, and what happens once they are promoted. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { escalated, escalation, HOUR } from "../../../test/fakes/escalated.ts";
import { people, reachOf, reachWorld, slackAndMail, toAna } from "../../../test/fakes/reach.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { Urgency } from "../../core/model/runbook.ts";
import { promoteAwaited } from "../../core/request/promote.ts";
import { requestDecision } from "../../core/request/request.ts";

type World = Awaited<ReturnType<typeof reachWorld>>;

async function askAside(world: World, urgency: Urgency = "medium"): Promise<DecisionId> {
  const given = { requester: asker("bot"), prompt: "Which logo?", urgency, wait: false, meanwhile: "tests" };
  const [created] = await world.engine.run((state, moment) =>
    requestDecision(state, requestInput(given), moment),
  );
  await world.settle();
  return (created as { id: DecisionId }).id;
}

async function promote(world: World, id: DecisionId): Promise<void> {
  await world.engine.run((state) => promoteAwaited(state, { id }));
  await world.settle();
}

const reasons = async (world: World, id: DecisionId) =>
  (await world.decision(id)).reach?.notices.map((it) => [it.channel, it.reason, it.shows]);

describe("a request that nobody waits for yet", () => {
  it("is told once, then shown as promoted and told again, once, across a restart", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: toAna, services });
    const id = await askAside(world);
    assert.deepEqual(await reasons(world, id), [
      ["slack", "asked", "pending aside"],
      ["mail", "asked", "pending aside"],
    ]);
    await promote(world, id);
    const [slack, mail, ...again] = (await reasons(world, id)) ?? [];
    assert.deepEqual(
      [slack, mail],
      [
        ["slack", "asked", "pending"],
        ["mail", "asked", "pending"],
      ],
    );
    assert.deepEqual(again, [
      ["slack", "promoted", "pending"],
      ["mail", "promoted", "pending"],
    ]);
    const { ports } = world;
    await world.stop();
    const next = await reachWorld({ config: toAna, services, ports });
    assert.equal((await reasons(next, id))?.length, 4);
    assert.ok(await next.isReplayable());
    await next.stop();
  });

  it("is told again by the next daemon if the first one died right after it was promoted", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: toAna, services });
    const id = await askAside(world);
    const { ports } = world;
    await world.reach.stop();
    await world.chores.stop(); // nobody does what follows from the next fact
    await world.engine.run((state) => promoteAwaited(state, { id }));
    await world.engine.stop();
    const next = await reachWorld({ config: toAna, services, ports });
    await next.settle();
    assert.equal((await reasons(next, id))?.filter(([, reason]) => reason === "promoted").length, 2);
    await next.stop();
  });

  it("waits for a digest outside of somebody's hours, however urgent, until it is promoted", async () => {
    const services = slackAndMail();
    const off = { slack: "U1", mail: "ana@example.com", hours: "mon-sun 00:00-00:01 UTC", digest: "08:30" };
    const config = reachOf({
      person: { ana: off },
      channel: people.channel,
      route: [{ notify: ["ana"], via: ["slack"] }],
    });
    const world = await reachWorld({ config, services });
    world.ports.clock.jump(Date.parse("2026-11-17T12:00Z") - world.ports.clock.now());
    const id = await askAside(world, "high");
    assert.deepEqual(await reasons(world, id), [["slack", "digest", null]]);
    await promote(world, id);
    assert.deepEqual((await reasons(world, id))?.at(-1), ["slack", "promoted", "pending"]);
    await world.stop();
  });
});

describe("the escalation of a request that nobody waits for yet", () => {
  it("tells the first level only, and begins when it is promoted", async () => {
    const it = await escalated();
    const input = { requester: asker("bot"), wait: false, meanwhile: null };
    const levels = {
      overdue: { escalation: "prod", deadline_ms: null, default: null },
      runbook: { ...requestInput().runbook, escalations: [escalation()] },
    };
    const [created] = await it.run((state, moment) =>
      requestDecision(state, requestInput({ ...input, ...levels }), moment),
    );
    const { id } = created as { id: DecisionId };
    await it.pass(HOUR);
    const told = () => it.told.map((one) => `${one.reason} ${one.names.join()}`);
    assert.deepEqual(told(), ["level ana"]);
    await it.restart();
    await it.pass(HOUR);
    assert.deepEqual(told(), ["level ana"]);
    await it.run((state) => promoteAwaited(state, { id }));
    await it.pass(HOUR);
    assert.deepEqual(told(), ["level ana", "level ana", "reminder ana", "level ben"]);
    await it.stop();
  });

  it("does not keep its deadline from passing", async () => {
    const it = await escalated();
    const overdue = { escalation: null, deadline_ms: HOUR, default: "1" };
    const input = requestInput({ requester: asker("bot"), wait: false, overdue });
    const [created] = await it.run((state, moment) => requestDecision(state, input, moment));
    const { id } = created as { id: DecisionId };
    await it.pass(2 * HOUR);
    const expired = it.events().find((one) => one.type === "decision:expired" && one.id === id);
    assert.ok(expired);
    await it.stop();
  });
});
