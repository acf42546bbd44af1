import assert from "node:assert/strict";
import { it } from "vitest";
import type { Fact } from "../model/events.ts";
import { replay } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import type { Scope } from "../roles/people.ts";
import { approveDevice } from "./device.ts";
import { distrust, findToken, invitePerson, rotateToken, trustToken } from "./people.ts";

type Rule = (state: ReturnType<typeof replay>) => Fact[];

const by = "root";
const moment = { at_ms: 1000 };

/** Plays rules one after the other, and returns the state as a snapshot would bring it back. */
function after(...rules: Rule[]) {
  const state = replay([]);
  for (const rule of rules)
    for (const fact of rule(state)) replay([{ seq: state.seq + 1, at_ms: 1000, ...fact }], state);
  return decodeState(encodeState(state));
}

const people: Rule = (state) => ["ana", "ben"].flatMap((name) => invitePerson(state, { name, by }));
const trusted: Rule = (state) =>
  trustToken(state, { person: "ana", id: "t1", sha256: "00", scopes: ["answer"], lasts_ms: 500, by }, moment);

const approved =
  (id: string, parent: string | null, scopes: Scope[] = ["read"], person = "ana"): Rule =>
  (state) => {
    const device = { label: "anvil", address: "10.0.0.1" };
    return approveDevice(
      state,
      { person, id, sha256: "11", scopes, lasts_ms: 900, device, parent, by },
      moment,
    );
  };

const known = (state: ReturnType<typeof after>) =>
  ["t1", "t2", "d1", "d2"].filter((it) => findToken(state, it, 1001));

it("a token lets in no more than it is: its person, its scopes, its time", () => {
  const refusals: [Rule, string][] = [
    [approved("d1", "t1", ["admin"]), "request.forbidden"],
    [approved("d1", "t1", ["ask"]), "request.forbidden"],
    [approved("d1", "t1", ["read"], "ben"), "login.required"],
    [approved("d1", "gone"), "login.required"],
    [approved("t1", null), "person.invalid"],
    [approved("d1", null, ["read"], "nobody"), "person.not-found"],
  ];
  for (const [rule, code] of refusals) assert.throws(() => after(people, trusted, rule), { code });
  const state = after(people, trusted, approved("d1", "t1", ["read", "answer"]));
  assert.equal(findToken(state, "d1", 1001)?.token.expires_at_ms, 1500);
  assert.equal(findToken(after(people, approved("d1", null)), "d1", 1001)?.token.expires_at_ms, 1900);
});

it("what was approved with a token is revoked with it, also after it was rotated", () => {
  const both = [people, trusted, approved("d1", "t1"), approved("d2", "d1")];
  const revoked =
    (token: string): Rule =>
    (state) =>
      distrust(state, { what: { token }, by });
  const rotated =
    (overlap_ms: number): Rule =>
    (state) =>
      rotateToken(state, { old: "t1", id: "t2", sha256: "22", overlap_ms, lasts_ms: null, by }, moment);
  assert.deepEqual(known(after(...both)), ["t1", "d1", "d2"]);
  assert.deepEqual(known(after(...both, revoked("d1"))), ["t1"]);
  assert.deepEqual(known(after(...both, revoked("t1"))), []);
  assert.deepEqual(known(after(...both, rotated(100))), ["t1", "t2", "d1", "d2"]);
  assert.deepEqual(known(after(...both, rotated(100), revoked("t2"))), ["t1"]);
  assert.deepEqual(known(after(...both, rotated(0))), ["t2"]);
});
