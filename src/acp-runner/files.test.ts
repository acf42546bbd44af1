import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { readTextFile, writeTextFile } from "./files.ts";
import { startTerminals } from "./terminals.ts";

/** A workspace beside something that is not the program's. */
function place() {
  const top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-acp-")));
  onTestFinished(() => fs.rmSync(top, { recursive: true }));
  const root = path.join(top, "work");
  fs.mkdirSync(path.join(root, "sub"), { recursive: true });
  fs.mkdirSync(path.join(top, "work-not"));
  fs.writeFileSync(path.join(top, "secret"), "s3cret");
  fs.writeFileSync(path.join(root, "a.txt"), "one\ntwo\nthree\n");
  return { top, root };
}

describe("a file that a program asks for", () => {
  it("is read whole or in part, and written with its folders", () => {
    const { root } = place();
    const file = path.join(root, "a.txt");
    assert.equal(readTextFile(root, { path: file }).content, "one\ntwo\nthree\n");
    assert.equal(readTextFile(root, { path: file, line: 2, limit: 1 }).content, "two");
    const gone = path.join(root, "gone.txt");
    assert.throws(() => readTextFile(root, { path: gone }), /ENOENT/);
    assert.equal(readTextFile(root, { path: gone }, "").content, "");
    writeTextFile(root, { path: path.join(root, "new/deep/b.txt"), content: "b" });
    assert.equal(fs.readFileSync(path.join(root, "new/deep/b.txt"), "utf8"), "b");
  });

  it("is neither read nor written outside the workspace, whatever its path and wherever links lead", () => {
    const { top, root } = place();
    fs.symlinkSync(path.join(top, "secret"), path.join(root, "link"));
    fs.symlinkSync(top, path.join(root, "up"));
    fs.symlinkSync(path.join(top, "nothing"), path.join(root, "dangling"));
    fs.symlinkSync("loop", path.join(root, "loop"));
    const hostile = [
      path.join(top, "secret"),
      `${root}/../secret`,
      `${root}/sub/../../secret`,
      path.join(root, "link"),
      path.join(root, "up/secret"),
      path.join(root, "up/new-file"),
      path.join(root, "dangling"),
      path.join(root, "loop"),
      path.join(top, "work-not/file"),
      "/etc/passwd",
      "/proc/self/environ",
      "a.txt",
      "",
      `${root}/a.txt\0`,
      7,
      null,
    ];
    for (const it of hostile) {
      assert.throws(() => readTextFile(root, { path: it }), `read ${String(it)}`);
      assert.throws(() => writeTextFile(root, { path: it, content: "x" }), `write ${String(it)}`);
    }
    assert.equal(fs.readFileSync(path.join(top, "secret"), "utf8"), "s3cret");
    assert.deepEqual(fs.readdirSync(top).sort(), ["secret", "work", "work-not"]);
  });

  it("is a file: no folder, and no pipe that would keep us waiting", () => {
    const { root } = place();
    const pipe = path.join(root, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const it of [pipe, root, path.join(root, "sub")]) {
      assert.throws(() => readTextFile(root, { path: it }), /not a file|can't be opened/);
      assert.throws(() => writeTextFile(root, { path: it, content: "x" }), /not a file|can't be opened/);
    }
    assert.throws(() => writeTextFile(root, { path: path.join(root, "x"), content: 7 }), /must be a text/);
  });
});

describe("a command that a program has us run", () => {
  it("runs in the workspace, with its output up to the limit, and tells how it ended", async () => {
    const { root } = place();
    const terminals = startTerminals(root, process.env);
    onTestFinished(() => terminals.close());
    const made = await terminals.handle("terminal/create", {
      command: "sh",
      args: ["-c", 'echo "$WORD in $(pwd)"; printf 123456789; exit 3'],
      env: [{ name: "WORD", value: "here" }],
      cwd: path.join(root, "sub"),
      outputByteLimit: 20,
    });
    assert.deepEqual(await terminals.handle("terminal/wait_for_exit", made as object as never), {
      exitCode: 3,
      signal: null,
    });
    const shown = (await terminals.handle("terminal/output", made as object as never)) as { output: string };
    assert.deepEqual(
      { ...shown, output: shown.output.slice(-9) },
      {
        output: "123456789",
        truncated: true,
        exitStatus: { exitCode: 3, signal: null },
      },
    );
    assert.equal(shown.output.length, 20);
  });

  it("ends with all that it started, and is refused elsewhere", async () => {
    const { root, top } = place();
    const terminals = startTerminals(root, process.env);
    onTestFinished(() => terminals.close());
    const made = (await terminals.handle("terminal/create", {
      command: "sh",
      args: ["-c", "sleep 1000 & wait"],
    })) as Record<string, unknown>;
    await terminals.handle("terminal/kill", made);
    assert.deepEqual(await terminals.handle("terminal/wait_for_exit", made), {
      exitCode: null,
      signal: "SIGKILL",
    });
    await terminals.handle("terminal/release", made);
    await assert.rejects(terminals.handle("terminal/output", made), /no such terminal/);
    await assert.rejects(terminals.handle("terminal/create", { command: "ls", cwd: top }), /outside/);
    await assert.rejects(terminals.handle("terminal/create", {}), /command is missing/);
    await assert.rejects(terminals.handle("terminal/paint", {}), /unknown method/);
    const lost = (await terminals.handle("terminal/create", { command: "no-such-program" })) as never;
    assert.deepEqual(await terminals.handle("terminal/wait_for_exit", lost), { exitCode: 127, signal: null });
  });
});
