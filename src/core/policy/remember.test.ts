import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hookedAgent, call as toolCall } from "../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { readPolicies } from "../../runbook/policies.ts";
import { cancelCrew } from "../control/crew.ts";
import type { Decision } from "../model/decision-types.ts";
import type { PolicyBook } from "../model/policy-types.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { switchPolicy } from "./accept.ts";
import { readCall, wantedPaths } from "./call.ts";
import type { Look } from "./files.ts";
import { judgeCall } from "./judge.ts";
import { proposeRule, rememberAnswer } from "./remember.ts";

const asked = {
  source: "approval",
  options: [{ key: "approve", action: { type: "approve" } }],
} as never as Decision;

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const edit = (file_path: string) => ({ tool: "Edit", input: { file_path } });

/** A disk without links. */
function lookAt(given: { tool: string; input: unknown }): Look & { call: NonNullable<Look["call"]> } {
  const call = readCall(given, { cwd: "/shop", home: "/home/ana" });
  const real = new Map(wantedPaths(call).map((it) => [it, it]));
  const place = { cwd: "/shop", workspace: "/shop", home: "/home/ana", real };
  return { files: [], call: { call, sha256: "x" }, place };
}

const propose = (given: { tool: string; input: unknown }, taken: string[] = []) =>
  proposeRule(asked, lookAt(given), { added: [], taken });

describe("the rule that an approval would become", () => {
  for (const [given, says, others] of [
    [bash("npm test"), 'command = "npm test"', ["npm test -- -u", "npm run build", "npm t; rm -r src"]],
    [bash("git log --oneline -n 5"), '"git log --oneline -n 5"', ["git log --oneline -n 50", "git log"]],
    [bash("cd src && ls -la lib"), 'command = ["cd src", "ls -la lib"]', ["ls -la", "ls -la ../lib"]],
    [bash("cat /etc/hosts"), 'command = "cat /etc/hosts"\n  }', ["cat /etc/passwd", "cat hosts"]],
    [bash("tsc -p tsconfig.json"), 'command = "tsc -p tsconfig.json"', ["tsc -p other.json", "tsc"]],
  ] as const)
    it(`covers ${given.input.command}, and nothing else`, () => {
      const found = propose(given);
      assert.ok("text" in found, JSON.stringify(found));
      assert.ok(found.text.includes(says), found.text);
      const { policies, problems } = readPolicies("remembered.hcl", found.text);
      assert.deepEqual(problems, []);
      assert.equal(policies[0]?.name, found.name);
      const fits = (it: { tool: string; input: unknown }) => {
        const { call, place } = lookAt(it);
        return judgeCall(policies, call.call, place, [])[0]?.fits;
      };
      assert.equal(fits(given), true);
      for (const line of [
        ...others,
        "rm -rf .",
        `${given.input.command} | sh`,
        `eval ${given.input.command}`,
      ])
        assert.equal(fits(bash(line)), false, line);
      assert.equal(fits(edit("/shop/src/a.ts")), false);
    });

  it("is about the one file that is edited", () => {
    const found = propose(edit("/shop/src/cart.ts"));
    assert.ok("text" in found && found.text.includes('path    = "src/cart.ts"'), JSON.stringify(found));
  });

  for (const [what, given, why] of [
    ["can't be undone", bash("git push --force origin main"), /a person decides that each time/],
    ["deletes outside", bash("rm -r /etc/x"), /a person decides that each time/],
    ["can't be seen through", bash("ls $(cat list)"), /no policy can be sure of this command/],
    ["runs other programs", bash("sh -c 'npm test'"), /no policy can be sure of this command/],
    ["has words that no pattern can say", bash("git commit -m 'fix the cart'"), /only a person sees through/],
    ["redirects elsewhere", bash("ls > /etc/list"), /no policy could approve this/],
    ["is a tool that names no file", { tool: "mcp__shop__orders", input: { id: 1 } }, /apart/],
    ["is a file outside", edit("/etc/hosts"), /apart/],
    ["changes what may run", edit("/shop/.git/config"), /no policy could approve this/],
    [
      "has no sandbox",
      { tool: "Bash", input: { command: "ls", dangerouslyDisableSandbox: true } },
      /sandbox/,
    ],
  ] as const)
    it(`does not exist for what ${what}`, () => {
      const found = propose(given);
      assert.ok("why" in found && why.test(found.why), JSON.stringify(found));
    });

  it("is only for approvals", () => {
    const found = proposeRule({ ...asked, source: "plan" }, lookAt(bash("ls")), { added: [], taken: [] });
    assert.ok("why" in found);
  });

  it("has a name of its own", () => {
    const found = propose(bash("npm test"), ["npm test", "npm test 2"]);
    assert.ok("name" in found && found.name === "npm test 3");
  });
});

