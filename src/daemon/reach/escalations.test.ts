import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Told } from "../../../test/fakes/escalated.ts";
import { DAY, escalated, escalation, HOUR, MINUTE } from "../../../test/fakes/escalated.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { holdAnswer, resolveDecision } from "../../core/decision/give.ts";
import { undoAnswer } from "../../core/decision/undo.ts";
import { claimDecision, releaseDecision, snoozeDecision } from "../../core/reach/claim.ts";
import { escalationEffects } from "../../core/reach/escalation.ts";

const lines = (told: readonly Told[]) => told.map((it) => `${it.minute} ${it.reason} ${it.names.join(" ")}`);
const answer = { choices: [[1]], text: null, message: null, by: "ana", via: "web" } as const;
const resolve = (id: string) => ({ ...answer, choices: [[1]], id });

describe("an escalation", () => {
  it("reminds, goes on to the next level, starts again, and takes the default at its deadline", async () => {
    const it = await escalated({
      escalation: escalation({ repeat: 1, deadline_ms: 2 * HOUR, default: "stop" }),
    });
    await it.pass(3 * HOUR);
    assert.deepEqual(lines(it.told), [
      "0 level ana",
      "5 reminder ana",
      "15 level ben",
      "45 level ana",
      "50 reminder ana",
      "60 level ben",
    ]);
    const { state, answer, ended, escalation: after } = await it.decision();
    assert.equal(state, "expired");
    assert.deepEqual([ended?.by, ended?.reason], ["escalation:prod", "nobody answered within 2h"]);
    assert.deepEqual([answer?.by, answer?.via, answer?.labels], ["escalation:prod", "escalation", ["stop"]]);
    assert.equal(after?.is_over, true);
    assert.ok(it.types().includes("job:cancelled"));
    assert.ok(!it.types().includes("decision:resolved"));
    await it.stop();
  });

  it("stops in the same commit as the answer, and tells nobody after it", async () => {
    const it = await escalated({ escalation: escalation({ deadline_ms: HOUR, default: "stop" }) });
    await it.pass(2 * MINUTE);
    await it.run((state, moment) => resolveDecision(state, resolve(it.id), moment));
    const { escalation: after } = await it.decision();
    assert.deepEqual([after?.remind_at_ms, after?.next_at_ms, after?.is_over], [null, null, true]);
    assert.deepEqual(escalationEffects(await it.decision()), [], "nor is the deadline due any more");
    await it.pass(2 * HOUR);
    assert.deepEqual(lines(it.told), ["0 level ana"]);
    assert.equal((await it.decision()).state, "resolved");
    assert.equal(it.clock.armed(), 0);
    await it.stop();
  });

  it("passes over a level whose people can't be reached, and records it", async () => {
    const it = await escalated({ escalation: escalation(), unreachable: ["ana"] });
    await it.pass(MINUTE);
    assert.deepEqual(lines(it.told), ["0 level ben"]);
    assert.equal((await it.decision()).escalation?.level, 1);
    await it.stop();
  });

  it("is over at once if nobody can be reached, and its deadline still counts", async () => {
    const def = escalation({ deadline_ms: HOUR, default: "stop" });
    const it = await escalated({ escalation: def, unreachable: ["ana", "ben"] });
    assert.equal((await it.decision()).escalation?.is_over, true);
    await it.pass(HOUR);
    assert.deepEqual(it.told, []);
    assert.equal((await it.decision()).state, "expired");
    await it.stop();
  });

  it("stays pending at a deadline without a default", async () => {
    const it = await escalated({ escalation: escalation({ deadline_ms: HOUR }) });
    await it.pass(2 * HOUR);
    assert.equal((await it.decision()).state, "pending");
    await it.stop();
  });

  it("never takes a default that goes on with something that can't be undone", async () => {
    const it = await escalated({ escalation: escalation({ deadline_ms: HOUR, default: "go" }) });
    await it.pass(2 * HOUR);
    const { state, default: key } = await it.decision();
    assert.deepEqual([state, key], ["pending", undefined]);
    await it.stop();
  });

  it("takes a default that goes on if it can be undone", async () => {
    const options = [
      { key: "go", reversible: true },
      { key: "stop", action: "cancel" as const },
    ];
    const it = await escalated({ decision: { options, deadline_ms: HOUR, default: "go" } });
    await it.pass(2 * HOUR);
    assert.deepEqual([(await it.decision()).state, it.types().at(-1)], ["expired", "job:completed"]);
    assert.equal((await it.decision()).ended?.by, "escalation:deadline");
    await it.stop();
  });
});

