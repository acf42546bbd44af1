import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { bashShell } from "../../src/adapters/bash/shell.ts";
import { folderChanges } from "../../src/daemon/agents/chores/folder-changes.ts";
import { aRun, tempFolder } from "./temp.ts";

const RUN = aRun();

async function folder(isRepository = true) {
  const dir = await tempFolder();
  const work = path.join(dir, "work");
  fs.mkdirSync(work);
  const env = { PATH: process.env.PATH ?? "", HOME: dir, GIT_CONFIG_NOSYSTEM: "1", TMPDIR: dir };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: work, env, encoding: "utf8" });
  if (isRepository) git("init", "--quiet");
  const shell = bashShell({ dir: path.join(dir, "runs"), killAfterMs: 500, wentDown: false });
  const gate = { run_id: RUN, job_id: "job-1", cwd: work, script: "", values: {}, env: {} } as const;
  const write = (file: string, text: string) => fs.writeFileSync(path.join(work, file), text);
  const look = (before: string | null) => folderChanges({ shell }, gate, { env }, before);
  return { dir, work, env, git, write, look };
}

const names = (stat: string | undefined) => stat?.match(/^ \S+(?= +\|)/gm)?.map((it) => it.trim());

describe("what changed in an agent's folder between two attempts", () => {
  it("is told by git: files that it knows and new ones, and nothing is left behind", async () => {
    const { dir, work, git, write, look } = await folder();
    write("a.js", "1\n");
    write("b.js", "1\n");
    write(".gitignore", "built\n");
    git("add", ".");
    write("built", "x");
    const first = await look(null);
    assert.deepEqual([first?.stat, first?.diff], ["", ""]);
    const status = git("status", "--porcelain");
    write("a.js", "2\n");
    write("new file.js", "3\n");
    write("built", "y");
    const second = await look(first?.tree ?? "");
    assert.match(second?.stat ?? "", / a\.js +\| 2 \+-\n new file\.js +\| 1 \+\n 2 files changed, /);
    assert.match(second?.diff ?? "", /^diff --git a\/a\.js b\/a\.js\n[\s\S]*\n-1\n\+2\n[\s\S]*\n\+3$/);
    assert.deepEqual(await look(second?.tree ?? ""), { tree: second?.tree, stat: "", diff: "" });
    assert.equal(
      git("status", "--porcelain").replace(/^\?\? "new file.js"\n/m, ""),
      status.replace("A  a.js", "AM a.js"),
    );
    assert.deepEqual(fs.readdirSync(dir).sort(), ["runs", "work"]);
    assert.deepEqual(fs.readdirSync(path.join(work, "../runs")), []);
  });

  it("is bounded: no links, pipes or large files, and no more of a long diff than a person reads", async () => {
    const { work, write, look } = await folder();
    const first = await look(null);
    execFileSync("mkfifo", [path.join(work, "pipe")]);
    fs.symlinkSync("/etc/passwd", path.join(work, "link"));
    write("large", "x".repeat(1_100_000));
    write("long", "line\n".repeat(20_000));
    const second = await look(first?.tree ?? null);
    assert.deepEqual(names(second?.stat), ["long"]);
    assert.ok((second?.diff.length ?? 0) < 17_000);
    assert.match(second?.diff ?? "", /more bytes were left out/);
  });

  it("is unknown where git does not look after the folder, or the last attempt is gone", async () => {
    const { write, look } = await folder();
    write("a", "1");
    assert.deepEqual((await look("0".repeat(40)))?.stat, "");
    assert.equal(await (await folder(false)).look(null), null);
  });
});
