import assert from "node:assert/strict";
import { it } from "vitest";
import type { World } from "../../test/fakes/core.ts";
import { jobDef, world } from "../../test/fakes/core.ts";
import { NOTHING } from "../reach-config/check.ts";
import { holdAnswer, resolveDecision } from "./decision/give.ts";
import type { DecisionId } from "./model/ids.ts";
import { decodeState, encodeState } from "./model/state/state-text.ts";
import { claimDecision } from "./reach/claim.ts";
import { removePerson, shortWithout, worksFor } from "./remove-person.ts";
import { addPasskey } from "./rights/passkey.ts";
import { findToken, grantRole, invitePerson, isOpenTo, mayHaveHeard, trustToken } from "./rights/people.ts";
import { trustService } from "./rights/services.ts";

const by = "root";
const passkey = { id: "c1", label: "phone", key: "k", alg: -7, rp_id: "localhost", counter: 0 } as const;

/** Root's job asks for two yeses; ana and ben may give them. */
function asked(min = 2): { it: World; id: DecisionId } {
  const it = world();
  const decision = { options: [{ key: "ship" }, { key: "stop", action: "cancel" as const }], min };
  it.start(jobDef({ ask: { decision }, after: {} }), { sponsor: "ana" });
  for (const name of ["ana", "ben"]) {
    it.play((state) => invitePerson(state, { name, by }));
    it.play((state) => grantRole(state, { name, role: "approver", project: null, by }));
    const token = { person: name, id: `t-${name}`, sha256: "00", scopes: ["answer"] as const };
    it.play((state, moment) => trustToken(state, { ...token, lasts_ms: 1e6, by }, moment));
  }
  const [id] = it.state.pending;
  return { it, id: id ?? assert.fail() };
}

const remove = (it: World, name = "ana") =>
  it.play((state, moment) => removePerson(state, { name, by, config: NOTHING }, moment));

const said = (id: string, who: string) => ({
  ...{ id, option: "ship", choices: [], text: null, message: null, by: who, who, via: "api" as const },
  member: true as const,
});

it("ends roles, tokens, passkeys and programs in one commit, and nothing of anybody else", () => {
  const { it } = asked();
  it.play((state) => addPasskey(state, { person: "ana", passkey, by }));
  for (const sponsor of ["ana", "ben"]) {
    const bound = { project: "shop", root: "/shop", sponsor };
    const made = { name: `bot-${sponsor}`, bound, id: `m-${sponsor}`, sha256: "00", lasts_ms: 1e6, by };
    it.play((state, moment) => trustService(state, made, moment));
  }
  const facts = remove(it);
  const removed = facts.find((fact) => fact.type === "person:removed");
  assert.deepEqual(removed?.ended, {
    roles: [{ role: "approver", project: "" }],
    tokens: ["t-ana"],
    passkeys: ["c1"],
    services: ["mcp:bot-ana"],
  });
  // an older daemon heeds these
  for (const type of ["person:distrusted", "person:ungranted", "person:unkeyed"])
    assert.ok(
      facts.some((fact) => fact.type === type),
      type,
    );
  const state = decodeState(encodeState(it.state));
  assert.deepEqual([...state.people.keys()], ["ben", "mcp:bot-ana", "mcp:bot-ben"]);
  const counts = ["t-ana", "m-ana", "t-ben", "m-ben"].map((token) => findToken(state, token, 0) !== null);
  assert.deepEqual(counts, [false, false, true, true]);
  assert.equal(isOpenTo(state, "ana"), false);
  assert.equal(encodeState(state), encodeState(it.state));
});

it("takes back what is not final: a vote, an answer on hold, a claim; what was final stays", () => {
  const { it, id } = asked();
  it.play((state, moment) => resolveDecision(state, said(id, "ana"), moment));
  it.play((state, moment) => claimDecision(state, { ...said(id, "ana"), for_ms: null }, moment));
  remove(it);
  const decision = it.state.decisions.get(id);
  assert.deepEqual([decision?.votes?.length ?? 0, decision?.claimed ?? null], [0, null]);
  it.play((state, moment) => resolveDecision(state, said(id, "ben"), moment));
  assert.equal(it.state.decisions.get(id)?.state, "pending"); // it still takes two

  const two = asked();
  two.it.play((state, moment) => resolveDecision(state, said(two.id, "ana"), moment));
  two.it.play((state, moment) => holdAnswer(state, { ...said(two.id, "ben"), delay_ms: 9 }, moment));
  remove(two.it);
  assert.equal(two.it.state.decisions.get(two.id)?.held, null);

  const one = asked(1);
  one.it.play((state, moment) => holdAnswer(state, { ...said(one.id, "ana"), delay_ms: 9 }, moment));
  remove(one.it);
  assert.deepEqual([one.it.state.decisions.get(one.id)?.held, one.it.state.held.size], [null, 0]);

  const done = asked(1);
  done.it.play((state, moment) => resolveDecision(state, said(done.id, "ana"), moment));
  remove(done.it);
  assert.equal(done.it.state.decisions.get(done.id)?.answer?.by, "ana");
});

