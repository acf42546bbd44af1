/**
 * People for whom a door vouches: the command that sshd forces on a key, a trusted proxy, Tailscale. Such a call comes
 * through the socket, from `oj ssh` or `oj serve`; nobody is believed unless the person's settings have opened that
 * door. Whoever it is has the rights of their own roles, never those of the socket's user.
 */
import type { VouchingDoor } from "../../core/model/decision-types.ts";
import { VOUCHING } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { State } from "../../core/model/state/state.ts";
import type { DoorsConfig } from "../../core/reach/config-types.ts";
import { isOpenTo } from "../../core/rights/people.ts";
import type { Rights } from "../../core/rights/rights.ts";
import { SCOPES } from "../../core/roles/people.ts";
import { calledThere } from "../../reach-config/doors.ts";
import type { Trust } from "../secrets/person-tokens.ts";
import type { Service } from "./service.ts";

export interface Vouched {
  name: string;
  who: string;
  rights: Rights;
  trust: Trust;
  door: VouchingDoor;
}

/** `said`: what the door calls them, as it was sent. */
export async function vouchedFor(
  said: string,
  door: string | undefined,
  { engine, people }: Pick<Service, "engine" | "people">,
): Promise<Vouched> {
  const known = VOUCHING.find((it) => it === door);
  const names = known === undefined ? null : namesAt(people().doors, known);
  if (known === undefined || names === null)
    throw refused("this door is shut: nobody is let in by what it says", "docs/doors.md says how to open it");
  const called = decoded(said);
  const name = names.get(calledThere(called)) ?? called;
  const rights = await engine.read((state) => rightsOf(state, name));
  return { name, who: name, rights, trust: { member: name, token: null, expires_at_ms: null }, door: known };
}

/** What somebody may do without a token: all that their roles allow. */
export function rightsOf(state: Pick<State, "people" | "removed">, name: string): Rights {
  const member = state.people.get(name);
  if (member && !isOpenTo(state, name))
    throw refused(
      `somebody else was called ${name} before, so doors stay shut for this name; tokens count`,
      `oj invite ${name} --doors`,
    );
  if (member && member.kind === undefined) return { roles: member.roles, scopes: SCOPES };
  throw refused(`${name.slice(0, 64)} was not invited here`, `oj invite ${name.slice(0, 64)}`);
}

/** Null: the door is shut. */
function namesAt(doors: DoorsConfig, door: VouchingDoor): ReadonlyMap<string, string> | null {
  switch (door) {
    case "ssh":
      return doors.ssh ? new Map() : null;
    case "proxy":
      return doors.proxy?.people ?? null;
    case "tailscale":
      return doors.tailscale?.people ?? null;
  }
}

function decoded(said: string): string {
  try {
    return decodeURIComponent(said);
  } catch {
    throw refused("the name can't be read", null);
  }
}

function refused(message: string, hint: string | null): Refusal {
  return new Refusal("login.required", message, hint);
}
