import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { makeFolder } from "./make-folder.ts";

function temp(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-folder-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a folder", () => {
  it("is made with those above it, open to nobody else", () => {
    const folder = path.join(temp(), "a/b/c");
    makeFolder(folder);
    makeFolder(folder);
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
  });

  it("may be made by somebody else between our look and our try, at any depth", () => {
    const folder = path.join(temp(), "a/b/c");
    const mkdirSync = ((name: string) => {
      fs.mkdirSync(name); // the other one
      fs.mkdirSync(name);
    }) as never;
    makeFolder(folder, { existsSync: fs.existsSync, mkdirSync });
    assert.ok(fs.existsSync(folder));
  });

  it("that can't be made is an error", () => {
    assert.throws(() => makeFolder("/proc/oj/nothing"), { code: "ENOENT" });
  });
});
