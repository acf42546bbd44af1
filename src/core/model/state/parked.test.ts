import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Parked } from "./parked.ts";

const parked = () => {
  const map = new Parked<string, { n: number }>();
  map.park("a", '{ "n": 1 }');
  map.set("b", { n: 2 });
  map.park("c", '{ "n": 3 }');
  return map;
};

describe("a map of parked values", () => {
  it("looks like any other map", () => {
    const values = [{ n: 1 }, { n: 2 }, { n: 3 }];
    assert.equal(parked().size, 3);
    assert.deepEqual([...parked().keys()], ["a", "b", "c"]);
    assert.deepEqual([...parked().values()], values);
    assert.deepEqual(Object.fromEntries(parked()), { a: values[0], b: values[1], c: values[2] });
    assert.deepEqual([...parked().entries()], [...parked()]);
    const seen: [string, unknown][] = [];
    parked().forEach((value, key) => void seen.push([key, value]));
    assert.deepEqual(seen, [...parked()]);
    assert.equal(parked().get("d"), undefined);
    assert.equal(parked().has("a"), true);
  });

  it("returns the same value each time, so that it can be changed in place", () => {
    const map = parked();
    const value = map.get("a");
    assert.ok(value);
    value.n = 10;
    assert.equal(map.get("a"), value);
    assert.deepEqual([...map.values()][0], { n: 10 });
    assert.equal(map.text("a"), '{"n":10}');
  });

  it("returns what nobody has looked at as it came", () => {
    const map = parked();
    assert.equal(map.text("a"), '{ "n": 1 }');
    assert.equal(map.text("b"), '{"n":2}');
  });

  it("forgets what is deleted while somebody iterates over it", () => {
    const map = parked();
    for (const value of map.values()) if (value.n < 3) map.delete(value.n === 1 ? "a" : "b");
    assert.deepEqual([...map.keys()], ["c"]);
  });
});
