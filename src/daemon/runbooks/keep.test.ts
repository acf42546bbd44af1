import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "vitest";
import { loadConfig } from "../../config.ts";
import { loadRunbooks } from "../../runbook/load.ts";
import { keepWhile } from "./keep.ts";

let dir = "";
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-keep-")));
  write("shop/.oj/runbooks/a.hcl", `command "one" { run = file("said.txt") }`);
  write("shop/said.txt", "echo 1");
  write("shop/.oj/config.toml", `project.name = "shop"`);
  write("other/b.hcl", `command "two" { run = "echo 2" }`);
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const at = (name: string) => path.join(dir, name);

function write(name: string, text: string): void {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
}

/** Until the file system's clock has moved on, so that a change is one that can be seen. */
function tick(): void {
  const file = at("tick");
  fs.writeFileSync(file, "");
  const before = fs.statSync(file).ctimeMs;
  while (fs.statSync(file).ctimeMs === before) fs.writeFileSync(file, "");
}

/** As if the files had been lying there for long. */
const LATER = () => Date.now() + 60_000;

/** What the project says now: the names of its commands with their scripts, and the name of the project. */
function project(now: () => number) {
  const made = { runbooks: 0, config: 0 };
  const runbooks = keepWhile(
    (root, saw) => {
      made.runbooks += 1;
      return loadRunbooks(root, undefined, undefined, undefined, (it) => saw(it, "text"));
    },
    ({ problems }) => problems.length === 0,
    now,
  );
  const config = keepWhile(
    (cwd, saw) => {
      made.config += 1;
      return loadConfig({ HOME: at("home") }, cwd, { saw });
    },
    undefined,
    now,
  );
  return {
    made,
    async says(cwd = at("shop")) {
      const { root, project: name, settings } = config(cwd);
      const { runbook, problems } = await runbooks(root);
      const commands = runbook.commands.map((it) => [it.name, "script" in it.run ? it.run.script : ""]);
      return JSON.stringify([name, settings.undo.cli_s, commands, problems.length]);
    },
  };
}

const CHANGES: Record<string, () => void> = {
  "an edit": () => write("shop/.oj/runbooks/a.hcl", `command "uno" { run = "x" }`),
  "an edit of the same size": () =>
    write("shop/.oj/runbooks/a.hcl", `command "eno" { run = file("said.txt") }`),
  "an edit that sets the time back": () => {
    const { atime, mtime } = fs.statSync(at("shop/.oj/runbooks/a.hcl"));
    write("shop/.oj/runbooks/a.hcl", `command "eno" { run = file("said.txt") }`);
    fs.utimesSync(at("shop/.oj/runbooks/a.hcl"), atime, mtime);
  },
  "a file that is pasted": () => write("shop/said.txt", "echo 9"),
  "a file that is put in its place": () => {
    write("new.hcl", `command "new" { run = "x" }`);
    fs.renameSync(at("new.hcl"), at("shop/.oj/runbooks/a.hcl"));
  },
  "one more file": () => write("shop/.oj/runbooks/b.hcl", `command "more" { run = "x" }`),
  "one file less": () => fs.rmSync(at("shop/.oj/runbooks/a.hcl")),
  "a link instead": () => {
    fs.rmSync(at("shop/.oj/runbooks/a.hcl"));
    fs.symlinkSync(at("other/b.hcl"), at("shop/.oj/runbooks/a.hcl"));
  },
  "a folder that is a link": () => {
    fs.rmSync(at("shop/.oj/runbooks"), { recursive: true });
    fs.symlinkSync(at("other"), at("shop/.oj/runbooks"));
  },
  "no folder": () => fs.rmSync(at("shop/.oj"), { recursive: true }),
  "a mistake": () => write("shop/.oj/runbooks/a.hcl", `command "one" {`),
  "the project's name": () => write("shop/.oj/config.toml", `project.name = "mill"`),
  "a setting of the person": () => write("home/.config/oj/config.toml", "undo.cli_s = 7"),
};

describe("what was made from a project's files", () => {
  it("is made once while nothing changes", async () => {
    const { says, made } = project(LATER);
    const first = await says();
    for (let n = 0; n < 5; n++) assert.equal(await says(), first);
    assert.deepEqual(made, { runbooks: 1, config: 1 });
  });

  it.each(Object.entries(CHANGES))(
    "is made anew after %s, and again after the way back",
    async (_, change) => {
      const { says } = project(LATER);
      const before = await says();
      fs.cpSync(at("shop"), at("kept"), { recursive: true });
      tick();
      change();
      const changed = await says();
      assert.notEqual(changed, before);
      assert.equal(changed, await project(LATER).says());
      fs.rmSync(at("shop"), { recursive: true });
      fs.rmSync(at("home"), { recursive: true, force: true });
      fs.renameSync(at("kept"), at("shop"));
      assert.equal(await says(), before);
    },
  );

  it("is of the nearest project, once there is one", async () => {
    const { says } = project(LATER);
    fs.mkdirSync(at("shop/inner"));
    assert.match(await says(at("shop/inner")), /"shop"/);
    write("shop/inner/.oj/config.toml", "");
    assert.match(await says(at("shop/inner")), /"inner"/);
  });

  it("is not kept while a file is so new that its next change might leave the same times", async () => {
    const { says, made } = project(Date.now);
    for (let n = 0; n < 3; n++) await says();
    assert.deepEqual(made, { runbooks: 3, config: 3 });
  });

  it("is not kept with a mistake, nor if it could not be made", async () => {
    const { says, made } = project(LATER);
    write("shop/.oj/runbooks/a.hcl", `command "one" {`);
    await says();
    await says();
    assert.equal(made.runbooks, 2);
    write("shop/.oj/config.toml", "undo = 1");
    for (let n = 0; n < 2; n++) await assert.rejects(says(), /config.toml/);
    write("shop/.oj/config.toml", "");
    assert.match(await says(), /"shop"/);
  });

  it("is shared by those who ask at the same time, and bounded", async () => {
    let made = 0;
    const kept = keepWhile(async (key) => `${key} ${++made}`);
    assert.deepEqual(await Promise.all([kept("a"), kept("a"), kept("a")]), ["a 1", "a 1", "a 1"]);
    for (let n = 0; n < 100; n++) await kept(`other ${n}`);
    assert.equal(await kept("a"), "a 102");
  });
});
