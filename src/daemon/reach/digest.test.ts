import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { escalation, MINUTE } from "../../../test/fakes/escalated.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { ANA, BEN, people, reachOf, reachWorld, slackAndMail, toAna } from "../../../test/fakes/reach.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { giveEscalation } from "../../core/reach/escalation.ts";

describe("many decisions at once", () => {
  it("come one by one, then in one message with the urgent ones first", async () => {
    const services = slackAndMail();
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
    ...people,
    person: { ana: hours, ben: BEN },
    route: [{ notify: ["ana"], via: ["slack"] }],
  });
  const friday = Date.UTC(2026, 10, 13, 20, 0);

  it("only what is urgent comes through; the rest waits for one digest", async () => {
    const services = slackAndMail();
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

  it("levels, reminders and rounds of the night come in one digest, and nobody counts as out of reach", async () => {
    const services = slackAndMail();
    const ports = fakePorts();
    ports.clock.jump(friday - ports.clock.now());
    const world = await reachWorld({ config, services, ports });
    const levels = [{ notify: ["ana"], via: ["slack"], remind_ms: 5 * MINUTE, next_ms: 15 * MINUTE }];
    for (const name of ["one", "two"]) {
      const id = await world.ask(name);
      await world.engine.run((state) =>
        giveEscalation(state, { id, escalation: escalation({ levels, repeat: 2 }) }),
      );
    }
    await world.settle();
    for (let minutes = 0; minutes < 60; minutes++) await world.pass(MINUTE);
    assert.deepEqual(services.slack.messages(), []);
    const told = ports.log.committed().flatMap((it) => (it.type === "escalation:advanced" ? [it] : []));
    assert.deepEqual(
      told.map((it) => [it.level, it.round, it.passed]),
      [0, 1, 2].flatMap((round) => [
        [0, round, []],
        [0, round, []],
      ]),
    );
    await world.pass(Date.UTC(2026, 10, 16, 8, 30, 1) - ports.clock.now());
    assert.deepEqual(
      services.slack.messages().map((it) => it.text),
      ["one's question? [pending]\ntwo's question? [pending]"],
    );
  });
});

describe("a message", () => {
  it("holds no secret once it leaves the machine, also not in a digest", async () => {
    const services = slackAndMail();
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
