import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, it } from "vitest";
import { startPolicies } from "./policies.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "oj-policies-"));
const folder = path.join(root, ".oj/runbooks");
const policy = (name: string) => `policy "${name}" { deny = { tool = "Bash" } }`;

/** The names of the policies that are read now. */
async function names(): Promise<string[]> {
  const own = path.join(root, "policy.hcl");
  const files = await startPolicies({ realPaths: async () => new Map() }, { own, home: root }).files(root);
  return files.flatMap((it) => it.policies.map((one) => one.name));
}

describe("the files of policies", () => {
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  it("are read as they are now, the person's own last", async () => {
    assert.deepEqual(await names(), [], "there is no folder");
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "b.hcl"), policy("b"));
    fs.writeFileSync(path.join(folder, "a.hcl"), policy("a"));
    fs.writeFileSync(path.join(root, "policy.hcl"), policy("own"));
    assert.deepEqual(await names(), ["a", "b", "own"]);
    fs.writeFileSync(path.join(folder, "a.hcl"), policy("new"));
    assert.deepEqual(await names(), ["new", "b", "own"]);
  });

  it("have the escalations that an ask names, whichever file declares them", async () => {
    fs.mkdirSync(folder, { recursive: true });
    const ask = `policy "p" {\n  ask = { tool = "Bash" }\n  escalation = "prod"\n}`;
    fs.writeFileSync(path.join(folder, "a.hcl"), ask);
    fs.writeFileSync(path.join(folder, "b.hcl"), `escalation "prod" { level { notify = ["ana"] } }`);
    const given = { own: path.join(root, "policy.hcl"), home: root };
    const policies = startPolicies({ realPaths: async () => new Map() }, given);
    const call = { tool: "Bash", input: { command: "ls" }, sha256: "" };
    const look = await policies.look({ root, cwd: root, workspace: root }, call);
    assert.deepEqual(
      look?.files.map((it) => [it.policies.length, it.escalations.map(({ name }) => name)]),
      [
        [1, []],
        [0, ["prod"]],
      ],
    );
  });

  it("are read again after any change, however long they were kept", async () => {
    const own = path.join(root, "policy.hcl");
    // as if the files had been lying there for long
    const given = { own, home: root, now: () => Date.now() + 60_000 };
    const policies = startPolicies({ realPaths: async () => new Map() }, given);
    const kept = async () => {
      const read = await policies.files(root);
      assert.deepEqual(await policies.files(root), read);
      return read.flatMap((it) => it.policies.map((one) => one.name)).join(" ");
    };
    const a = path.join(folder, "a.hcl");
    const elsewhere = path.join(root, "elsewhere.hcl");
    const changes: [what: string, change: () => void, then: string][] = [
      ["nothing is there", () => undefined, ""],
      ["a folder", () => fs.mkdirSync(folder, { recursive: true }), ""],
      ["a file", () => fs.writeFileSync(a, policy("a1")), "a1"],
      ["other words", () => fs.writeFileSync(a, policy("a22")), "a22"],
      ["one more", () => fs.writeFileSync(path.join(folder, "b.hcl"), policy("b")), "a22 b"],
      ["the person's own", () => fs.writeFileSync(own, policy("own")), "a22 b own"],
      ["one less", () => fs.rmSync(path.join(folder, "b.hcl")), "a22 own"],
      [
        "another file of the same size and time",
        () => {
          const { atime, mtime } = fs.statSync(a);
          fs.writeFileSync(elsewhere, policy("a33"));
          fs.utimesSync(elsewhere, atime, mtime);
          fs.renameSync(elsewhere, a);
        },
        "a33 own",
      ],
      [
        "a link to a file that is not there",
        () => {
          fs.rmSync(a);
          fs.symlinkSync(elsewhere, a);
        },
        "own",
      ],
      ["and now it is", () => fs.writeFileSync(elsewhere, policy("linked")), "linked own"],
      ["the person's own is gone", () => fs.rmSync(own), "linked"],
      ["the folder is gone", () => fs.rmSync(folder, { recursive: true }), ""],
    ];
    for (const [what, change, then] of changes) {
      change();
      assert.equal(await kept(), then, what);
    }
  });

  it("are never waited for: a pipe, a folder and what is too large are no files", {
    timeout: 20_000,
  }, async () => {
    fs.mkdirSync(path.join(folder, "folder.hcl"), { recursive: true });
    execFileSync("mkfifo", [path.join(folder, "pipe.hcl")]);
    fs.symlinkSync("/dev/zero", path.join(folder, "zero.hcl"));
    fs.writeFileSync(path.join(folder, "large.hcl"), policy("large").padEnd(2 ** 20 + 1));
    fs.writeFileSync(path.join(folder, "plain.hcl"), policy("plain"));
    assert.deepEqual(await names(), ["plain"]);
  });
});
