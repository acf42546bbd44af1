/** What every `realPaths` keeps to: `..` and links are followed one by one. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { RealPaths } from "../../src/ports.ts";

/** Links and folders, relative to the place that the suite is given. */
export const LINKS = {
  "work/out": "../beside",
  "work/abs": "/",
  "work/loop": "loop",
  "work/in": "src/deep",
  "work/hop": "out",
};
export const FOLDERS = ["work/src/deep", "beside/deep"];

export function realPathsContract(name: string, at: string, resolve: RealPaths): void {
  describe(`real paths: ${name}`, () => {
    for (const [given, expected] of [
      ["work/src", "work/src"],
      ["work/./src//deep/", "work/src/deep"],
      ["work/src/..", "work"],
      ["work/out", "beside"],
      ["work/out/deep", "beside/deep"],
      ["work/hop/deep", "beside/deep"],
      ["work/out/..", ""],
      ["work/in/..", "work/src"],
      ["work/loop", null],
    ] as const)
      it(`${given} is ${expected}`, async () => {
        const asked = `${at}/${given}`;
        const found = (await resolve([asked])).get(asked);
        assert.equal(found, expected === null ? null : `${at}${expected === "" ? "" : `/${expected}`}`);
      });
    it("follows a link to the root, and says nothing about what is relative", async () => {
      const found = await resolve([`${at}/work/abs/usr`, "work", "/"]);
      assert.deepEqual([...found.values()], ["/usr", null, "/"]);
    });
  });
}
