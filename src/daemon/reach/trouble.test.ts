import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { escalation, MINUTE } from "../../../test/fakes/escalated.ts";
import { bySlack, reachWorld, slackAndMail, toAna } from "../../../test/fakes/reach.ts";
import { giveEscalation } from "../../core/reach/escalation.ts";
import { ChannelError } from "./channel.ts";

describe("a channel in trouble", () => {
  it("is tried again within 5 seconds, and nobody is told twice", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.loseNextResponse();
    const id = await world.ask("bot");
    assert.equal((await world.view(id)).notices[0]?.error, "the connection broke");
    await world.pass(5000);
    assert.equal(services.slack.messages().length, 1);
    assert.deepEqual((await world.view(id)).notices[0]?.state, "sent");
  });

  it("is left alone for as long as it asked, while others go on", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: toAna, services });
    services.slack.trouble = () => new ChannelError("429", { retryAfterMs: 30_000 });
    await world.ask("one");
    services.slack.trouble = null;
    await world.ask("two");
    assert.equal(services.slack.calls(), 1);
    assert.equal(services.mail.messages().length, 2);
    await world.pass(29_000);
    assert.equal(services.slack.calls(), 1);
    await world.pass(1500);
    assert.equal(services.slack.messages().length, 2);
  });

  it("is replaced by the person's next one when it refuses for good", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.trouble = () => new ChannelError("token revoked", { isFinal: true });
    const id = await world.ask("bot");
    assert.equal(services.mail.messages().length, 1);
    const { notices, not_notified } = await world.view(id);
    assert.deepEqual(
      notices.map((it) => [it.channel, it.state, it.error]),
      [
        ["slack", "failed", "token revoked"],
        ["mail", "sent", null],
      ],
    );
    assert.equal(not_notified, null);
  });

  it("is replaced for each level and reminder anew, once for each", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.trouble = () => new ChannelError("down", { isFinal: true });
    const levels = [{ notify: ["ana"], via: ["slack"], remind_ms: 5 * MINUTE, next_ms: 15 * MINUTE }];
    const id = await world.ask("bot");
    await world.engine.run((state) =>
      giveEscalation(state, { id, escalation: escalation({ levels, repeat: 1 }) }),
    );
    await world.settle();
    const came = [services.mail.messages().length];
    for (const minutes of [5, 10, 5]) {
      for (let n = 0; n < minutes; n++) await world.pass(MINUTE);
      came.push(services.mail.messages().length);
    }
    // asked and the first level at once, then the reminder, the second round and its reminder
    assert.deepEqual(came, [2, 3, 4, 5]);
  });

  it("is replaced after a minute without success, and tried on", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.trouble = () => new ChannelError("no route to host");
    const id = await world.ask("bot");
    for (let s = 0; s < 70; s++) await world.pass(1000);
    assert.equal(services.mail.messages().length, 1);
    services.slack.trouble = null;
    for (let s = 0; s < 31; s++) await world.pass(1000);
    assert.equal(services.slack.messages().length, 1);
    assert.equal((await world.view(id)).notices.length, 2);
    assert.ok(world.ports.log.committed().length < 12, "what is not new is not recorded");
  });

  it("leaves a decision that says why nobody knows of it", async () => {
    const services = slackAndMail();
    for (const it of Object.values(services)) it.trouble = () => new ChannelError("down", { isFinal: true });
    const world = await reachWorld({ config: bySlack, services });
    const { not_notified } = await world.view(await world.ask("bot"));
    assert.equal(not_notified, "ana: there is no other channel; slack: down; mail: down");
  });

  it("announces nothing that was answered meanwhile", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.trouble = () => new ChannelError("down");
    const id = await world.ask("bot");
    await world.answer(id);
    services.slack.trouble = null;
    for (let s = 0; s < 60; s++) await world.pass(1000);
    assert.deepEqual(services.slack.messages(), []);
    assert.equal((await world.view(id)).notices[0]?.state, "failed");
  });

  it("sends nothing that was answered while the channel was left alone", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.trouble = () => new ChannelError("429", { retryAfterMs: 30_000 });
    const first = await world.ask("one");
    services.slack.trouble = null;
    await world.answer(await world.ask("two"));
    await world.pass(31_000);
    assert.deepEqual(
      services.slack.messages().map((it) => it.decision),
      [first],
    );
  });
});

describe("a message that may have arrived", () => {
  const isOver = (text: string) => text.includes("[resolved] by cara");

  it("is followed by what became of it, if it was settled before anybody knew", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.loseNextResponse();
    const id = await world.ask("bot");
    await world.answer(id);
    await world.pass(5000);
    assert.deepEqual(
      services.slack.messages().map((it) => isOver(it.text)),
      [true],
    );
    assert.equal((await world.view(id)).notices[0]?.state, "sent");
    assert.ok(await world.isReplayable());
  });

  it("is one whose daemon died before it could say so", async () => {
    const services = slackAndMail();
    services.slack.trouble = () => new ChannelError("down");
    const { ports, ask, stop } = await reachWorld({ config: bySlack, services });
    const id = await ask("bot");
    await stop();
    const world = await reachWorld({ config: bySlack, services, ports });
    await world.answer(id);
    services.slack.trouble = null;
    for (let s = 0; s < 30; s++) await world.pass(1000);
    assert.deepEqual(
      services.slack.messages().map((it) => isOver(it.text)),
      [true],
    );
    assert.ok(await world.isReplayable());
  });

  it("in a digest: those that were settled are told of one by one, the others are in the next digest", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    for (let n = 0; n < 5; n++) await world.ask(`early${n}`);
    const [settled, open] = [await world.ask("one"), await world.ask("two")];
    services.slack.loseNextResponse();
    await world.pass(15_000);
    await world.answer(settled);
    await world.pass(5000);
    const about = (id: string) => services.slack.messages().filter((it) => it.all.includes(id));
    assert.ok(about(settled).some((it) => it.all.length === 1 && isOver(it.text)));
    assert.ok(about(open).some((it) => it.isOpen));
  });
});
