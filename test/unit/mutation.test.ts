/** What `npm run mutate` writes into a source: one mistake at a time, and without one the source as it was. */
import assert from "node:assert/strict";
import { transformSync } from "esbuild";
import { describe, it } from "vitest";
import type { Mutant } from "../mutation/mutants.ts";
import { mutantsOf } from "../mutation/mutants.ts";
import { HIT, withMutants } from "../mutation/written.ts";

const SOURCE = `
const LIMIT = 3;
export function few(all: readonly number[], isOn?: boolean): number[] {
  if (all.length > LIMIT && !isOn) return [];
  const out: number[] = [];
  for (const it of all.filter((one) => one >= 0)) {
    if (it === 9) continue;
    out.push(it + 1);
  }
  return isOn ? [0, ...out] : out;
}
`;
const INPUTS: readonly [number[], boolean?][] = [
  [[1, 2, 3]],
  [[1, 2, 3, 4]],
  [[1, 2, 3, 4], true],
  [[-1, 0, 9]],
  [[]],
];

function all(): Mutant[] {
  return mutantsOf("few.ts", SOURCE).map((it, id) => ({ ...it, id }));
}

/** What it returns for each input while this mutant is on. */
function played(text: string, on: number): string {
  const { code } = transformSync(text.replace("export ", ""), { loader: "ts" });
  const hit = (id: number) => id === on;
  const few = new Function("hit", `${code.replaceAll(HIT, "hit")}; return few;`)(hit) as (
    ...input: unknown[]
  ) => unknown;
  return JSON.stringify(INPUTS.map((input) => few(...input)) ?? null);
}

describe("mutants", () => {
  it("are the mistakes of each kind, and none where only modules load", () => {
    const kinds = all().map((it) => `${it.line} ${it.kind}`);
    assert.deepEqual(kinds.sort(), [
      "10 an element is left out",
      "10 an element is left out",
      "10 is off by one",
      "10 is off by one",
      "10 returns null",
      "10 the branches are swapped",
      "4 ! is left out",
      "4 && is ||",
      "4 > is <=",
      "4 > is >=",
      "4 if is false",
      "4 if is true",
      "4 returns []",
      "6 .filter() is left out",
      "6 >= is <",
      "6 >= is >",
      "6 is off by one",
      "6 is off by one",
      "6 returns true",
      "7 === is !==",
      "7 a statement is left out",
      "7 if is false",
      "7 if is true",
      "7 is off by one",
      "7 is off by one",
      "8 + is -",
      "8 a statement is left out",
      "8 is off by one",
      "8 is off by one",
    ]);
  });

  it("are all in one text, which does what it did while none is on", () => {
    const text = withMutants(SOURCE, all());
    assert.equal(played(text, -1), played(SOURCE, -1));
  });

  it("change what it does, each alone and each in its own way", () => {
    const text = withMutants(SOURCE, all());
    const before = played(SOURCE, -1);
    const same = all().filter((it) => played(text, it.id) === before);
    // it returned that already; isOn is not given; a filtered 0 stays where it is
    assert.deepEqual(
      same.map((it) => `${it.line} ${it.kind}`),
      ["4 returns []"],
    );
    for (const it of all()) assert.equal(played(text, it.id), played(withMutants(SOURCE, [it]), it.id));
  });
});
