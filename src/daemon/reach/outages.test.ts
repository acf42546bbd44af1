/** Random outages, answers and restarts, from seeds: every decision is announced, and none is shown as open after it was settled. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { FakeService } from "../../../test/fakes/fake-channel.ts";
import { fakeService } from "../../../test/fakes/fake-channel.ts";
import { ANA, BEN, reachOf, reachWorld } from "../../../test/fakes/reach.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { ChannelError } from "./channel.ts";

const SEEDS = 6;
const STEPS = 80;

const config = reachOf({
  person: { ana: ANA, ben: BEN },
  channel: { slack: {}, mail: {}, telegram: {} },
  route: [
    { urgency: ["high"], notify: ["ana", "ben"], via: ["slack", "mail"] },
    { notify: ["ana"], via: ["slack"] },
  ],
});

/** mulberry32: the same numbers for the same seed. */
function numbers(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const TROUBLES = [
  () => new ChannelError("no route to host"),
  () => new ChannelError("429", { retryAfterMs: 20_000 }),
  () => new Error("a bug of the channel"),
];

async function walk(seed: number): Promise<void> {
  const pick = numbers(seed);
  const services: Record<"slack" | "mail" | "telegram", FakeService> = {
    slack: fakeService("slack"),
    mail: fakeService("mail"),
    telegram: fakeService("telegram"),
  };
  const all = Object.values(services);
  let world = await reachWorld({ config, services });
  const asked: DecisionId[] = [];
  for (let step = 0; step < STEPS; step++) {
    const service = all[pick(all.length)] as FakeService;
    const id = asked[pick(Math.max(1, asked.length))];
    switch (pick(9)) {
      case 0:
      case 1:
        asked.push(await world.ask(`bot${asked.length}`, pick(3) ? "medium" : "high"));
        break;
      case 2:
        service.trouble = TROUBLES[pick(TROUBLES.length)] ?? null;
        break;
      case 3:
        service.trouble = null;
        break;
      case 4:
        if (id && (await world.view(id)).state === "pending") await world.answer(id);
        break;
      case 5:
        if (id) await service.answer(id, pick(2) ? "ana" : "ben", 1 + pick(2));
        await world.settle();
        break;
      case 6:
        await world.stop();
        world = await reachWorld({ config, services, ports: world.ports });
        break;
      default:
        await world.pass(pick(30_000));
    }
  }
  for (const it of all) it.trouble = null;
  for (let s = 0; s < 120; s++) await world.pass(1000);
  const shown = all.flatMap((it) => it.messages());
  for (const id of asked) {
    const { state, notices, title } = await world.view(id);
    const about = shown.filter((it) => it.all.includes(id)).flatMap((it) => it.text.split("\n"));
    const own = about.filter((it) => it.startsWith(title));
    if (state === "pending") assert.ok(own.length > 0, `seed ${seed}: ${id} was never announced`);
    else
      assert.deepEqual(
        own.filter((it) => it.includes("[pending]")),
        [],
        `seed ${seed}: ${id} is shown as open`,
      );
    assert.deepEqual(
      notices.filter((it) => it.state === "owed"),
      [],
      `seed ${seed}: ${id} is owed a message`,
    );
  }
  assert.ok(await world.isReplayable(), `seed ${seed}: the log folds into another state`);
  await world.stop();
}

describe("channels that come and go", () => {
  it("announce every decision, and show none as open after it was settled", async () => {
    for (let seed = 1; seed <= SEEDS; seed++) await walk(seed);
  });
});