describe("a claim", () => {
  it("stops the clock of the level until it is released; the deadline counts on", async () => {
    const it = await escalated({ escalation: escalation({ deadline_ms: 2 * HOUR, default: "stop" }) });
    await it.pass(10 * MINUTE);
    await it.run((state, moment) =>
      claimDecision(state, { id: it.id, by: "ana", via: "cli", for_ms: null }, moment),
    );
    await it.pass(20 * MINUTE);
    assert.deepEqual(lines(it.told), ["0 level ana", "5 reminder ana"]);
    await it.run((state, moment) => releaseDecision(state, { id: it.id, by: "ana", config: null }, moment));
    await it.pass(4 * MINUTE);
    assert.equal(it.told.length, 2);
    await it.pass(MINUTE);
    assert.equal(lines(it.told).at(-1), "35 level ben");
    await it.pass(85 * MINUTE);
    assert.equal((await it.decision()).state, "expired");
    await it.stop();
  });

  it("ends by itself after claim_for, and the clock runs on", async () => {
    const it = await escalated({ escalation: escalation() });
    await it.run((state, moment) =>
      claimDecision(state, { id: it.id, by: "ana", via: "cli", for_ms: null }, moment),
    );
    await it.pass(30 * MINUTE);
    assert.equal((await it.decision()).claimed, undefined);
    await it.pass(15 * MINUTE);
    assert.deepEqual(lines(it.told), ["0 level ana", "35 reminder ana", "45 level ben"]);
    await it.stop();
  });

  it("of somebody else is refused, and can be extended by whoever has it", async () => {
    const it = await escalated({ escalation: escalation() });
    const claim = (by: string, for_ms: number) =>
      it.run((state, moment) => claimDecision(state, { id: it.id, by, via: "cli", for_ms }, moment));
    await claim("ana", 10 * MINUTE);
    const snooze = { id: it.id, by: "ben", via: "cli", for_ms: HOUR } as const;
    const later = it.run((state, moment) => snoozeDecision(state, snooze, moment));
    for (const others of [claim("ben", 10 * MINUTE), later])
      await assert.rejects(others, { code: "decision.claimed", message: /ana is on/ });
    await it.pass(5 * MINUTE);
    await claim("ana", 60 * MINUTE);
    await it.pass(60 * MINUTE);
    await it.pass(15 * MINUTE);
    assert.deepEqual(lines(it.told), ["0 level ana", "70 reminder ana", "80 level ben"]);
    await it.stop();
  });

  it("needs something to release", async () => {
    const it = await escalated({});
    const release = it.run((state, moment) =>
      releaseDecision(state, { id: it.id, by: "ana", config: null }, moment),
    );
    await assert.rejects(release, { code: "decision.not-claimed" });
    await it.stop();
  });
});

describe("a snooze", () => {
  it("is quiet until its time is up, then whoever snoozed it hears of it again", async () => {
    const it = await escalated({ escalation: escalation() });
    await it.run((state, moment) =>
      snoozeDecision(state, { id: it.id, by: "ana", via: "cli", for_ms: HOUR }, moment),
    );
    await it.pass(HOUR);
    await it.pass(15 * MINUTE);
    assert.deepEqual(lines(it.told), ["0 level ana", "60 reminder ana", "65 reminder ana", "75 level ben"]);
    await it.stop();
  });
});

describe("an answer on hold", () => {
  it("counts as an answer; if it is taken back, what is overdue happens once and in order", async () => {
    const it = await escalated({ escalation: escalation() });
    await it.run((state, moment) => holdAnswer(state, { ...resolve(it.id), delay_ms: 2 * HOUR }, moment));
    await it.pass(HOUR);
    assert.deepEqual(lines(it.told), ["0 level ana"]);
    await it.run((state, moment) => undoAnswer(state, { id: it.id, by: "ana" }, moment));
    await settled();
    await it.pass(29 * MINUTE);
    assert.deepEqual(lines(it.told), ["0 level ana", "60 reminder ana", "60 level ben"]);
    await it.stop();
  });
});

/** Every kind of timer, what it waits for, and what must have happened once its time has come. */
const KINDS = {
  remind: { setup: {}, due: 5 * MINUTE, happened: "escalation:reminded" },
  next: { setup: { skipReminder: true }, due: 15 * MINUTE, happened: "escalation:advanced" },
  claim: { setup: { claim: true }, due: 30 * MINUTE, happened: "decision:released" },
  snooze: { setup: { snooze: true }, due: 30 * MINUTE, happened: "decision:released" },
  deadline: { setup: { deadline: true }, due: 4 * MINUTE, happened: "decision:expired" },
} as const;

type Event = (typeof EVENTS)[number];
const EVENTS = ["sleep", "restart", "jump forward", "jump back", "settle", "claim", "hold"] as const;

