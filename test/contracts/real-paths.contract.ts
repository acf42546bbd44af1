/** What every `realPaths` keeps to: `..` and links are followed one by one. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { RealPaths } from "../../src/ports.ts";

/** Links and folders, relative to the place that the suite is given. */
export const LINKS = {
  "desk/out": "../beside",
  "desk/abs": "/",
  "desk/loop": "loop",
  "desk/in": "src/deep",
  "desk/hop": "out",
};
export const FOLDERS = ["desk/src/deep", "beside/deep"];

export function realPathsContract(name: string, at: string, resolve: RealPaths): void {
  describe(`real paths: ${name}`, () => {
    for (const [given, expected] of [
      ["desk/src", "desk/src"],
      ["desk/./src//deep/", "desk/src/deep"],
      ["desk/src/..", "desk"],
      ["desk/out", "beside"],
      ["desk/out/deep", "beside/deep"],
      ["desk/hop/deep", "beside/deep"],
      ["desk/out/..", ""],
      ["desk/in/..", "desk/src"],
      ["desk/loop", null],
    ] as const)
      it(`${given} is ${expected}`, async () => {
        const asked = `${at}/${given}`;
        const found = (await resolve([asked])).get(asked);
        assert.equal(found, expected === null ? null : `${at}${expected === "" ? "" : `/${expected}`}`);
      });
    it("follows a link to the root, and says nothing about what is relative", async () => {
      const found = await resolve([`${at}/desk/abs/usr`, "desk", "/"]);
      assert.deepEqual([...found.values()], ["/usr", null, "/"]);
    });
  });
}
