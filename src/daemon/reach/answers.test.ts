import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { bySlack, people, reachOf, reachWorld, slackAndMail, toAna } from "../../../test/fakes/reach.ts";
import { requestDecision } from "../../core/request/request.ts";

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

  it("that is a no counts while the last yes of two is on hold, and nothing else does", async () => {
    const services = slackAndMail();
    const config = reachOf({ ...people, route: [{ notify: ["ana", "ben"] }] });
    const world = await reachWorld({ config, services, undo: { slack_s: 5 } });
    const options = [{ key: "go" }, { key: "no", action: "cancel" as const }];
    const template = { path: "a.hcl", line: 1, name: "ship", required_context: [], options, min: 2 };
    const runbook = { templates: [template], requests: { file_check: {} } };
    const asked = requestInput({ requester: asker("bot"), options: [], template: "ship", runbook });
    await world.engine.run((state, moment) => requestDecision(state, asked, moment));
    await world.settle();
    const [id = assert.fail()] = await world.engine.read((state) => [...state.pending]);
    for (const person of ["ana", "ben"]) await services.slack.answer(id, person, 1);
    assert.equal((await world.view(id)).held?.answer.by, "ben");
    const again = await services.mail.answer(id, "ana", 1);
    assert.match(again.type === "refused" ? again.words : "", /^ben answered at/);
    assert.equal((await services.mail.answer(id, "ana", 2)).type, "taken");
    const { state, answer } = await world.view(id);
    assert.deepEqual([state, answer?.by, answer?.labels], ["resolved", "ana", ["no"]]);
  });
});
