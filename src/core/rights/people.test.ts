import assert from "node:assert/strict";
import { it } from "vitest";
import type { Fact } from "../model/events.ts";
import { replay } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import {
  distrust,
  findToken,
  grantRole,
  invitePerson,
  revokeRole,
  rotateToken,
  trustToken,
  useToken,
} from "./people.ts";
import { may, maySomewhere } from "./rights.ts";

const by = "root";

/** Plays rules one after the other, and returns the state as a snapshot would bring it back. */
function after(...rules: ((state: ReturnType<typeof replay>) => Fact[])[]) {
  const state = replay([]);
  for (const rule of rules)
    for (const fact of rule(state)) replay([{ seq: state.seq + 1, at_ms: 1000, ...fact }], state);
  return decodeState(encodeState(state));
}

const invited = (state: ReturnType<typeof replay>) => invitePerson(state, { name: "ana", by });
const trusted = (state: ReturnType<typeof replay>) =>
  trustToken(
    state,
    { person: "ana", id: "t1", sha256: "00", scopes: ["answer"], lasts_ms: 500, by },
    { at_ms: 1000 },
  );

it("a role in a project counts there alone, and a scope narrows it", () => {
  const state = after(invited, trusted, (it) =>
    grantRole(it, { name: "ana", role: "approver", project: "shop", by }),
  );
  const rights = findToken(state, "t1", 1100)?.rights ?? assert.fail();
  assert.equal(may(rights, "answer", "shop"), true);
  assert.equal(may(rights, "answer", "bank"), false);
  assert.equal(may(rights, "answer", null), false);
  assert.equal(may(rights, "ask", "shop"), false); // the role would allow it, the scope doesn't
  assert.equal(maySomewhere(rights, "answer"), true);
});

it("a token ends by itself, by being revoked, and with its person's last role", () => {
  const grant = { name: "ana", role: "viewer", project: null, by } as const;
  const granted = after(invited, trusted, (it) => grantRole(it, grant));
  assert.ok(findToken(granted, "t1", 1499));
  assert.equal(findToken(granted, "t1", 1500), null);
  const ungranted = after(
    invited,
    trusted,
    (it) => grantRole(it, grant),
    (it) => revokeRole(it, grant),
  );
  assert.equal(may(findToken(ungranted, "t1", 1100)?.rights ?? null, "read", "shop"), false);
  const revoked = after(invited, trusted, (it) => distrust(it, { what: { person: "ana" }, by }));
  assert.equal(findToken(revoked, "t1", 1100), null);
});

it("inviting and granting twice records nothing new", () => {
  const grant = { name: "ana", role: "admin", project: null, by } as const;
  const state = after(invited, (it) => grantRole(it, grant));
  assert.deepEqual([invited(state), grantRole(state, grant)], [[], []]);
});

it("refuses names that are none, roles in the wrong place, and people and tokens that are not there", () => {
  const state = after(invited);
  for (const name of ["", " ", "a b", "-x", "a/b", "a\nb", "x".repeat(65)])
    assert.throws(() => invitePerson(state, { name, by }), { code: "person.invalid" }, name);
  const admin = { name: "ana", role: "admin", project: "shop", by } as const;
  assert.throws(() => grantRole(state, admin), { code: "person.invalid" });
  assert.throws(() => grantRole(state, { ...admin, name: "anna", project: null }), {
    code: "person.not-found",
    hint: /ana/,
  });
  assert.throws(() => revokeRole(state, { ...admin, project: null }), { code: "person.not-found" });
  assert.throws(() => distrust(state, { what: { token: "t9" }, by }), { code: "person.not-found" });
});

const rotated =
  (over: Partial<Parameters<typeof rotateToken>[1]> = {}, at_ms = 1100) =>
  (state: ReturnType<typeof replay>) =>
    rotateToken(
      state,
      { old: "t1", id: "t2", sha256: "01", overlap_ms: 100, lasts_ms: null, by, ...over },
      { at_ms },
    );

it("a rotated token counts for the overlap, never longer than it did, and not at all without one", () => {
  const until = (overlap_ms: number) => {
    const state = after(invited, trusted, rotated({ overlap_ms }));
    const times = Array.from({ length: 1000 }, (_, n) => 1100 + n);
    const last = (id: string) => times.findLast((at) => findToken(state, id, at) !== null) ?? null;
    return [last("t1"), last("t2")];
  };
  assert.deepEqual(until(100), [1199, 1599]);
  assert.deepEqual(until(10_000), [1499, 1599]);
  assert.deepEqual(until(0), [null, 1599]);
});

it("a rotated token keeps its person and scopes; the new one may last for another time", () => {
  const state = after(invited, trusted, rotated({ lasts_ms: 5 }));
  const { member, token } = findToken(state, "t2", 1101) ?? assert.fail();
  assert.deepEqual([member.id, token.scopes, token.expires_at_ms], ["ana", ["answer"], 1105]);
});

it("refuses to rotate what is not there, has expired or was rotated already", () => {
  const state = after(invited, trusted, rotated());
  assert.throws(() => rotated({ old: "t9" })(state), { code: "person.not-found" });
  assert.throws(() => rotated({ id: "t3" })(state), { code: "person.invalid", hint: /rotate t2/ });
  assert.throws(() => rotated({ old: "t2", id: "t3" }, 9000)(state), { code: "person.invalid", hint: /ana/ });
});

it("a token can be rotated for ever: what it was before is forgotten once it counts no more", () => {
  const rules = Array.from({ length: 300 }, (_, n) =>
    rotated({ old: `t${n + 1}`, id: `t${n + 2}`, overlap_ms: 1, lasts_ms: 1000 }, 1100 + n),
  );
  const state = after(invited, trusted, ...rules);
  assert.deepEqual(
    state.people.get("ana")?.tokens.map((it) => it.id),
    ["t300", "t301"],
  );
});

it("the use of a token is news once an hour", () => {
  const used = (state: ReturnType<typeof replay>) => useToken(state, "t1", { at_ms: 1000 });
  const state = after(invited, trusted, used);
  assert.equal(state.people.get("ana")?.tokens[0]?.used_at_ms, 1000);
  assert.deepEqual([used(state), useToken(state, "t9", { at_ms: 1000 })], [[], []]);
});
