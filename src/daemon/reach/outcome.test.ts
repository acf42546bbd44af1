import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { bySlack, people, reachOf, reachWorld, slackAndMail, toAna } from "../../../test/fakes/reach.ts";
import { cancelDecision } from "../../core/decision/decision.ts";
import { ChannelError } from "./channel.ts";

const told = ({ mail }: ReturnType<typeof slackAndMail>) =>
  mail.messages().map(({ to, reason, text }) => [to, reason, text]);

describe("a person who asks", () => {
  it("hears by mail what became of it, once, and may not answer by it", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    const id = await world.askAs("ben");
    assert.deepEqual(told(services), []);
    assert.deepEqual(
      (await world.view(id)).notices.map((it) => it.to),
      ["ana"],
    );
    assert.equal((await services.mail.answer(id, "ben", 1)).type, "refused");
    await world.answer(id, "ana");
    await world.pass(60_000);
    assert.deepEqual(told(services), [["ben@example.com", "outcome", "ben's question? [resolved] by ana"]]);
    assert.equal((await world.view(id)).notices.length, 2);
    assert.ok(await world.isReplayable());
  });

  it("hears of it from the next daemon, if the first could not say so", async () => {
    const services = slackAndMail();
    const first = await reachWorld({ config: bySlack, services });
    const id = await first.askAs("ben");
    services.mail.trouble = () => new ChannelError("451");
    await first.answer(id, "ana");
    await first.stop();
    services.mail.trouble = null;
    const next = await reachWorld({ config: bySlack, services, ports: first.ports });
    await next.pass(5000);
    assert.equal(told(services).length, 1);
    await next.stop();
    const third = await reachWorld({ config: bySlack, services, ports: first.ports });
    await third.pass(60_000);
    assert.equal(services.mail.calls(), 2);
  });

  it("is not told what they did themself, nor what they hear anyway", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    await world.answer(await world.askAs("ben"), "ben");
    const withdrawn = await world.askAs("ben");
    await world.engine.run((state, moment) =>
      cancelDecision(state, { id: withdrawn, by: "ben", reason: null }, moment),
    );
    await world.settle();
    assert.deepEqual(told(services), []);
    world.setConfig(toAna);
    const id = await world.askAs("ana");
    await world.answer(id, "cara");
    assert.deepEqual(
      services.mail.messages().map((it) => it.reason),
      ["asked"],
    );
  });

  it("does not hide that nobody was notified", async () => {
    const world = await reachWorld({ config: reachOf(people), services: slackAndMail() });
    const { notices, not_notified } = await world.view(await world.askAs("ben"));
    assert.deepEqual([notices, not_notified], [[], "nobody: no route matches"]);
  });
});

describe("an agent or a script that asks under a person's name", () => {
  it("gets the answer itself, and no mail goes out", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    await world.answer(await world.ask("ben"), "ana");
    assert.deepEqual(told(services), []);
  });
});
