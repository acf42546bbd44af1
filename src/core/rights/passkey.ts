/**
 * Passkeys of people, and answers that are signed with one. What is signed names the decision, its card, the person and
 * every word of the answer, so that a signature for one thing is good for nothing else. The daemon has checked the
 * signature itself (`daemon/passkeys/`); here is what it has to be about.
 */
import type { Decision } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { State } from "../model/state/state.ts";
import type { Member, Passkey, Signed } from "../roles/people.ts";
import { parseDuration } from "../text/duration.ts";
import { canonical, sha256 } from "../text/hash.ts";
import { cardSha256 } from "./card.ts";
import { findHuman } from "./people.ts";

const MOST_PASSKEYS = 20;

/** An answer's words, as they were given. */
export interface Words {
  choices: readonly (readonly number[])[];
  option?: string | null;
  text: string | null;
  texts?: readonly (string | null)[];
  message: string | null;
  input?: unknown;
}

/** A signature that was checked. */
export interface Proof extends Signed {
  /** The key that it was checked with. */
  key: string;
  /** The text whose hash the authenticator has signed. */
  statement: string;
  counter: number;
  /** How long ago the challenge was made, by a clock that nobody sets. */
  age_ms: number;
}

/** What an authenticator signs, as text: the challenge is its SHA-256. */
export function statementOf(decision: Decision, who: string, words: Words, nonce: string): string {
  const { choices, option = null, text, texts = [], message, input = null } = words;
  const said = sha256(canonical({ text, texts, message, input }));
  const card = cardSha256(decision);
  return canonical({ oj: "answer", decision: decision.id, card, who, choices, option, said, nonce });
}

/** Refuses a yes that is not signed as the rule asks. */
export function refuseUnsigned(
  { people }: Pick<State, "people">,
  decision: Decision,
  { who, words, proof }: { who: string; words: Words; proof: Proof | null },
): void {
  const { id, rule } = decision;
  const refused = (why: string) => new Refusal("decision.passkey", `${id}: ${why}`, `oj web ${id}`);
  if (proof === null)
    throw refused(`a yes takes ${who}'s passkey (fresh = "${rule?.fresh}"), in the web inbox; a no does not`);
  const passkey = people.get(who)?.passkeys?.find((it) => it.id === proof.credential);
  if (!passkey || passkey.key !== proof.key) throw refused(`${who} has no such passkey`);
  if (proof.statement !== statementOf(decision, who, words, proof.nonce))
    throw refused("what was signed is another answer, or an answer to another decision");
  const allowed_ms = parseDuration((rule?.fresh ?? "").replace(/^passkey /, "")) ?? 0;
  if (!(proof.age_ms <= allowed_ms))
    throw refused(`the signature is older than the rule allows (${rule?.fresh})`);
  if (!isCounterNews(passkey, proof.counter))
    throw refused("the passkey's counter went back: it may have been copied. Remove it, and add a new one");
}

/** Authenticators that count never go back; many don't count, and always say 0. */
function isCounterNews({ counter }: Passkey, next: number): boolean {
  return next > counter || (next === 0 && counter === 0);
}

/** What is recorded with the answer: enough to check it again, whenever somebody wants to. */
export function receiptOf({ credential, rp_id, nonce, statement, ...proof }: Proof) {
  const { key, client_data, authenticator_data, signature } = proof;
  return { credential, key, rp_id, nonce, statement, client_data, authenticator_data, signature };
}

/** The counter of the passkey, once it was used. */
export function signedWith(who: string, { credential, counter }: Proof): Fact {
  return { type: "person:signed", id: who, project: "", passkey: credential, counter };
}

export interface PasskeyInput {
  person: string;
  passkey: Omit<Passkey, "added_at_ms">;
  by: string;
}

export function addPasskey(state: Readonly<State>, { person, passkey, by }: PasskeyInput): Fact[] {
  const { id, passkeys = [] } = findHuman(state, person);
  if (passkeys.length >= MOST_PASSKEYS)
    throw new Refusal(
      "request.too-many",
      `${id} already has ${MOST_PASSKEYS} passkeys`,
      "oj passkey remove ID",
    );
  if ([...state.people.values()].some((it) => it.passkeys?.some((one) => one.id === passkey.id)))
    throw new Refusal("person.invalid", "this passkey is registered already", "oj passkey list");
  return [{ type: "person:keyed", id, project: "", passkey, by }];
}

export function removePasskey(state: Readonly<State>, { id, by }: { id: string; by: string }): Fact[] {
  const found = passkeysOf(state).filter((it) => it.passkey.id.startsWith(id));
  const [one] = found;
  if (!one || id === "")
    throw new Refusal("person.not-found", `there is no passkey ${id}`, "oj passkey list");
  if (found.length > 1)
    throw new Refusal(
      "person.invalid",
      `${id} is the beginning of ${found.length} passkeys`,
      "oj passkey list",
    );
  return [{ type: "person:unkeyed", id: one.member.id, project: "", passkey: one.passkey.id, by }];
}

export function passkeysOf({ people }: Readonly<State>): { member: Member; passkey: Passkey }[] {
  return [...people.values()].flatMap((member) =>
    (member.passkeys ?? []).map((passkey) => ({ member, passkey })),
  );
}
