import assert from "node:assert/strict";
import { it } from "vitest";
import type { Fact } from "../model/events.ts";
import { replay } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { distrust, findToken, grantRole, invitePerson, revokeRole, trustToken } from "./people.ts";
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
