/** How facts change what is known of the machines that share the log, and of what people may do. */

import type { Member, Passkey, PersonFact, PersonToken } from "../../roles/people.ts";
import type { MachineFact, Stamp } from "../events.ts";
import type { Folding } from "./state-types.ts";

export function foldMachine({ machines }: Pick<Folding, "machines">, fact: MachineFact & Stamp): void {
  const { id, at_ms } = fact;
  const known = machines.get(id);
  if (fact.type === "machine:joined")
    machines.set(id, { id, key: fact.key, joined_at_ms: at_ms, forgotten: false });
  else if (known) machines.set(id, { ...known, forgotten: true });
}

export function foldPeople(
  { people, removed }: Pick<Folding, "people" | "removed">,
  fact: PersonFact & Stamp,
): void {
  const { id, at_ms } = fact;
  if (fact.type === "person:invited") {
    const kind = fact.kind === undefined ? {} : { kind: fact.kind };
    if (!people.has(id)) people.set(id, { id, ...kind, invited_at_ms: at_ms, roles: [], tokens: [] });
    const before = removed.get(id);
    if (before && fact.doors) removed.set(id, { ...before, doors: true });
    return;
  }
  if (fact.type === "person:removed") {
    people.delete(id);
    removed.set(id, { id, at_ms, by: fact.by });
    for (const it of [...people.values()]) {
      const tokens = it.tokens.filter((token) => token.bound?.sponsor !== id);
      if (tokens.length < it.tokens.length) people.set(it.id, { ...it, tokens });
    }
    return;
  }
  const member = people.get(id);
  if (member) people.set(id, changed(member, fact));
}

function changed(
  member: Member,
  fact: Exclude<PersonFact, { type: "person:invited" | "person:removed" }> & Stamp,
): Member {
  switch (fact.type) {
    case "person:granted":
      return { ...member, roles: [...without(member, fact), { role: fact.role, project: fact.project }] };
    case "person:ungranted":
      return { ...member, roles: without(member, fact) };
    case "person:trusted": {
      const { token: id, sha256, scopes, expires_at_ms, at_ms: created_at_ms } = fact;
      const { bound, device, parent } = fact;
      const more = { ...(bound && { bound }), ...(device && { device }), ...(parent && { parent }) };
      const token = { id, sha256, scopes, created_at_ms, expires_at_ms, ...more };
      return { ...member, tokens: [...member.tokens, token] };
    }
    case "person:rotated": {
      const { token, expires_at_ms, replaced_by } = fact;
      const rotated = withToken(member, token, { expires_at_ms, replaced_by });
      const moved = (it: PersonToken) => (it.parent === token ? { ...it, parent: replaced_by } : it);
      return { ...rotated, tokens: rotated.tokens.map(moved) };
    }
    case "person:keyed":
      return {
        ...member,
        passkeys: [...(member.passkeys ?? []), { ...fact.passkey, added_at_ms: fact.at_ms }],
      };
    case "person:signed": {
      const { passkey, counter, at_ms: used_at_ms } = fact;
      const noted = (it: Passkey) => (it.id === passkey ? { ...it, counter, used_at_ms } : it);
      return { ...member, passkeys: (member.passkeys ?? []).map(noted) };
    }
    case "person:unkeyed":
      return { ...member, passkeys: (member.passkeys ?? []).filter((it) => it.id !== fact.passkey) };
    case "person:used":
      return withToken(member, fact.token, { used_at_ms: fact.at_ms });
    case "person:distrusted":
      return { ...member, tokens: member.tokens.filter((it) => it.id !== fact.token) };
  }
}

function without({ roles }: Member, { role, project }: { role: string; project: string }): Member["roles"] {
  return roles.filter((it) => it.role !== role || it.project !== project);
}

function withToken(member: Member, id: string, change: Partial<PersonToken>): Member {
  return { ...member, tokens: member.tokens.map((it) => (it.id === id ? { ...it, ...change } : it)) };
}
