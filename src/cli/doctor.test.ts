import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, it } from "vitest";
import { setups } from "../agents/known/setups.ts";
import { checkFolder, checkSocket } from "./doctor/folder.ts";
import { checkPrograms, find } from "./doctor/programs.ts";
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
    assert.equal(checkSocket("/".padEnd(97, "x")).state, "ok"); // with /tmux.sock in it
    assert.equal(checkSocket("/".padEnd(98, "x")).state, "problem");
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

  it("says of each client whether it is there, which version it is, and whether that one is tested", async () => {
    const dir = folder();
    const program = (name: string, version: string) =>
      fs.writeFileSync(path.join(dir, name), `#!/bin/sh\necho "${name}-cli ${version}"\n`, { mode: 0o755 });
    const { codex, claude } = Object.fromEntries(setups.map((it) => [it.name, it]));
    assert.ok(codex && claude);
    const checked = async (name: string) => {
      const found = (await checkPrograms(dir)).find((it) => it.name === name);
      return [found?.state, found?.detail, found?.fix];
    };
    assert.deepEqual(await checked("codex"), [
      "ok",
      "not found; only agents and sessions of Codex need it",
      null,
    ]);
    program("codex", codex.tested);
    assert.deepEqual(await checked("codex"), ["ok", `${codex.tested}, which oj is tested with`, null]);
    program("codex", "99.0.1");
    assert.deepEqual(await checked("codex"), [
      "ok",
      `99.0.1; not tested: oj is tested with ${codex.tested}`,
      null,
    ]);
    program("claude", "0.1.0");
    assert.deepEqual(await checked("claude"), [
      "warning",
      `Claude Code 0.1.0 is older than ${claude.tested}, which oj is tested with`,
      "claude update",
    ]);
    fs.writeFileSync(path.join(dir, "claude"), "#!/bin/sh\nexit 1\n");
    assert.match(String((await checked("claude"))[1]), /of unknown version; oj is tested with/);
  });

  it("requires UTF-8, judged by the variable that counts", () => {
    assert.equal(checkLocale({ LANG: "de_DE.UTF-8" }).state, "ok");
    assert.equal(checkLocale({ LANG: "C.utf8" }).state, "ok");
    assert.equal(checkLocale({ LANG: "en_US.UTF-8", LC_ALL: "C" }).state, "warning");
  });
});
