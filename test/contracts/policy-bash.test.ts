/**
 * The judge against bash itself: random lines are judged, and those that would be approved are run, with every program
 * replaced by a note of its arguments. Whatever was approved has run nothing but what was approved.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { realPaths } from "../../src/adapters/files/real-paths.ts";
import { readCall, wantedPaths } from "../../src/core/policy/call.ts";
import { judgeCall } from "../../src/core/policy/judge.ts";
import { policiesIn } from "../unit/policy/judged.ts";
import { lineMaker } from "../unit/policy/lines.ts";

const LINES = Number(process.env.OJ_POLICY_LINES ?? 4000);
const BATCH = 500;

const runbook = policiesIn(`
policy "look" {
  approve = {
    tool = "Bash"
    command = ["git status **", "git log **", "ls **", "echo **", "cat **", "npm test", "cd **", "grep **", "rm build"]
    within = "workspace"
  }
}`);

/** The same patterns, read by nobody's reader. */
const APPROVED =
  /^(?:git\0(?:-C\0[^\0]*\0)?(?:status|log)(?:\0.*)?|(?:ls|echo|cat|grep)(?:\0.*)?|npm\0(?:test|t|tst)(?:\0--)?|rm\0(?:--\0)?build(?:\0--)?)$/s;

/** Bash writes at each newline, and both ends of a pipe write at once: without newlines, each note is one write. */
const DRIVER = `
command_not_found_handle() { builtin printf '%s\\0' "\${#@}" "\${@//$'\\n'/$'\\1'}" >> "$LOG"; }
for name in echo pwd kill type test [ true false times ulimit umask; do enable -n "$name"; done
mapfile -d '' lines < "$1"
for at in "\${!lines[@]}"; do
  printf '#%s\\0' "$at" >> "$LOG"
  ( cd "$2" && PATH="$3" eval "\${lines[at]}"; wait ) < /dev/null > /dev/null 2>&1
done
`;

describe("whatever is approved", () => {
  let box = "";
  const at = (name: string) => path.join(box, name);
  beforeAll(() => {
    box = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-policy-")));
    for (const it of ["work/src", "outside", "empty", "home"]) fs.mkdirSync(at(it), { recursive: true });
    fs.symlinkSync(at("outside"), at("work/link"));
    for (const it of ["work/a", "work/src/b", "outside/secret"]) fs.writeFileSync(at(it), "");
    for (const it of ["work/evil", "outside/evil", "home/evil"])
      fs.writeFileSync(at(it), `#!/bin/sh\nprintf '%s\\0' 1 ./evil >> '${at("log")}'\n`, { mode: 0o755 });
  });
  afterAll(() => fs.rmSync(box, { recursive: true, force: true }));

  it(`runs only what was approved (${LINES} lines)`, { timeout: 3_600_000 }, async () => {
    const make = lineMaker(Number(process.env.OJ_SEED ?? 20261116) || Date.now());
    const known = new Map<string, string | null>();
    let approved: string[] = [];
    let count = 0;
    const wrong: string[] = [];
    const flush = async () => {
      count += approved.length;
      wrong.push(...(await unapproved(approved)));
      approved = [];
    };
    for (let n = 0; n < LINES; n++) {
      const line = make();
      const place = { cwd: at("work"), workspace: at("work"), home: at("home"), real: known };
      const call = readCall({ tool: "Bash", input: { command: line } }, place);
      const unknown = wantedPaths(call).filter((it) => !known.has(it));
      for (const [name, real] of await realPaths(unknown)) known.set(name, real);
      const [first] = judgeCall(runbook.policies, call, place, []);
      if (first?.fits) approved.push(line);
      if (approved.length >= BATCH) await flush();
    }
    await flush();
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      fs.readdirSync(at("outside")).sort(),
      ["evil", "secret"],
      "nothing was written elsewhere",
    );
    assert.deepEqual(fs.readdirSync(at("home")), ["evil"]);
    assert.ok(count > LINES / 20, `only ${count} of ${LINES} lines were approved`);
  });

  /** The lines that ran something else, each with what it ran. */
  async function unapproved(lines: readonly string[]): Promise<string[]> {
    fs.writeFileSync(at("lines"), lines.map((it) => `${it}\0`).join(""));
    fs.writeFileSync(at("log"), "");
    await bash(["-c", DRIVER, "bash", at("lines"), at("work"), at("empty")]);
    const found: string[] = [];
    let line = "";
    const words = fs.readFileSync(at("log"), "utf8").split("\0");
    for (let n = 0; n < words.length - 1; ) {
      const word = words[n] ?? "";
      if (word.startsWith("#")) {
        line = lines[Number(word.slice(1))] ?? "";
        n++;
        continue;
      }
      const argv = words.slice(n + 1, n + 1 + Number(word));
      n += 1 + Number(word);
      if (!APPROVED.test(argv.join("\0"))) found.push(`${JSON.stringify(line)} ran ${JSON.stringify(argv)}`);
    }
    return found;
  }

  function bash(args: string[]): Promise<void> {
    const env = {
      HOME: at("home"),
      PATH: "/usr/bin:/bin",
      LOG: at("log"),
      x: "evil now",
      y: ";evil",
      LC_ALL: "C.UTF-8",
    };
    return new Promise((resolve, reject) => {
      const child = spawn("bash", ["--norc", "--noprofile", ...args], { env, stdio: "ignore" });
      child.on("error", reject);
      child.on("close", () => resolve());
    });
  }
});
