import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { whyShared } from "./state-folder.ts";

it("the state folder is ours alone, whatever OJ_STATE_DIR says", () => {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-folder-")));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const made = (name: string) => {
    fs.mkdirSync(path.join(dir, name));
    return path.join(dir, name);
  };
  const home = made("home");
  fs.symlinkSync(home, path.join(dir, "link"));
  const shared = made("shared");
  fs.chmodSync(shared, 0o1777);
  for (const [folder, why] of [
    ["/", "it is the root of the file system"],
    [home, "it is your home folder"],
    [path.join(home, "."), "it is your home folder"],
    [path.join(dir, "link"), "it is your home folder"],
    [shared, "it is shared by everybody"],
    [path.join(home, "missing"), null],
    [made("state"), null],
  ] as const)
    assert.equal(whyShared(folder, home), why, folder);
  if (process.getuid?.() !== 0) return; // only root can give a folder away
  const theirs = made("theirs");
  fs.chownSync(theirs, 65_534, 65_534);
  assert.equal(whyShared(theirs, home), "it belongs to somebody else");
});
