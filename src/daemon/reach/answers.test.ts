import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { bySlack, people, reachOf, reachWorld, slackAndMail, toAna } from "../../../test/fakes/reach.ts";

describe("an answer", () => {
  it("rewrites every message, with who it was, and again when it has arrived", async () => {
    const services = slackAndMail();
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
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    const id = await world.ask("bot");
    for (const stranger of ["ben", "mallory", ""]) {
      const refused = await services.slack.answer(id, stranger, 1);
      assert.deepEqual(refused, { type: "refused", words: "This one is for ana.", decision: null });
    }
    assert.equal((await world.view(id)).state, "pending");
  });

  it("that lets somebody act is refused unless everything was shown", async () => {
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services });
    const id = await world.ask("bot");
    const refused = await services.slack.answer(id, "ana", 1, false);
    assert.match(refused.type === "refused" ? refused.words : "", /does not show all of it/);
    assert.equal((await world.view(id)).state, "pending");
  });

  it("that comes too late is told who was first", async () => {
    const services = slackAndMail();
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
    const services = slackAndMail();
    const world = await reachWorld({ config: bySlack, services, undo: { slack_s: 5 } });
    const id = await world.ask("bot");
    await services.slack.answer(id, "ana", 1);
    await world.settle();
    assert.equal((await world.view(id)).held?.answer.by, "ana");
    await world.pass(5000);
    assert.equal((await world.view(id)).state, "resolved");
  });

  it("can be undone where the channel itself says so", async () => {
    const services = slackAndMail();
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
