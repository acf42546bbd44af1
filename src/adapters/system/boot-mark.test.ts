import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { takeBootMark } from "./boot-mark.ts";

function folder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-boot-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  return dir;
}

it("tells whether the machine went down under a daemon", () => {
  const dir = folder();
  const wentDown = (boot: string) => {
    const mark = takeBootMark(dir, boot);
    mark.settle();
    return mark.wentDown;
  };
  assert.equal(wentDown("one"), false, "the first daemon there is");
  assert.equal(wentDown("one"), false, "killed, on the same start");
  assert.equal(wentDown("two"), true);
  assert.equal(wentDown("two"), false);
  takeBootMark(dir, "two").clear();
  assert.equal(wentDown("three"), false, "it had ended in order");
});

it("tells every daemon until what was under way is settled, however the daemons before it ended", () => {
  const dir = folder();
  takeBootMark(dir, "one");
  assert.equal(takeBootMark(dir, "two").wentDown, true, "killed before it had settled anything");
  const second = takeBootMark(dir, "two");
  assert.equal(second.wentDown, true);
  second.clear();
  assert.equal(takeBootMark(dir, "two").wentDown, true, "it ended in order, and something was still open");
  takeBootMark(dir, "three").settle();
  assert.equal(takeBootMark(dir, "three").wentDown, false);
});

it("allows for a corrected clock if only the boot time is known", () => {
  const dir = folder();
  takeBootMark(dir, "1800000000000");
  assert.equal(takeBootMark(dir, "1800000060000").wentDown, false);
  assert.equal(takeBootMark(dir, "1800009000000").wentDown, true);
});

it("finds a mark on this machine that stays the same", () => {
  const dir = folder();
  takeBootMark(dir);
  assert.equal(takeBootMark(dir).wentDown, false);
});
