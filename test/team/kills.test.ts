/** Daemons and PostgreSQL are killed while people ask: nothing is lost, nothing is doubled, nobody waits for long. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Project } from "../specs/support/project.ts";
import {
  agree,
  askedSoon,
  assertOnce,
  kill,
  machine,
  pidOf,
  promptsIn,
  rounds,
  sharedServer,
  startAsker,
  timed,
  up,
  whyNot,
  within,
} from "./support.ts";

const server = sharedServer();

async function setup(): Promise<{ url: string; two: [Project, Project] }> {
  const url = await server().database();
  return { url, two: [await machine(url, "anvil"), await machine(url, "bellows")] };
}

describe.skipIf(whyNot !== null)("kill -9", () => {
  it("of either daemon takes nothing acknowledged with it, and the other one goes on", async () => {
    const { url, two } = await setup();
    const askers = two.map((it, n) => startAsker(it, `asker-${n}`));
    const mine: string[] = [];
    const waits: number[] = [];
    for (let round = 0; round < rounds(2, 100); round++) {
      const [dead, alive] = round % 2 === 0 ? two : ([two[1], two[0]] as const);
      const before = askers.map((it) => it.acknowledged.length);
      await dead.until(
        () => askers.every((it, n) => it.acknowledged.length > (before[n] ?? 0) + (round % 5)),
        "questions on both machines",
      );
      const pid = await pidOf(dead);
      const gone = kill(dead, pid);
      mine.push(await timed(waits, () => askedSoon(alive, `after ${round}`)));
      await gone;
      await up(dead);
    }
    for (const it of askers) await it.stop();
    assertOnce(promptsIn(server(), url), [...mine, ...askers.flatMap((it) => it.acknowledged)]);
    await agree(...two);
    within(1000, waits, "a question while the other daemon was killed");
  });

  it("of PostgreSQL loses nothing acknowledged, and both write again once it is back", async () => {
    const { url, two } = await setup();
    const askers = two.map((it, n) => startAsker(it, `asker-${n}`));
    const mine: string[] = [];
    const waits: number[] = [];
    for (let round = 0; round < rounds(2, 50); round++) {
      const before = askers.map((it) => it.acknowledged.length);
      await two[0].until(
        () => askers.every((it, n) => it.acknowledged.length > (before[n] ?? 0)),
        "questions on both machines",
      );
      await server().kill();
      await server().start();
      await Promise.all(
        two.map(async (it, n) => {
          mine.push(await timed(waits, () => askedSoon(it, `back ${round} ${n}`)));
        }),
      );
    }
    for (const it of askers) await it.stop();
    const prompts = promptsIn(server(), url);
    assertOnce(prompts, [...mine, ...askers.flatMap((it) => it.acknowledged)]);
    await agree(...two);
    const verified = await two[0].run("audit", "verify");
    assert.equal(verified.code, 0, verified.stdout);
    within(2000, waits, "a question once PostgreSQL was back");
  });
});