it("names what still runs because they started it", () => {
  const { it } = asked();
  assert.equal(worksFor(it.state, "ana").length, 1);
  assert.equal(worksFor(it.state, "ben").length, 0);
});

it("refuses the last admin, whoever is not there, and programs", () => {
  const { it } = asked();
  it.play((state) => grantRole(state, { name: "ana", role: "admin", project: null, by }));
  assert.throws(() => remove(it), { code: "person.last-admin" });
  it.play((state) => grantRole(state, { name: "ben", role: "admin", project: null, by }));
  remove(it);
  assert.throws(() => remove(it), { code: "person.not-found", message: /removed before, by root/ });
  assert.throws(() => remove(it, "ben"), { code: "person.last-admin" });
  assert.throws(() => remove(it, "eve"), { code: "person.not-found" });
});

it("leaves the next person of that name nothing, until somebody says that the settings mean them", () => {
  const { it, id } = asked();
  remove(it);
  it.play((state) => invitePerson(state, { name: "ana", by }));
  const { roles, tokens, passkeys = [] } = it.state.people.get("ana") ?? assert.fail();
  assert.deepEqual([roles, tokens, passkeys], [[], [], []]);
  assert.equal(isOpenTo(it.state, "ana"), false);
  it.play((state) => invitePerson(state, { name: "ana", by, doors: true }));
  assert.equal(isOpenTo(it.state, "ana"), true);
  const old = it.state.decisions.get(id) ?? assert.fail();
  assert.equal(mayHaveHeard(it.state, "ana", old), false);
  const left = it.state.removed.get("ana")?.at_ms ?? assert.fail();
  assert.equal(mayHaveHeard(it.state, "ana", { created_at_ms: left + 1 }), true);
  assert.deepEqual(invitePerson(it.state, { name: "ana", by, doors: true }), []);
});

it("leaves the next person of that name no place among the approvers of what was asked before", () => {
  const it = world();
  const options = [{ key: "ship" }, { key: "stop", action: "cancel" as const }];
  const rule = { options, approvers: ["ana", "ben"] };
  const ask = () => it.start(jobDef({ ask: { decision: rule }, after: {} }), { sponsor: "root" });
  ask();
  const [id] = it.state.pending;
  assert.ok(id);
  const ana = () => it.play((state) => invitePerson(state, { name: "ana", by, doors: true }));
  ana();
  it.play((state) => invitePerson(state, { name: "ben", by }));
  remove(it);
  ana();
  it.play((state) => grantRole(state, { name: "ana", role: "approver", project: null, by }));
  const answer = (option: string, of = id) =>
    it.play((state, moment) => resolveDecision(state, { ...said(of, "ana"), option }, moment));
  for (const option of ["ship", "stop", "dismiss"])
    assert.throws(() => answer(option), { code: "decision.not-yours", message: /somebody of that name/ });
  const claim = { id, by: "ana", who: "ana", via: "api", for_ms: null } as const;
  assert.throws(() => it.play((state, moment) => claimDecision(state, claim, moment)), {
    code: "decision.not-yours",
  });
  assert.deepEqual(shortWithout(it.state, "ben"), []);
  remove(it, "ben");
  assert.deepEqual(shortWithout(it.state, "ben"), [id]);
  ask();
  const next = [...it.state.pending].find((one) => one !== id);
  assert.ok(next);
  answer("ship", next);
  assert.equal(it.state.decisions.get(next)?.state, "resolved");
});

it("names the decisions that too few are left to say yes to", () => {
  const ruled = (approvers: string[], more: { min?: number; self?: "deny" } = {}) => {
    const it = world();
    const options = [{ key: "ship" }, { key: "stop", action: "cancel" as const }];
    it.start(jobDef({ ask: { decision: { options, approvers, ...more } }, after: {} }), { sponsor: "ben" });
    for (const name of ["ana", "ben"]) it.play((state) => invitePerson(state, { name, by }));
    remove(it);
    return shortWithout(it.state, "ana").length;
  };
  assert.deepEqual(
    [
      ruled(["ana"]),
      ruled(["ana", "ben"]),
      ruled(["ana", "ben"], { min: 2 }),
      ruled(["ana", "ben", "root"], { min: 2 }), // root is the machine's own user, whom nobody invited
      ruled(["ana", "ben"], { self: "deny" }), // it is ben's work
      ruled(["ben"], { min: 2 }), // not because of ana
    ],
    [1, 0, 1, 0, 1, 0],
  );
});
