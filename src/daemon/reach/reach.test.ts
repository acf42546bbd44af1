import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeService } from "../../../test/fakes/fake-channel.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { ANA, BEN, reachOf, reachWorld } from "../../../test/fakes/reach.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { ChannelError } from "./channel.ts";

const both = () => ({ slack: fakeService("slack"), mail: fakeService("mail") });
const CHANNELS = { slack: {}, mail: {} };
const people = { person: { ana: ANA, ben: BEN }, channel: CHANNELS };
const toAna = reachOf({ ...people, route: [{ notify: ["ana"], via: ["slack", "mail"] }] });
const bySlack = reachOf({ ...people, route: [{ notify: ["ana"], via: ["slack"] }] });

describe("a new decision", () => {
  it("is on every channel of its route at once, and says whom it told", async () => {
    const services = both();
    const world = await reachWorld({ config: toAna, services });
    const id = await world.ask("bot");
    for (const service of Object.values(services))
      assert.deepEqual(
        service.messages().map((it) => [it.decision, it.text]),
        [[id, "bot's question? [pending]"]],
      );
    const { notices, not_notified } = await world.view(id);
    assert.deepEqual(
      notices.map((it) => [it.channel, it.to, it.state, it.error]),
      [
        ["slack", "ana", "sent", null],
        ["mail", "ana", "sent", null],
      ],
    );
    assert.equal(not_notified, null);
    assert.ok(await world.isReplayable());
  });

  it("leaves no trace where nothing is configured", async () => {
    const world = await reachWorld({ config: reachOf({}), services: {} });
    const id = await world.ask("bot");
    assert.equal((await world.decision(id)).reach, undefined);
    assert.equal(world.ports.log.committed().length, 1);
  });

  it("says why nobody was notified if no route matches", async () => {
    const world = await reachWorld({ config: reachOf(people), services: both() });
    const { notices, not_notified } = await world.view(await world.ask("bot"));
    assert.deepEqual(notices, []);
    assert.equal(not_notified, "nobody: no route matches");
  });

  it("is one message in a room, which names everybody it is for", async () => {
    const slack = fakeService("slack", { room: "C1" });
    const config = reachOf({ ...people, route: [{ notify: ["ana", "ben"], via: ["slack"] }] });
    const world = await reachWorld({ config, services: { slack, mail: fakeService("mail") } });
    const id = await world.ask("bot");
    assert.deepEqual(
      slack.messages().map((it) => it.to),
      ["C1"],
    );
    const { notices } = await world.view(id);
    assert.deepEqual(
      notices.map((it) => it.to),
      ["ana", "ben"],
    );
  });
});

