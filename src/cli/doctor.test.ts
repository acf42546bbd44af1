import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, it } from "vitest";
import { checkFolder, checkSocket } from "./doctor/folder.ts";
import { find } from "./doctor/programs.ts";
import { checkLocale, checkNode } from "./doctor.ts";

const folders: string[] = [];
function folder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "oj-doctor-"));
  folders.push(made);
  return made;
}
afterEach(() => {
  for (const it of folders.splice(0)) fs.rmSync(it, { recursive: true, force: true });
});

describe("the doctor", () => {
  it("requires Node 20.15", () => {
    assert.equal(checkNode("18.19.0").state, "problem");
    assert.equal(checkNode("20.14.0").state, "problem");
    assert.equal(checkNode("20.15.0").state, "ok");
    assert.equal(checkNode("22.1.0").state, "ok");
  });

  it("requires a socket path that the system allows, in bytes", () => {
    assert.equal(checkSocket("/".padEnd(107, "x")).state, "ok");
    assert.equal(checkSocket("/".padEnd(108, "x")).state, "problem");
    assert.equal(checkSocket(`/${"é".repeat(60)}`).state, "problem");
  });

  it("accepts a state folder that doesn't exist yet", () => {
    assert.deepEqual(
      checkFolder(path.join(folder(), "a/b")).map((it) => it.state),
      ["ok", "ok"],
    );
  });

  it("refuses a file in place of the state folder", () => {
    const file = path.join(folder(), "file");
    fs.writeFileSync(file, "");
    assert.equal(checkFolder(file)[0]?.state, "problem");
  });

  it("warns about a state folder that others can read, and says how to close it", () => {
    const open = folder();
    fs.chmodSync(open, 0o755);
    const [check] = checkFolder(open);
    assert.equal(check?.state, "warning");
    assert.equal(check?.fix, `chmod 700 ${open}`);
  });

  it("finds programs that can be run, and no others", () => {
    const dir = folder();
    fs.writeFileSync(path.join(dir, "yes"), "", { mode: 0o755 });
    fs.mkdirSync(path.join(dir, "folder"));
    assert.equal(find("yes", `/nowhere:${dir}`), path.join(dir, "yes"));
    assert.equal(find("folder", dir), null);
    assert.equal(find("no", dir), null);
  });

  it("requires UTF-8, judged by the variable that counts", () => {
    assert.equal(checkLocale({ LANG: "de_DE.UTF-8" }).state, "ok");
    assert.equal(checkLocale({ LANG: "C.utf8" }).state, "ok");
    assert.equal(checkLocale({ LANG: "en_US.UTF-8", LC_ALL: "C" }).state, "warning");
  });
});
