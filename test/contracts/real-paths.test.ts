import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, it } from "vitest";
import { realPaths } from "../../src/adapters/files/real-paths.ts";
import { fakeRealPaths } from "../fakes/fake-real-paths.ts";
import { FOLDERS, LINKS, realPathsContract } from "./real-paths.contract.ts";

const box = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-real-")));
for (const it of FOLDERS) fs.mkdirSync(path.join(box, it), { recursive: true });
for (const [name, to] of Object.entries(LINKS)) fs.symlinkSync(to, path.join(box, name));
afterAll(() => fs.rmSync(box, { recursive: true, force: true }));

realPathsContract("on the disk", box, realPaths);
realPathsContract(
  "the fake",
  "/box",
  fakeRealPaths(Object.fromEntries(Object.entries(LINKS).map(([name, to]) => [`/box/${name}`, to]))),
);

describe("real paths on the disk", () => {
  it("name what is not there yet where it would be made, unless `..` follows", async () => {
    const paths = ["desk/new/file", "desk/out/new", "desk/new/../../x", "desk/new/.."];
    const found = await realPaths(paths.map((it) => `${box}/${it}`));
    assert.deepEqual([...found.values()], [`${box}/desk/new/file`, `${box}/beside/new`, null, null]);
  });
});
