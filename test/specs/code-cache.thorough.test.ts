/** What V8 compiled at one start is kept for the next. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

describe("compiled code", () => {
  it("of the commands and the daemon is kept from the first start to the next", async () => {
    const project = await tempProject({}, { env: { XDG_CACHE_HOME: "" } }); // then it is in the home
    await startAndStop(project);
    const kept = inodesIn(project);
    const names = [...kept.keys()].map((it) => it.replace(/-v\d.*/, ""));
    assert.deepEqual(names.sort(), ["cli", "daemon-main"]);
    await startAndStop(project);
    assert.deepEqual(inodesIn(project), kept, "the second start used it");
    for (const name of kept.keys())
      assert.equal(fs.statSync(path.join(folderOf(project), name)).mode & 0o777, 0o600);
  });

  also("that was damaged is not used, and is kept anew", async () => {
    const project = await tempProject({}, { env: { XDG_CACHE_HOME: "" } });
    await startAndStop(project);
    const before = inodesIn(project);
    for (const name of before.keys()) flipByte(path.join(folderOf(project), name));
    await startAndStop(project);
    const after = inodesIn(project);
    for (const [name, inode] of before) assert.notEqual(after.get(name), inode, name);
  });

  also("is done without where nothing can be kept", async () => {
    const project = await tempProject({}, { env: { XDG_CACHE_HOME: "/proc/nowhere" } });
    await startAndStop(project);
  });
});

async function startAndStop(project: Project): Promise<void> {
  for (const word of ["start", "stop"]) {
    const { code, stderr } = await project.run("daemon", word);
    assert.equal(code, 0, stderr);
  }
}

function folderOf({ home }: Project): string {
  return path.join(home, ".cache/oj");
}

/** A file that is written again is another file. */
function inodesIn(project: Project): Map<string, number> {
  const folder = folderOf(project);
  return new Map(fs.readdirSync(folder).map((name) => [name, fs.statSync(path.join(folder, name)).ino]));
}

/** Far behind the stamp at its beginning: in the code. */
function flipByte(file: string): void {
  const bytes = fs.readFileSync(file);
  const at = Math.floor(bytes.length / 3);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  fs.writeFileSync(file, bytes);
}
