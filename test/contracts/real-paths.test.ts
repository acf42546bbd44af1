import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, it } from "vitest";
import { realPaths } from "../../src/adapters/files/real-paths.ts";
import type { RealPaths } from "../../src/ports.ts";
import { fakeRealPaths } from "../fakes/fake-real-paths.ts";

const LINKS = {
  "work/out": "../beside",
  "work/abs": "/",
  "work/loop": "loop",
  "work/in": "src/deep",
  "work/hop": "out",
};
const FOLDERS = ["work/src/deep", "beside/deep"];

function contract(name: string, at: string, resolve: RealPaths): void {
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

const box = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-real-")));
for (const it of FOLDERS) fs.mkdirSync(path.join(box, it), { recursive: true });
for (const [name, to] of Object.entries(LINKS)) fs.symlinkSync(to, path.join(box, name));
afterAll(() => fs.rmSync(box, { recursive: true, force: true }));

contract("on the disk", box, realPaths);
contract(
  "the fake",
  "/box",
  fakeRealPaths(Object.fromEntries(Object.entries(LINKS).map(([name, to]) => [`/box/${name}`, to]))),
);

describe("real paths on the disk", () => {
  it("name what is not there yet where it would be made, unless `..` follows", async () => {
    const paths = ["work/new/file", "work/out/new", "work/new/../../x", "work/new/.."];
    const found = await realPaths(paths.map((it) => `${box}/${it}`));
    assert.deepEqual([...found.values()], [`${box}/work/new/file`, `${box}/beside/new`, null, null]);
  });
});
