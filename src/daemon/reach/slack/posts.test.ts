import assert from "node:assert/strict";
import { it } from "vitest";
import { fakeClock } from "../../../../test/fakes/fake-clock.ts";
import { fakeJournal } from "../../../../test/fakes/fake-journal.ts";
import { pacedPosts } from "./posts.ts";

const settle = async () => {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
};

it("go out a second apart, however long it takes to find out that each still stands", async () => {
  const clock = fakeClock();
  const at: number[] = [];
  const call = async () => {
    at.push(clock.monotonic());
    return {};
  };
  const posts = pacedPosts(call, () => ({}), { clock, journal: fakeJournal() });
  const takes = (ms: number) => () => new Promise<boolean>((resolve) => clock.after(ms, () => resolve(true)));
  for (const ms of [800, 0, 500, 10]) void posts.post("C1", {}, takes(ms));
  for (let n = 0; n < 600; n++) {
    clock.pass(10);
    await settle();
  }
  const gaps = at.slice(1).map((it, n) => it - (at[n] ?? 0));
  assert.equal(gaps.length, 3);
  assert.ok(
    gaps.every((it) => it >= 1050),
    gaps.join(),
  );
});