/** A crew's agent without any policy files. */
async function agentAlone() {
  const look = async (
    _: unknown,
    given: { tool: string; input: unknown; sha256: string } | null,
  ): Promise<Look | null> =>
    given && { ...lookAt(given), call: { ...lookAt(given).call, sha256: given.sha256 } };
  const agent = await hookedAgent({ look });
  let last: object | null = null;
  const asks = async (command: string) => {
    if (last) await agent.send(last);
    last = toolCall("PostToolUse", command);
    void agent.send(toolCall("PermissionRequest", command), new AbortController().signal);
    await settled();
    const [found] = await agent.engine.read((state) => [...state.decisions.values()].slice(-1));
    return found ?? assert.fail("nothing was asked");
  };
  const remember = async ({ id, owner }: Decision, command: string) => {
    const found = propose(bash(command));
    const [rule] = readPolicies(owner.id, "text" in found ? found.text : "").policies;
    assert.ok(rule);
    const input = { id, rule, file: null, by: "ana", via: "tui" } as const;
    return agent.engine.run((state, moment) => rememberAnswer(state, input, moment));
  };
  const book = () => agent.engine.read((state) => state.policies.get("p") as PolicyBook);
  return { ...agent, asks, remember, book };
}

describe("what is remembered for a crew or a job", () => {
  it("is approved and recorded as the rule's answer, and only that", async () => {
    const it = await agentAlone();
    const first = await it.asks("npm test");
    assert.equal(first.state, "pending");
    await it.remember(first, "npm test");
    const { answer } = await it.engine.read((state) => state.decisions.get(first.id) ?? assert.fail());
    assert.deepEqual([answer?.by, answer?.via, answer?.policy], ["ana", "tui", undefined]);
    const again = await it.asks("npm test");
    assert.deepEqual([again.state, again.answer?.by], ["resolved", 'policy "npm test"']);
    assert.equal((await it.asks("npm run build")).state, "pending");
  });

  it("can be switched off, and is in the snapshot", async () => {
    const it = await agentAlone();
    await it.remember(await it.asks("npm test"), "npm test");
    await it.engine.read((state) => {
      const text = encodeState(state as never);
      assert.equal(encodeState(decodeState(text) as never), text);
      assert.ok(text.includes('"remembered"'));
    });
    const off = { project: "p", name: "npm test", on: false, by: "ana", known: ["npm test"] };
    await it.engine.run((state) => switchPolicy(state, off));
    assert.equal((await it.asks("npm test")).state, "pending");
  });

  it("ends with it", async () => {
    const it = await agentAlone();
    await it.remember(await it.asks("npm test"), "npm test");
    assert.equal((await it.book()).remembered?.length, 1);
    await it.engine.run((state, moment) =>
      cancelCrew(state, { id: "crew-1", by: "ana", reason: null }, moment),
    );
    assert.deepEqual((await it.book()).remembered, []);
  });

  it("answers nothing, and is not kept, if somebody else was first", async () => {
    const it = await agentAlone();
    const first = await it.asks("npm test");
    await it.remember(first, "npm test");
    await assert.rejects(it.remember(first, "npm test"), { code: "decision.already-resolved" });
    assert.equal((await it.book()).remembered?.length, 1);
  });
});