/** How often each thing has happened after its time, whatever happened before; and not earlier than due, if nobody moved the clock. */
function wanted(kind: keyof typeof KINDS, event: Event): number {
  if (event === "settle" || event === "hold") return 0;
  if (event === "claim") return kind === "deadline" || kind === "claim" || kind === "snooze" ? 1 : 0;
  return 1;
}

describe("every kind of timer, whatever happens meanwhile", () => {
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[])
    for (const event of EVENTS)
      it(`${kind} × ${event}`, async () => {
        const { setup, due, happened } = KINDS[kind];
        const it = await started(setup);
        const before = it.types().length;
        const count = () =>
          it
            .types()
            .slice(before)
            .filter((type) => type === happened).length;
        await it.pass(due / 2);
        assert.equal(count(), 0, "not before its time");
        await meanwhile(it, event, due);
        await it.pass(due / 2 + MINUTE);
        assert.equal(count(), wanted(kind, event));
        await it.stop();
      });

  async function started(setup: { skipReminder?: true; claim?: true; snooze?: true; deadline?: true }) {
    const levels = escalation().levels.map((it) => (setup.skipReminder ? { ...it, remind_ms: null } : it));
    const deadline = setup.deadline ? { deadline_ms: 4 * MINUTE, default: "stop" } : {};
    const it = await escalated({ escalation: escalation({ levels, ...deadline }) });
    const pause = { id: it.id, by: "ana", via: "cli", for_ms: 30 * MINUTE } as const;
    if (setup.claim) await it.run((state, moment) => claimDecision(state, pause, moment));
    if (setup.snooze) await it.run((state, moment) => snoozeDecision(state, pause, moment));
    return it;
  }

  async function meanwhile(it: Awaited<ReturnType<typeof started>>, event: Event, due: number) {
    switch (event) {
      case "sleep": // the wall clock goes on, timeouts stand still
        it.clock.jump(12 * HOUR);
        return it.pass(MINUTE);
      case "restart":
        return it.restart(due);
      case "jump forward":
        it.clock.jump(2 * HOUR);
        return it.pass(MINUTE);
      case "jump back":
        it.clock.jump(-2 * HOUR);
        return;
      case "settle":
        await it.run((state, moment) => resolveDecision(state, resolve(it.id), moment));
        return;
      case "claim":
        await it.run((state, moment) =>
          claimDecision(state, { id: it.id, by: "ana", via: "cli", for_ms: due / 2 }, moment),
        );
        return;
      case "hold":
        await it.run((state, moment) => holdAnswer(state, { ...resolve(it.id), delay_ms: DAY }, moment));
        return;
    }
  }
});

describe("a deadline of thirty days", () => {
  it("is kept across restarts and clocks that jump, to the minute", async () => {
    const it = await escalated({ decision: { deadline_ms: 30 * DAY, default: "stop" } });
    for (let day = 1; day < 30; day++) {
      await it.pass(DAY, DAY);
      if (day % 7 === 0) await it.restart();
      if (day % 5 === 0) {
        it.clock.jump(2 * HOUR);
        await it.pass(MINUTE);
        it.clock.jump(-2 * HOUR - MINUTE);
        it.clock.pass(0);
      }
    }
    assert.equal((await it.decision()).state, "pending");
    await it.pass(DAY, HOUR);
    const { state, ended, created_at_ms } = await it.decision();
    assert.equal(state, "expired");
    assert.ok(Math.abs((ended?.at_ms ?? 0) - created_at_ms - 30 * DAY) <= 10 * MINUTE);
    await it.stop();
  });

  it("that passes while the machine sleeps is over as soon as it wakes, and nobody is told of it then", async () => {
    const it = await escalated({
      escalation: escalation({ repeat: 5, deadline_ms: 30 * DAY, default: "stop" }),
    });
    it.clock.jump(31 * DAY);
    await it.pass(MINUTE);
    assert.equal((await it.decision()).state, "expired");
    assert.deepEqual(lines(it.told), ["0 level ana"]);
    await it.stop();
  });
});

describe("a sleep of three days", () => {
  it("brings no burst: what is overdue happens once, and the next level has its whole time", async () => {
    const it = await escalated({ escalation: escalation({ repeat: 5 }) });
    it.clock.jump(3 * DAY);
    await it.pass(2 * MINUTE);
    const minute = (3 * DAY) / MINUTE;
    assert.deepEqual(
      it.told.map((one) => `${one.reason} ${one.names}`),
      ["level ana", "reminder ana", "level ben"],
    );
    assert.ok(it.told.at(-1)!.minute >= minute);
    await it.pass(28 * MINUTE);
    assert.equal(it.told.length, 3);
    await it.pass(2 * MINUTE);
    assert.equal(it.told.length, 4);
    await it.stop();
  });
});
