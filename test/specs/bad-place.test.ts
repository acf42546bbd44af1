import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Refusal } from "./support/views.ts";

interface Decision {
  id: string;
  title: string;
}

/** Runs a command that must fail, in text and in JSON. */
async function refusedBy(project: Project, ...args: string[]): Promise<{ text: string; code: string }> {
  const plain = await project.run(...args);
  assert.equal(plain.code, 3, plain.stdout + plain.stderr);
  assert.equal(plain.stdout, "");
  assert.match(plain.stderr, /^✗ .+\n {2}→ .+\n$/s);
  const json = await project.run(...args, "-o", "json");
  assert.equal(json.code, 3);
  const { error } = JSON.parse(json.stdout) as Refusal;
  assert.ok(error.hint);
  return { text: plain.stderr, code: error.code };
}

/** Asks a few questions and stops the daemon, so that everything is in one file. */
async function written(prompts: string[]): Promise<{ project: Project; file: string }> {
  const project = await tempProject();
  for (const prompt of prompts)
    assert.equal((await project.run("decision", "request", "--prompt", prompt, "--option", "y: z")).code, 0);
  await project.run("daemon", "stop");
  return { project, file: path.join(project.stateDir, "events.db") };
}

const titles = async (project: Project) =>
  (await project.json<Decision[]>("decision", "list")).map((it) => it.title);

/** Changes one byte where this text is written. */
function damage(file: string, text: string): void {
  const bytes = fs.readFileSync(file);
  const at = bytes.lastIndexOf(text);
  assert.ok(at > 0, `"${text}" is in ${file}`);
  bytes[at] = "#".charCodeAt(0);
  fs.writeFileSync(file, bytes);
}

