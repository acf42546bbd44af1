/** The recorded week, with and without the policies that the person's own answers suggest. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { Decision } from "../../../src/core/model/decision-types.ts";
import type { Policy, PolicyBook } from "../../../src/core/model/policy-types.ts";
import { boundReached } from "../../../src/core/policy/bounds.ts";
import { readCall, wantedPaths } from "../../../src/core/policy/call.ts";
import { judgeCall } from "../../../src/core/policy/judge.ts";
import { groupKey } from "../../../src/core/policy/shapes.ts";
import type { PastCall } from "../../../src/core/policy/suggest.ts";
import { suggestPolicies } from "../../../src/core/policy/suggest.ts";
import { readPolicies } from "../../../src/runbook/policies.ts";
import { also } from "../../everything.ts";
import { followed } from "../../fakes/fake-real-paths.ts";
import type { WeekCall } from "./week.ts";
import { ROOT, SHAPES, week } from "./week.ts";

const DAY_MS = 86_400_000;
const dayOf = (at_ms: number) => String(Math.floor(at_ms / DAY_MS));

/** The links that hostile calls rely on are there. */
const LINKS = new Map(
  ["shop", "site", "tools"].flatMap((it): [string, string][] => [
    [`${ROOT(it)}/link`, "/etc"],
    [`${ROOT(it)}/deep/hop`, "../link"],
    [`${ROOT(it)}/loop`, "loop"],
  ]),
);

function looked({ tool, input, project }: WeekCall): Pick<PastCall, "call" | "place"> {
  const place = {
    cwd: ROOT(project),
    workspace: ROOT(project),
    home: "/home/ana",
    real: new Map<string, string | null>(),
  };
  const call = readCall({ tool, input }, place);
  for (const it of wantedPaths(call)) place.real.set(it, followed(it, LINKS));
  return { call, place };
}

/** The inbox shows what is suggested at once, and the person accepts it; from then on it counts, within its bounds. */
function played(calls: readonly WeekCall[], isSuggesting: boolean) {
  const past = new Map<string, (PastCall & { key: string | null })[]>();
  const inForce = new Map<string, { policy: Policy; since_ms: number }[]>();
  const books = new Map<string, PolicyBook>();
  const seen = { interruptions: 0, hostile: 0, disagreements: [] as WeekCall[], rules: 0 };
  for (const [n, asked] of calls.entries()) {
    const { project, at_ms, says } = asked;
    const book = books.get(project) ?? { project, accepted: {}, off: [], used: {}, in_a_row: {} };
    const { call, place } = looked(asked);
    const own = inForce.get(project) ?? [];
    const findings = judgeCall(
      own.map((it) => it.policy),
      call,
      place,
      [],
    );
    const ruling = findings.find(({ policy, fits }) => {
      const since_ms = own.find((it) => it.policy === policy)?.since_ms ?? 0;
      return fits && boundReached(policy, { book, since_ms, now_ms: at_ms }) === null;
    });
    if (ruling) {
      const { name } = ruling.policy;
      books.set(project, { ...book, used: { ...book.used, [name]: [...(book.used[name] ?? []), at_ms] } });
      if (says === "deny") seen.hostile += 1;
      if (says !== ruling.policy.kind) seen.disagreements.push(asked);
      continue;
    }
    seen.interruptions += 1;
    const decision = { id: `dec-${n}` } as Decision;
    const precedent = { decision, chose: says, asker: asked.job, at_ms };
    const key = groupKey(call, place);
    const history = [...(past.get(project) ?? []), { precedent, call, place, key }];
    past.set(project, history);
    if (!isSuggesting || says !== "approve" || key === null) continue;
    // what was approved in other groups can't change what is suggested for this one
    const related = history.filter((it) => it.precedent.chose !== "approve" || it.key === key);
    const found = suggestPolicies(related, { added: [], policies: own.map((it) => it.policy), dayOf });
    const added = found.flatMap((it) => readPolicies("suggested.hcl", it.text).policies);
    assert.equal(added.length, found.length, "what is suggested can be read");
    inForce.set(project, [...own, ...added.map((policy) => ({ policy, since_ms: at_ms }))]);
    seen.rules += added.length;
  }
  return seen;
}

describe("the recorded week", () => {
  const calls = week();

  it("has what it should have, the same each time", () => {
    assert.deepEqual(week(), calls);
    assert.equal(calls.length, 2000);
    assert.equal(SHAPES.length, 60);
    assert.equal(new Set(calls.map((it) => it.project)).size, 3);
    assert.equal(new Set(calls.map((it) => it.job.replace(/-\d+$/, ""))).size, 12);
    assert.equal(calls.filter((it) => it.says === "deny").length, 200);
    assert.equal(new Set(calls.map((it) => dayOf(it.at_ms))).size, 7);
  });

  it("takes less than half the interruptions, and no policy says anything that the person would not", () => {
    const before = played(calls, false);
    const after = played(calls, true);
    assert.equal(before.interruptions, 2000);
    assert.deepEqual(after.disagreements, []);
    assert.equal(after.hostile, 0);
    assert.ok(after.interruptions <= before.interruptions / 2, JSON.stringify(after));
    const page = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/policies.md"), "utf8");
    const said = `${after.interruptions} interruptions instead of 2,000`;
    assert.ok(page.replace(/\s+/g, " ").includes(said), `docs/policies.md should say: ${said}`);
  });

  also("is no accident of one seed", () => {
    for (const seed of [1, 2, 3]) {
      const { interruptions, hostile, disagreements } = played(week(seed), true);
      assert.deepEqual([hostile, disagreements], [0, []], `seed ${seed}`);
      assert.ok(interruptions <= 1000, `seed ${seed}: ${interruptions}`);
    }
  });
});
