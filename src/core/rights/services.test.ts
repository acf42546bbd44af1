import assert from "node:assert/strict";
import { it } from "vitest";
import type { Fact } from "../model/events.ts";
import { replay } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { findPerson, grantRole, rotateToken, trustToken } from "./people.ts";
import { may } from "./rights.ts";
import { distrustService, serviceTokens, trustService } from "./services.ts";

const by = "root";
const at = { at_ms: 1000 };
type State = ReturnType<typeof replay>;

function after(...rules: ((state: State) => Fact[])[]): State {
  const state = replay([]);
  for (const rule of rules)
    for (const fact of rule(state)) replay([{ seq: state.seq + 1, at_ms: 1000, ...fact }], state);
  return decodeState(encodeState(state));
}

const made = (id: string, project: string) => (state: State) => {
  const bound = { project, root: `/${project}`, sponsor: "ana" };
  return trustService(state, { name: "desktop", bound, id, sha256: id, lasts_ms: 500, by }, at);
};
const tokens = (state: State) => serviceTokens(state).map((it) => [it.name, it.token.id, it.bound.project]);

it("asks in its one project, and has no right to answer anywhere", () => {
  const [found] = serviceTokens(after(made("t1", "shop")));
  const rights = found?.rights ?? assert.fail();
  const can = (right: "read" | "ask" | "answer" | "own" | "admin", project: string | null) =>
    may(rights, right, project);
  assert.deepEqual([can("read", "shop"), can("ask", "shop")], [true, true]);
  for (const project of ["shop", "bank", null])
    for (const right of ["answer", "own", "admin"] as const) assert.equal(can(right, project), false, right);
  assert.deepEqual([can("read", "bank"), can("ask", "bank"), can("ask", null)], [false, false, false]);
});

it("has one token, and the rights of the last one alone", () => {
  const state = after(made("t1", "shop"), made("t2", "bank"));
  assert.deepEqual(tokens(state), [["desktop", "t2", "bank"]]);
  assert.deepEqual(findPerson(state, "mcp:desktop").roles, [{ role: "asker", project: "bank" }]);
});

it("is rotated into what it was, and revoked by its name", () => {
  const rotation = { old: "t1", id: "t2", sha256: "02", overlap_ms: 0, lasts_ms: null, by };
  const rotated = after(made("t1", "shop"), (it) => rotateToken(it, rotation, at));
  assert.deepEqual(tokens(rotated), [["desktop", "t2", "shop"]]);
  assert.equal(serviceTokens(rotated)[0]?.bound.sponsor, "ana");
  const revoked = after(made("t1", "shop"), (it) => distrustService(it, { name: "desktop", by }));
  assert.deepEqual(tokens(revoked), []);
  assert.throws(() => distrustService(revoked, { name: "desktop", by }), { code: "request.not-found" });
});

it("gets no role and no token that people get", () => {
  const state = after(made("t1", "shop"));
  const name = "mcp:desktop";
  assert.throws(() => grantRole(state, { name, role: "approver", project: "shop", by }), {
    code: "person.invalid",
  });
  const input = { person: name, id: "t9", sha256: "09", scopes: ["answer"] as const, lasts_ms: 1, by };
  assert.throws(() => trustToken(state, input, at), { code: "person.invalid" });
});
