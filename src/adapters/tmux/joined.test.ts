import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { joined } from "./joined.ts";

/** Calls that end when the test says so. */
function calls() {
  const open: { resolve(text: string): void; reject(error: Error): void }[] = [];
  const join = joined<string>();
  const ask = (key: string) =>
    join(key, () => new Promise((resolve, reject) => open.push({ resolve, reject })));
  return { ask, open };
}

const turn = () => new Promise(setImmediate);

describe("calls for the same thing", () => {
  it("are one at a time, and those that come meanwhile share the next", async () => {
    const { ask, open } = calls();
    const first = ask("a");
    const rest = Array.from({ length: 1000 }, () => ask("a"));
    assert.equal(open.length, 1);
    open[0]?.resolve("before");
    await turn();
    assert.equal(open.length, 2);
    const later = ask("a");
    open[1]?.resolve("after");
    await turn();
    open[2]?.resolve("last");
    assert.equal(await first, "before");
    assert.deepEqual(new Set(await Promise.all(rest)), new Set(["after"]));
    assert.equal(await later, "last");
    assert.equal(open.length, 3);
  });

  it("don't wait for those about something else", () => {
    const { ask, open } = calls();
    for (const key of ["a", "b", "a", "b"]) void ask(key);
    assert.equal(open.length, 2);
  });

  it("go on after one that failed, and nothing is kept of it", async () => {
    const { ask, open } = calls();
    const [first, second] = [ask("a"), ask("a")];
    open[0]?.reject(new Error("no"));
    await assert.rejects(first, /no/);
    await turn();
    open[1]?.resolve("yes");
    assert.equal(await second, "yes");
    await turn();
    void ask("a");
    assert.equal(open.length, 3);
  });
});
