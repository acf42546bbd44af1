/** The benchmark beside others: the words for the original `oj`, which is not here, and what becomes of a peer that fails. */
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "vitest";
import { endIn } from "../bench/peers/commands.ts";
import type { Contestant } from "../bench/peers/contestant.ts";
import { findOriginal, why } from "../bench/peers/found.ts";
import { measureAll } from "../bench/peers/measure.ts";
import { original } from "../bench/peers/oddjobs.ts";

const AMOUNTS = { pending: 2, finished: 3, jobs: 4, callers: 2 };

/** A STAND-IN, not the original: it notes its command lines and does what the benchmark looks at, no more. */
const STAND_IN = `#!/bin/sh
echo "$*" >> "$(dirname "$0")/calls"
case "$1 $2" in
  "--version ") echo "oj 0.2.0 (stand-in)" ;;
  "daemon start") sleep 1000 > /dev/null 2>&1 & echo $! > "$OJ_STATE_DIR/daemon.pid" ;;
  "run mark") : > "$3" ;;
  "decision list") ;;
  *) echo "unknown: $*" >&2; exit 2 ;;
esac
`;

let dir: string;
let bin: string;

beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-peers-")));
  bin = path.join(dir, "bin");
  fs.mkdirSync(bin);
});

afterEach(async () => {
  await endIn(dir);
  fs.rmSync(dir, { recursive: true, force: true });
});

describe("OJ_PEER", () => {
  it("says what is missing in the folder", () => {
    assert.deepEqual(findOriginal(undefined), { reason: "OJ_PEER names no folder with its oj and ojd" });
    assert.deepEqual(findOriginal(bin), { reason: "there is no program oj and no ojd in OJ_PEER" });
    program("oj", STAND_IN);
    fs.writeFileSync(path.join(bin, "ojd"), "not executable");
    assert.deepEqual(findOriginal(bin), { reason: "there is no program ojd in OJ_PEER" });
  });

  it("takes the version from the program, and refuses one that has none", () => {
    for (const name of ["oj", "ojd"]) program(name, STAND_IN);
    assert.deepEqual(findOriginal(bin), { file: path.join(bin, "oj"), version: "0.2.0" });
    program("oj", "#!/bin/sh\nexit 3\n");
    assert.deepEqual(findOriginal(bin), { reason: "`oj --version` in OJ_PEER says no version" });
  });
});

it("a program that failed is quoted with the line that tells why", () => {
  const npm = "npm warn Unknown user config\nnpm error code 1\nnpm error command failed\n";
  const getaddrinfo = "npm error Error installing bd: getaddrinfo ENOTFOUND github.com\n";
  const said: [stderr: string, told: string][] = [
    [`${npm}${getaddrinfo}`, "Error installing bd: getaddrinfo ENOTFOUND github.com"],
    [npm, "command failed"],
    ["npm error code ECONNREFUSED\n", "code ECONNREFUSED"],
    ["W: unsandboxed\nE: Failed to fetch http://x/y.deb\n", "Failed to fetch http://x/y.deb"],
    ["Permission denied\n", "Permission denied"],
    [`E: Unable to ${"x".repeat(300)}`, `Unable to ${"x".repeat(109)}…`],
    ["", "it says nothing"],
  ];
  for (const [stderr, told] of said) assert.equal(why({ stderr, signal: null }), told);
  assert.equal(why({ stderr: "", signal: "SIGTERM" }), "it took too long");
  assert.equal(why({ error: new Error("spawn npm ENOENT"), stderr: null, signal: null }), "spawn npm ENOENT");
});

describe("the command lines of the original", () => {
  const start = "daemon start";
  const run = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `run mark DIR/${name}-${n}`);
  const expected: Record<string, string[]> = {
    version: ["--version"],
    list: [start, "decision list"],
    start: [start],
    memory: [start, "decision list"],
    recover: [start, ...run("finished", 3), start, "decision list"],
    job: [start, ...run("job-0", 1)],
    many: [start, ...run("many-0", 4)],
  };

  it("are known for each work that it has", () => {
    const { works } = original({ name: "the original", file: "oj", cache: dir }, AMOUNTS);
    assert.deepEqual(Object.keys(works).sort(), Object.keys(expected).sort());
  });

  for (const [work, words] of Object.entries(expected))
    it(work, async () => {
      const file = program("oj", STAND_IN);
      const { works } = original({ name: "the original", file, cache: dir }, AMOUNTS);
      const own = path.join(dir, "own");
      const once = await works[work as keyof typeof works]?.begin(own);
      const value = await once?.();
      assert.ok(value !== undefined && value > 0, `${value}`);
      const calls = fs.readFileSync(path.join(bin, "calls"), "utf8").replaceAll(own, "DIR");
      assert.deepEqual(byName(calls.trim().split("\n")), byName(words));
    });
});

describe("the rows", () => {
  const constant = (name: string, value: number): Contestant => ({
    name,
    works: { job: { words: `${name} run`, begin: async () => async () => value } },
  });

  it("compare ours with each peer, and name the peer with its version", async () => {
    const rows = await measureAll(path.join(dir, "w"), constant("oj", 20), [constant("x 1.0", 40)], AMOUNTS);
    const [only] = rows;
    assert.equal(rows.length, 1);
    assert.equal(only?.name, "x 1.0: x 1.0 run");
    assert.deepEqual([only?.measured, only?.floor, only?.ratio], ["20.0 ms", "40.0 ms x 1.0", "0.50×"]);
    assert.deepEqual(only?.values, { oj: 20, peer: 40 });
  });

  it("say that a peer failed, and go on with the others", async () => {
    const broken: Contestant = {
      name: "broken 2",
      works: {
        job: {
          words: "broken run",
          begin: async () => async () => {
            throw new Error("exit 1: no\nmore");
          },
        },
      },
    };
    const rows = await measureAll(
      path.join(dir, "w"),
      constant("oj", 20),
      [broken, constant("x", 10)],
      AMOUNTS,
    );
    assert.deepEqual(
      rows.map((it) => [it.name, it.floor]),
      [
        ["broken 2: broken run: failed: exit 1: no", ""],
        ["x: x run", "10.0 ms x"],
      ],
    );
  });

  it("a peer without such a thing has none, and its folder is gone", async () => {
    const without: Contestant = { name: "without", works: {} };
    const rows = await measureAll(path.join(dir, "w"), constant("oj", 20), [without], AMOUNTS);
    assert.deepEqual(
      rows.map((it) => it.name),
      ["nobody else here has that"],
    );
    assert.ok(!fs.existsSync(path.join(dir, "w/job")));
  });
});

function program(name: string, text: string): string {
  const file = path.join(bin, name);
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/** Callers at the same time come in any order. */
function byName(calls: string[]): string[] {
  return [...calls].sort();
}
