import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { requestInput } from "../../../test/fakes/core.ts";
import { fakeService } from "../../../test/fakes/fake-channel.ts";
import { bySlack, people, reachOf, reachWorld, slackAndMail, toAna } from "../../../test/fakes/reach.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { DecisionId, Moment } from "../../core/model/ids.ts";
import type { State } from "../../core/model/state/state.ts";
import { requestDecision } from "../../core/request/request.ts";
import { ChannelError } from "./channel.ts";

describe("a new decision", () => {
  it("is on every channel of its route at once, and says whom it told", async () => {
    const services = slackAndMail();
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
    const world = await reachWorld({ config: reachOf(people), services: slackAndMail() });
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

describe("a decision that was settled before anybody looked who hears of it", () => {
  const audited = reachOf({
    ...people,
    channel: { ...people.channel, webhook: { audit: {} } },
    route: [{ notify: ["ana"], via: ["slack"] }],
  });

  for (const when of ["in the same commit", "right after it was asked"])
    it(`${when}: reaches no person, but what keeps a log of everything`, async () => {
      const services = { ...slackAndMail(), webhook: fakeService("webhook", { hearsAll: true }) };
      const world = await reachWorld({ config: audited, services });
      const ask = (state: State, moment: Moment) => requestDecision(state, requestInput(), moment);
      const answer = (state: State, moment: Moment, id: DecisionId) =>
        resolveDecision(
          state,
          { id, choices: [[1]], text: null, message: null, by: "cara", via: "cli" },
          moment,
        );
      if (when === "in the same commit") {
        const asked = world.engine.run(ask);
        const answered = world.engine.run((state, moment) => {
          const [id] = state.pending;
          return id ? answer(state, moment, id) : [];
        });
        await Promise.all([asked, answered]);
      } else {
        const [created] = await world.engine.run(ask);
        await world.engine.run((state, moment) => answer(state, moment, (created as { id: DecisionId }).id));
      }
      await world.settle();
      assert.deepEqual(services.slack.messages(), []);
      assert.deepEqual(
        services.webhook.messages().map((it) => it.text),
        ["Which database? [resolved] by cara"],
      );
      assert.ok(await world.isReplayable());
      await world.stop();
    });
});

describe("the next daemon", () => {
  it("sends what the last one owed, once", async () => {
    const services = slackAndMail();
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

  it("tells whatever keeps a log of everything what the last one had no time to route", async () => {
    const config = reachOf({ ...people, channel: { ...people.channel, webhook: { audit: {} } } });
    const services = { ...slackAndMail(), webhook: fakeService("webhook", { hearsAll: true }) };
    const first = await reachWorld({ config, services });
    await first.ask("early");
    await first.chores.stop();
    await first.pass(60_000);
    const id = await first.ask("bot");
    await first.answer(id);
    await first.reach.stop();
    await first.engine.stop();
    const next = await reachWorld({ config, services, ports: first.ports });
    await next.settle();
    assert.deepEqual(
      services.webhook.messages().map((it) => it.text),
      ["early's question? [pending]", "bot's question? [resolved] by cara"],
    );
    await next.stop();
    const last = await reachWorld({ config, services, ports: first.ports });
    await last.settle();
    assert.equal(services.webhook.calls(), 3, "each is told once: asked, asked and answered");
  });

  it("rewrites what was answered while it was away", async () => {
    const services = slackAndMail();
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
    const services = slackAndMail();
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
