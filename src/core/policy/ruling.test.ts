import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call, hookedAgent } from "../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { readPolicies } from "../../runbook/policies.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { acceptFiles, switchPolicy } from "./accept.ts";
import { readCall } from "./call.ts";
import type { Look, PolicyFile } from "./files.ts";

const FILE = "/shop/.oj/runbooks/policy.hcl";
const HCL = `
policy "look" {
  approve = { tool = "Bash", command = ["ls **", "pwd"] }
  at_most = "2/h"
}
policy "no push" {
  deny    = { tool = "Bash", command = "git push **" }
  message = "Not today."
}
policy "careful" {
  ask     = { tool = "Bash", command = "npm **" }
  urgency = "high"
}`;

const fileOf = (text: string, path = FILE): PolicyFile => ({
  path,
  text,
  personal: null,
  ...readPolicies(path, text),
});

/** An agent whose calls are judged by the files in `files`. */
async function judged(...files: PolicyFile[]) {
  const place = { cwd: "/shop", workspace: "/shop", home: null, real: new Map() };
  const now = { files };
  const look = async (
    _: unknown,
    given: { tool: string; input: unknown; sha256: string } | null,
  ): Promise<Look> => ({
    files: now.files,
    place,
    call: given && { call: readCall(given, place), sha256: given.sha256 },
  });
  const agent = await hookedAgent({ look });
  const accept = (...all: PolicyFile[]) =>
    agent.engine.run((state) => acceptFiles(state, { project: "p", files: all, by: "ana" }));
  let last: object | null = null;
  /** Asks for this call, once the one before has run. */
  const asks = async (command: string) => {
    if (last) await agent.send(last);
    last = call("PostToolUse", command);
    void agent.send(call("PermissionRequest", command), new AbortController().signal);
    await settled();
    const [asked] = await agent.engine.read((state) => [...state.decisions.values()].slice(-1));
    return asked ?? assert.fail("nothing was asked");
  };
  return { ...agent, now, accept, asks };
}

describe("policies of a project", () => {
  it("answer once their text was accepted, on the record", async () => {
    const file = fileOf(HCL);
    const it = await judged(file);
    assert.equal((await it.asks("ls")).state, "pending");
    await it.accept(file);
    const { state, answer } = await it.asks("ls -l");
    assert.equal(state, "resolved");
    const { name, hash, text } = file.policies[0] ?? assert.fail("no policy");
    assert.deepEqual(
      [answer?.by, answer?.via, answer?.policy],
      ['policy "look"', "policy", { name, hash, text }],
    );
    const [parcel] = (await it.agent()).outbox;
    assert.deepEqual(
      [parcel?.state, parcel?.reply?.type],
      ["owed", "approve"],
      "owed as a person's answer is",
    );
  });

  it("deny with their message", async () => {
    const file = fileOf(HCL);
    const it = await judged(file);
    await it.accept(file);
    const { answer } = await it.asks("git push");
    assert.deepEqual([answer?.labels, answer?.message], [["Deny"], "Not today."]);
  });

  it("say that it was a policy where they have no message, not that a person said no", async () => {
    const file = fileOf(HCL.replace('message = "Not today."', ""));
    const it = await judged(file);
    await it.accept(file);
    assert.equal((await it.asks("git push")).answer?.message, 'Policy "no push" denies this.');
  });

  it("ask a person with their urgency", async () => {
    const file = fileOf(HCL);
    const it = await judged(file);
    await it.accept(file);
    const { state, urgency, context } = await it.asks("npm test");
    assert.deepEqual([state, urgency], ["pending", "high"]);
    assert.match(context, /Policy "careful" wants a person to decide this/);
  });

  for (const [how, changed] of [
    ["edited", fileOf(HCL.replace("ls **", "rm **"))],
    ["only a comment longer", fileOf(`${HCL}\n#`)],
    ["moved to another name", fileOf(HCL, "/shop/.oj/runbooks/other.hcl")],
  ] as const)
    it(`count for nothing as soon as their file is ${how}`, async () => {
      const it = await judged(changed);
      await it.accept(fileOf(HCL));
      for (const line of ["ls", "git push"]) {
        const { state, action } = await it.asks(line);
        assert.deepEqual([state, action?.input], ["pending", { command: line }]);
      }
    });

  it("don't count again when an older text comes back that was accepted once", async () => {
    const [old, next] = [fileOf(HCL), fileOf(`${HCL}\n# 2`)];
    const it = await judged(old);
    await it.accept(old);
    await it.accept(next);
    assert.equal((await it.asks("ls")).state, "pending");
  });

  it("are off and on again, as a person says", async () => {
    const file = fileOf(HCL);
    const it = await judged(file);
    await it.accept(file);
    const turn = (on: boolean) =>
      it.engine.run((state) =>
        switchPolicy(state, { project: "p", name: "no push", on, by: "ana", known: ["no push"] }),
      );
    await turn(false);
    assert.equal((await it.asks("git push")).state, "pending");
    await turn(true);
    assert.equal((await it.asks("git push -v")).state, "resolved");
    await assert.rejects(
      it.engine.run((state) =>
        switchPolicy(state, { project: "p", name: "nope", on: true, by: "ana", known: [] }),
      ),
      { code: "request.not-found" },
    );
  });

  it("stop at their bound, and say so", async () => {
    const file = fileOf(HCL);
    const it = await judged(file);
    await it.accept(file);
    for (const line of ["ls a", "ls b"]) assert.equal((await it.asks(line)).state, "resolved");
    const { state, context } = await it.asks("ls c");
    assert.equal(state, "pending");
    assert.match(context, /Policy "look" .*at_most 2\/h/);
  });

  it("are known to the next daemon", async () => {
    const file = fileOf(HCL);
    const it = await judged(file);
    await it.accept(file);
    await it.asks("ls");
    const text = await it.engine.read((state) => encodeState(state));
    const book = decodeState(text).policies.get("p");
    assert.equal(book?.accepted[FILE]?.text, HCL);
    assert.equal(book?.used.look?.length, 1);
  });
});

