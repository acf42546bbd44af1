/**
 * A login that was asked for on a machine without a browser, and that a person approves elsewhere. Whoever asks has made
 * the token and shows only its hash, so approving it is one fact: nothing has to be handed over, and nothing is half made.
 */
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import type { Device, Scope } from "../roles/people.ts";
import { distrusted, findHuman, findToken, isOpenTo, trusted } from "./people.ts";
import { covers } from "./rights.ts";

export interface DeviceInput {
  person: string;
  id: string;
  sha256: string;
  scopes: readonly Scope[];
  lasts_ms: number;
  device: Device;
  /** The token with which it is approved: the new one can do no more, and counts no longer. Null: whoever approves may make any. */
  parent: string | null;
  /** A door or a provider has named the person: that counts only where it is meant for them. */
  isNamed?: true;
  by: string;
}

export function approveDevice(
  state: Readonly<State>,
  { person, parent, isNamed, ...input }: DeviceInput,
  { at_ms }: Pick<Moment, "at_ms">,
): Fact[] {
  const member = findHuman(state, person);
  if (isNamed && !isOpenTo(state, person))
    throw new Refusal(
      "login.refused",
      `somebody else was called ${person} before, so doors stay shut for this name`,
      `oj invite ${person} --doors`,
    );
  if ([...state.people.values()].some((it) => it.tokens.some((token) => token.id === input.id)))
    throw new Refusal("person.invalid", `there is already a token ${input.id}`, "ask again: oj login URL");
  if (parent === null) return trusted(member, input, at_ms);
  const found = findToken(state, parent, at_ms);
  if (found === null || found.member.id !== member.id)
    throw new Refusal("login.required", "the token that approves this no longer counts", null);
  if (!covers(found.token.scopes, input.scopes))
    throw new Refusal(
      "request.forbidden",
      `your own token has the scopes ${found.token.scopes.join(", ")}, so it can't approve ${input.scopes.join(", ")}`,
      "there: oj login URL --scope read",
    );
  const lasts_ms = Math.min(input.lasts_ms, found.token.expires_at_ms - at_ms);
  return trusted(member, { ...input, lasts_ms, parent }, at_ms);
}

/** A token that was made for one login of a browser goes with it. What was approved there goes on by itself. */
export function endOwnToken(state: Readonly<State>, id: string, { at_ms }: Pick<Moment, "at_ms">): Fact[] {
  const found = findToken(state, id, at_ms);
  return found === null ? [] : [distrusted(found.member.id, id, found.member.id)];
}