describe("an answer", () => {
  it("rewrites every message, with who it was, and again when it has arrived", async () => {
    const services = both();
    const world = await reachWorld({ config: toAna, services });
    const id = await world.ask("bot");
    const taken = await services.slack.answer(id, "ana", 1);
    await world.settle();
    assert.equal(taken.type, "taken");
    for (const service of Object.values(services)) {
      const [message, ...others] = service.messages();
      assert.deepEqual(others, []);
      assert.equal(message?.isOpen, false);
      assert.equal(message?.text, "bot's question? [resolved] by ana");
    }
    const { answer, notices } = await world.view(id);
    assert.deepEqual([answer?.by, answer?.via], ["ana", "slack"]);
    assert.deepEqual(
      notices.map((it) => it.state),
      ["changed", "changed"],
    );
    assert.ok(await world.isReplayable());
  });

  it("is taken only from those whom a message was addressed to", async () => {
    const services = both();
    const world = await reachWorld({ config: bySlack, services });
    const id = await world.ask("bot");
    for (const stranger of ["ben", "mallory", ""]) {
      const refused = await services.slack.answer(id, stranger, 1);
      assert.deepEqual(refused, { type: "refused", words: "This one is for ana.", decision: null });
    }
    assert.equal((await world.view(id)).state, "pending");
  });

  it("that lets somebody act is refused unless everything was shown", async () => {
    const services = both();
    const world = await reachWorld({ config: bySlack, services });
    const id = await world.ask("bot");
    const refused = await services.slack.answer(id, "ana", 1, false);
    assert.match(refused.type === "refused" ? refused.words : "", /does not show all of it/);
    assert.equal((await world.view(id)).state, "pending");
  });

  it("that comes too late is told who was first", async () => {
    const services = both();
    const config = reachOf({ ...people, route: [{ notify: ["ana", "ben"], via: ["slack"] }] });
    const world = await reachWorld({ config, services });
    const id = await world.ask("bot");
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        services[index % 3 ? "slack" : "mail"].answer(id, index % 2 ? "ana" : "ben", 1 + (index % 2)),
      ),
    );
    const taken = answers.filter((it) => it.type === "taken");
    assert.equal(taken.length, 1);
    const by = (await world.view(id)).answer?.by;
    for (const it of answers)
      if (it.type === "refused")
        assert.match(it.words, new RegExp(`^${by} answered at \\d\\d:\\d\\d: (Yes|No)\\.$`));
    await world.settle();
    for (const it of [...services.slack.messages(), ...services.mail.messages()])
      assert.equal(it.isOpen, false);
  });

  it("can be undone where the person's settings say so", async () => {
    const services = both();
    const world = await reachWorld({ config: bySlack, services, undo: { slack_s: 5 } });
    const id = await world.ask("bot");
    await services.slack.answer(id, "ana", 1);
    await world.settle();
    assert.equal((await world.view(id)).held?.answer.by, "ana");
    await world.pass(5000);
    assert.equal((await world.view(id)).state, "resolved");
  });

  it("can be undone where the channel itself says so", async () => {
    const services = both();
    const channel = { slack: { undo: 3 }, mail: {} };
    const config = reachOf({ ...people, channel, route: [{ notify: ["ana"] }] });
    const world = await reachWorld({ config, services });
    const [held, sent] = [await world.ask("one"), await world.ask("two")];
    await services.slack.answer(held, "ana", 1);
    await services.mail.answer(sent, "ana", 1);
    assert.equal((await world.view(held)).state, "pending");
    assert.equal((await world.view(sent)).state, "resolved");
    await world.pass(3000);
    assert.equal((await world.view(held)).state, "resolved");
  });
});

