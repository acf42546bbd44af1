/** The note by which scripts know that dist/ need not be built again. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { isFresh } from "../../scripts/build.mjs";

const ROOT = path.join(import.meta.dirname, "../..");

it("is left by npm run build as well", () => {
  fs.rmSync(path.join(ROOT, "node_modules/.cache/oddjobs/built"), { force: true });
  assert.equal(isFresh(), false);
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT, stdio: "ignore" });
  assert.equal(isFresh(), true);
});