describe("a state folder that can't be used", () => {
  also("is refused because it is a file", async () => {
    const project = await tempProject();
    fs.writeFileSync(project.stateDir, "here first", { mode: 0o644 });
    const { text, code } = await refusedBy(project, "decision", "list");
    assert.equal(code, "store.read-only");
    assert.match(text, /the state folder can't be used: .*state/);
    assert.match(text, /OJ_STATE_DIR/);
    assert.equal(fs.readFileSync(project.stateDir, "utf8"), "here first");
    assert.equal(fs.statSync(project.stateDir).mode & 0o777, 0o644);
    fs.rmSync(project.stateDir);
  });

  it("is refused because nothing can be created in it", async ({ skip }) => {
    const project = await tempProject();
    fs.mkdirSync(project.stateDir, { mode: 0o700 });
    const undo = lockFolder(project.stateDir);
    if (undo === null) return skip("no file system here lets root be kept out (chattr +i)");
    try {
      const { text, code } = await refusedBy(project, "decision", "list");
      assert.equal(code, "store.read-only");
      assert.match(text, /state/);
    } finally {
      undo();
    }
    assert.equal((await project.run("decision", "list")).code, 0, "it works once it may be written to");
  });

  also("is refused because the path of its socket would be too long", async () => {
    const project = await tempProject();
    const deep = path.join(project.home, "d".repeat(60), "e".repeat(60));
    project.env.OJ_STATE_DIR = deep;
    const { text, code } = await refusedBy(project, "decision", "list");
    assert.equal(code, "daemon.failed");
    assert.match(text, /the socket's path has \d+ bytes; the system allows 107/);
    assert.match(text, /OJ_STATE_DIR/);
  });
});

describe("a log of a newer version", () => {
  it("is refused, naming that version, and left untouched", async () => {
    const { project, file } = await written(["one", "two"]);
    const bytes = fs.readFileSync(file);
    const { version } = JSON.parse(
      fs.readFileSync(path.join(import.meta.dirname, "../../package.json"), "utf8"),
    ) as { version: string };
    const at = bytes.indexOf(`version${version}`);
    assert.ok(at > 0, "the log says who wrote it");
    bytes.write("9".repeat(version.length), at + "version".length);
    bytes.writeUInt32BE(99, 60); // SQLite's user_version, which states the format
    fs.writeFileSync(file, bytes);
    const before = contents(project.stateDir);
    const { text, code } = await refusedBy(project, "decision", "list");
    assert.equal(code, "store.newer");
    assert.match(text, new RegExp(`written by oj ${"9".repeat(version.length)}`));
    assert.deepEqual(contents(project.stateDir), before);
  });
});

describe("a damaged log", () => {
  it("with a damaged end keeps everything sound before it, says so, and sets the rest aside", async () => {
    const { project, file } = await written(["first question", "second question", "third question"]);
    damage(file, "third question");
    assert.deepEqual(await titles(project), ["first question", "second question"]);
    const { stdout } = await project.run("daemon", "status");
    assert.match(stdout.replaceAll(/\s+/g, " "), /! the log was damaged at event 3: .* is kept in /);
    const doctor = await project.run("doctor");
    assert.match(doctor.stdout + doctor.stderr, /damaged at event 3/);
    const kept = fs.readdirSync(project.stateDir).filter((it) => it.includes("damaged"));
    assert.equal(kept.length, 1);
    assert.ok(fs.readFileSync(path.join(project.stateDir, kept[0] ?? "")).includes("#hird question"));
    const after = await project.run("decision", "request", "--prompt", "fourth", "--option", "y: z");
    assert.equal(after.code, 0, after.stderr);
    await project.run("daemon", "restart");
    assert.deepEqual(await titles(project), ["first question", "second question", "fourth"]);
  });

  also("with damage in the middle is refused until somebody asks for a repair", async () => {
    const { project, file } = await written(["first question", "second question", "third question"]);
    damage(file, "second question");
    const before = fs.readFileSync(file);
    const { text, code } = await refusedBy(project, "decision", "list");
    assert.equal(code, "store.damaged");
    assert.match(text, /record 2/);
    assert.match(text, /oj daemon start --repair/);
    assert.ok(fs.readFileSync(file).equals(before), "nothing was touched");
    const repaired = await project.run("daemon", "start", "--repair");
    assert.equal(repaired.code, 0, repaired.stderr);
    assert.deepEqual(await titles(project), ["first question", "third question"], "what is sound is kept");
    const kept = fs.readdirSync(project.stateDir).find((it) => it.includes("damaged"));
    assert.ok(fs.readFileSync(path.join(project.stateDir, kept ?? "")).includes("#econd question"));
  });

  also("that is not a database at all is refused and kept", async () => {
    const { project, file } = await written(["one"]);
    fs.writeFileSync(file, "this was a log once\n".repeat(1000));
    const { code } = await refusedBy(project, "decision", "list");
    assert.equal(code, "store.damaged");
    assert.match(fs.readFileSync(file, "utf8"), /^this was a log once/);
    assert.equal((await project.run("daemon", "start", "--repair")).code, 0);
    assert.deepEqual(await titles(project), []);
  });
});

/** Every file with a hash of its content, except the daemon's own journal and its lock. */
function contents(folder: string): Record<string, string> {
  const names = fs.readdirSync(folder).filter((it) => !/^(daemon\.log|lock\.db.*)$/.test(it));
  return Object.fromEntries(
    names.map((it) => [
      it,
      createHash("sha256")
        .update(fs.readFileSync(path.join(folder, it)))
        .digest("hex"),
    ]),
  );
}

/** Keeps everybody from creating files there, even root; null if that can't be done. */
function lockFolder(folder: string): (() => void) | null {
  if (os.userInfo().uid !== 0) {
    fs.chmodSync(folder, 0o500);
    return () => fs.chmodSync(folder, 0o700);
  }
  try {
    execFileSync("chattr", ["+i", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  const undo = () => void execFileSync("chattr", ["-i", folder], { stdio: "ignore" });
  onTestFinished(undo);
  return undo;
}