describe("a channel in trouble", () => {
  it("is tried again within 5 seconds, and nobody is told twice", async () => {
    const services = both();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.loseNextResponse();
    const id = await world.ask("bot");
    assert.equal((await world.view(id)).notices[0]?.error, "the connection broke");
    await world.pass(5000);
    assert.equal(services.slack.messages().length, 1);
    assert.deepEqual((await world.view(id)).notices[0]?.state, "sent");
  });

  it("is left alone for as long as it asked, while others go on", async () => {
    const services = both();
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
    const services = both();
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

  it("is replaced after a minute without success, and tried on", async () => {
    const services = both();
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
    const services = both();
    for (const it of Object.values(services)) it.trouble = () => new ChannelError("down", { isFinal: true });
    const world = await reachWorld({ config: bySlack, services });
    const { not_notified } = await world.view(await world.ask("bot"));
    assert.equal(not_notified, "ana: there is no other channel; slack: down; mail: down");
  });

  it("announces nothing that was answered meanwhile", async () => {
    const services = both();
    const world = await reachWorld({ config: bySlack, services });
    services.slack.trouble = () => new ChannelError("down");
    const id = await world.ask("bot");
    await world.answer(id);
    services.slack.trouble = null;
    for (let s = 0; s < 60; s++) await world.pass(1000);
    assert.deepEqual(services.slack.messages(), []);
    assert.equal((await world.view(id)).notices[0]?.state, "failed");
  });
});

describe("the next daemon", () => {
  it("sends what the last one owed, once", async () => {
    const services = both();
    const first = await reachWorld({ config: bySlack, services });
    services.slack.trouble = () => new ChannelError("down");
    const id = await first.ask("bot");
    await first.stop();
    services.slack.trouble = null;
    const next = await reachWorld({ config: bySlack, services, ports: first.ports });
    await next.pass(5000);
    assert.equal(services.slack.messages().length, 1);
    assert.equal((await next.view(id)).notices[0]?.state, "sent");
  });

  it("rewrites what was answered while it was away", async () => {
    const services = both();
    const first = await reachWorld({ config: bySlack, services });
    const id = await first.ask("bot");
    await first.reach.stop();
    await first.chores.stop();
    await first.answer(id);
    await first.engine.stop();
    assert.equal(services.slack.messages()[0]?.isOpen, true);
    const next = await reachWorld({ config: bySlack, services, ports: first.ports });
    await next.settle();
    assert.equal(services.slack.messages()[0]?.isOpen, false);
  });
});

describe("the config", () => {
  it("makes a channel again when its settings change, and closes what is gone", async () => {
    const services = both();
    const world = await reachWorld({ config: bySlack, services });
    world.setConfig(
      reachOf({ ...people, channel: { mail: {} }, route: [{ notify: ["ana"], via: ["mail"] }] }),
    );
    await world.ask("bot");
    assert.equal(services.slack.closed, 1);
    assert.equal(services.mail.closed, 0);
    assert.equal(services.mail.messages().length, 1);
  });

  it("shows decisions on the desktop where a route says so, unless the person wants quiet", async () => {
    const config = reachOf({ ...people, route: [{ notify: ["ana", "ben"], via: ["desktop"] }] });
    const world = await reachWorld({ config, services: {} });
    await world.ask("bot");
    world.setQuiet(true);
    await world.ask("another");
    assert.deepEqual(
      world.ports.notifier.told.map((it) => `${it.title} | ${it.text}`),
      ["oj: bot in shop | bot's question?"],
    );
  });
});

describe("many decisions at once", () => {
  it("come one by one, then in one message with the urgent ones first", async () => {
    const services = both();
    const world = await reachWorld({ config: toAna, services });
    const ids: DecisionId[] = [];
    for (let n = 1; n <= 50; n++) ids.push(await world.ask(`bot${n}`, n === 40 ? "high" : "medium"));
    await world.pass(15_000);
    for (const { messages } of Object.values(services)) {
      assert.equal(messages().length, 6);
      const digest = messages()[5];
      assert.equal(digest?.reason, "digest");
      assert.equal(digest?.all.length, 45);
      assert.equal(digest?.all[0], ids[39]);
    }
    assert.equal((await world.view(ids[49] ?? "dec-")).notices[0]?.state, "sent");
    assert.ok(await world.isReplayable());

    for (const id of ids) await world.answer(id);
    for (const { messages } of Object.values(services)) {
      assert.equal(messages().length, 6);
      assert.deepEqual(
        messages().filter((it) => it.isOpen || /pending/.test(it.text)),
        [],
      );
    }
    await world.pass(60_000);
    await world.ask("calm");
    assert.equal(services.slack.messages().at(-1)?.reason, "asked");
  });
});

describe("outside somebody's hours", () => {
  const hours = { ...ANA, hours: "mon-fri 08:00-18:30 UTC", digest: "08:30" };
  const config = reachOf({
    person: { ana: hours, ben: BEN },
    channel: CHANNELS,
    route: [{ notify: ["ana"], via: ["slack"] }],
  });
  const friday = Date.UTC(2026, 10, 13, 20, 0);

  it("only what is urgent comes through; the rest waits for one digest", async () => {
    const services = both();
    const ports = fakePorts();
    ports.clock.jump(friday - ports.clock.now());
    const first = await reachWorld({ config, services, ports });
    const later = await first.ask("one");
    await first.ask("two");
    const answered = await first.ask("three");
    await first.ask("four", "high");
    assert.deepEqual(
      services.slack.messages().map((it) => it.text),
      ["four's question? [pending]"],
    );
    await first.answer(answered);
    assert.equal((await first.view(later)).notices[0]?.state, "owed");
    await first.stop(); // over the weekend, another daemon takes over

    const next = await reachWorld({ config, services, ports });
    await next.settle();
    assert.equal(services.slack.messages().length, 1);
    const monday = Date.UTC(2026, 10, 16, 8, 30);
    await next.pass(monday - ports.clock.now() - 1000);
    assert.equal(services.slack.messages().length, 1);
    await next.pass(2000);
    assert.deepEqual(
      services.slack
        .messages()
        .map((it) => it.text)
        .slice(1),
      ["one's question? [pending]\ntwo's question? [pending]"],
    );
  });
});

describe("a message", () => {
  it("holds no secret once it leaves the machine, also not in a digest", async () => {
    const services = both();
    const world = await reachWorld({ config: toAna, services });
    const secret = `ghp_${"a1B2".repeat(9)}`;
    for (let n = 0; n < 8; n++) await world.ask(`bot${n} ${secret}`);
    await world.pass(15_000);
    for (const { messages } of Object.values(services)) {
      assert.equal(messages().length, 6);
      for (const { text } of messages()) assert.doesNotMatch(text, /ghp_a1B2/);
    }
  });
});