describe("what can't be undone", () => {
  const LIST = "/shop/.oj/runbooks/lasting.hcl";
  const policy = fileOf('policy "make" { approve = { tool = "Bash", command = "make **" } }');
  const ship = fileOf('irreversible "ship" { command = "make ship **" }', LIST);

  for (const [how, left] of [
    ["its file is gone", []],
    ["its file is empty", [fileOf("", LIST)]],
    ["its file can't be read any more", [fileOf('irreversible "ship" {', LIST)]],
    ["its block says less", [fileOf('irreversible "ship" { command = "make ship --now" }', LIST)]],
  ] as const)
    it(`stays on the list when ${how}, until a person accepts that`, async () => {
      const it = await judged(policy, ship);
      await it.accept(policy);
      assert.equal((await it.asks("make all")).state, "resolved");
      it.now.files = [policy, ...left];
      assert.equal((await it.asks("make ship")).state, "pending");
      const text = await it.engine.read((state) => encodeState(state));
      assert.equal(decodeState(text).policies.get("p")?.listed?.[LIST]?.[0]?.name, "ship");
      await it.accept(policy);
      assert.equal((await it.asks("make ship -v")).state, "pending", "another file was accepted");
      await it.accept(policy, left[0] ?? fileOf("", LIST));
      assert.equal((await it.asks("make ship -k")).state, "resolved");
    });

  it("counts while its file is not accepted, and whoever floods the list approves nothing at all", async () => {
    const many = Array.from({ length: 600 }, (_, n) => `irreversible "n${n}" { command = "none ${n}" }`);
    const it = await judged(policy, fileOf(many.join("\n"), LIST));
    await it.accept(policy);
    assert.equal((await it.asks("make all")).state, "pending");
    it.now.files = [policy];
    assert.equal((await it.asks("make all -k")).state, "pending");
  });
});

describe("a person's own policies", () => {
  it("count as they are, until they expire", async () => {
    const own = { ...fileOf('policy "mine" { approve = { tool = "Bash", command = "ls" } }') };
    const fresh = await judged({ ...own, personal: { since_ms: Date.now() * 10 } });
    assert.equal((await fresh.asks("ls")).state, "resolved");
    const old = await judged({ ...own, personal: { since_ms: -365 * 86_400_000 } });
    const { state, context } = await old.asks("ls");
    assert.equal(state, "pending");
    assert.match(context, /expired/);
  });
});
