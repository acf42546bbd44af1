import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Decision } from "../../core/model/decision-types.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { readCall } from "../../core/policy/call.ts";
import { suggesting, suggestPolicies } from "../../core/policy/suggest.ts";
import { triedFrom, tryPolicies } from "../../core/policy/try.ts";
import { readPolicies } from "../../runbook/policies.ts";
import type { PastAnswer } from "./history.ts";
import { inTurns } from "./slices.ts";
import { tryOn } from "./tried.ts";

const ANSWERS = 2000;
const POLICIES = 20;
const WORKSPACE = "/shop";
const place = { cwd: WORKSPACE, workspace: WORKSPACE, home: null, real: new Map() };

const { policies } = readPolicies(
  "x.hcl",
  Array.from(
    { length: POLICIES },
    (_, n) => `policy "p${n}" {\n  approve = { tool = "Bash", command = "echo t${n} **" }\n}\n`,
  ).join("\n"),
);

/** Every seventh was denied. */
const past: PastAnswer[] = Array.from({ length: ANSWERS }, (_, n) => {
  const action = { tool: "Bash", input: { command: `echo t${n % 40} a${n}` }, sha256: `${n}` };
  const decision = {
    id: `dec-${n}`,
    project: "shop",
    source: "approval",
    action,
    agent_id: null,
    owner: { kind: "job", id: `job-${n % 3}`, name: "work", step: "a" },
    questions: [],
    title: "",
    context: "",
    options: ["approve", "deny"].map((key) => ({ key, action: { type: key } })),
    answer: null,
  } as unknown as Decision;
  const chose = n % 7 === 0 ? "deny" : "approve";
  return {
    root: null,
    precedent: { decision, chose, asker: `job-${n % 3}`, at_ms: n * 60_000 },
    look: { files: [], call: { call: readCall(action, place), sha256: action.sha256 }, place },
  };
});

/** How often others had their turn while this was done. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ made: T; turns: number }> {
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      turns += 1;
    }
  })();
  const made = await work();
  isOver = true;
  await others;
  return { made, turns };
}

describe("what a long history is tried with", () => {
  it("lets others have a turn all the time, and comes to the same result", async () => {
    const state = emptyState();
    let most = 0;
    const read = async <T>(work: (it: typeof state) => T): Promise<T> => work(state);
    const engine = {
      read: <T>(work: (it: typeof state) => T) => {
        const before = judged;
        return read((it) => {
          const made = work(it);
          most = Math.max(most, judged - before);
          return made;
        });
      },
    };
    let judged = 0;
    const counting = past.map((it) => ({
      ...it,
      get look() {
        judged += 1;
        return it.look;
      },
    }));
    const { made, turns } = await turnsDuring(() => tryOn(engine as never, counting, policies));
    assert.deepEqual(made, triedFrom(past, tryPolicies(state, past, policies)));
    assert.equal(made.answered, ANSWERS / 2);
    assert.ok(made.disagreed.length > 0 && made.agreed > made.disagreed.length);
    assert.equal(judged, ANSWERS);
    assert.equal(most, 10, "answers between two turns");
    assert.ok(turns >= ANSWERS / 10, `${turns} turns`);
  });

  it("is grouped and looked through in the same way for suggestions", async () => {
    const calls = past.flatMap(({ precedent, look }) =>
      look.call ? [{ precedent, call: look.call.call, place }] : [],
    );
    const options = { added: [], policies: [], dayOf: (ms: number) => `${Math.floor(ms / 86_400_000)}` };
    const { made, turns } = await turnsDuring(() => inTurns(suggesting(calls, options)));
    assert.deepEqual(made, suggestPolicies(calls, options));
    assert.ok(turns >= ANSWERS / 50, `${turns} turns`);
  });
});
