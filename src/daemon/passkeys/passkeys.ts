/** Registering passkeys, and answers that are signed with one: what is asked for, and what comes back. */
import { createHash } from "node:crypto";
import type { PasskeyAsked, PasskeyBody, PasskeyBrought } from "../../api/api.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Proof, Words } from "../../core/rights/passkey.ts";
import { addPasskey, statementOf } from "../../core/rights/passkey.ts";
import { findHuman } from "../../core/rights/people.ts";
import type { Member } from "../../core/roles/people.ts";
import { canonical } from "../../core/text/hash.ts";
import type { Clock } from "../../ports.ts";
import type { ReadReach } from "../../reach-config/read.ts";
import type { Engine } from "../engine/engine.ts";
import { startChallenges } from "./challenges.ts";
import { checkCreated, checkSigned } from "./webauthn.ts";

export interface Passkeys {
  /** A code with which this person may register one passkey. */
  invite(person: string): Promise<{ code: string }>;
  /** What the browser is asked for, to register one. */
  begin(code: string): Promise<PasskeyAsked & { person: string }>;
  register(body: PasskeyBody, by: string): Promise<void>;
  /** What is to be signed, for exactly this answer of this person. */
  ask(decision: Decision, who: string, words: Words): Promise<PasskeyAsked>;
  /** Checks what was signed; the rule decides whether that is enough. */
  prove(decision: Decision, who: string, words: Words, brought: PasskeyBrought): Promise<Proof>;
}

interface Parts {
  engine: Pick<Engine, "read" | "run">;
  clock: Clock;
  reach: ReadReach;
  port(): number;
}

export function startPasskeys({ engine, clock, reach, port }: Parts): Passkeys {
  const origins = () => namedOrigins(port(), reach().config);
  const challenges = startChallenges(clock);

  /** The code says whose it is; that nonce was made for them alone, and for nobody who has their name later. */
  async function personIn(code: string): Promise<{ person: string; nonce: string; purpose: string }> {
    const [coded = "", nonce = ""] = code.split(".");
    const person = Buffer.from(coded, "base64url").toString("utf8");
    const member = await engine.read((state) => state.people.get(person));
    const purpose = member ? invitation(member) : "";
    if (!member || !challenges.look(purpose, nonce))
      throw new Refusal(
        "login.refused",
        "this link was used, or is older than ten minutes",
        "oj passkey add NAME",
      );
    return { person, nonce, purpose };
  }

  return {
    async invite(name) {
      const member = await engine.read((state) => findHuman(state, name));
      const nonce = challenges.make(member.id, invitation(member));
      return { code: `${Buffer.from(member.id).toString("base64url")}.${nonce}` };
    },

    async begin(code) {
      const { person } = await personIn(code);
      const known = await engine.read((state) => findHuman(state, person).passkeys ?? []);
      const nonce = challenges.make(person, `register:${person}`);
      const challenge = hashOf(registering(person, nonce)).toString("base64url");
      return { person, nonce, challenge, credentials: known.map((it) => it.id) };
    },

    async register({ code, nonce, label, client_data, authenticator_data }, by) {
      const { person, nonce: invited, purpose } = await personIn(code);
      challenges.take(`register:${person}`, nonce);
      const challenge = hashOf(registering(person, nonce));
      const made = checkCreated({ client_data, authenticator_data }, { challenge, origins: origins() });
      challenges.take(purpose, invited); // only now: a finger that slips costs no new link
      await engine.run((state) => addPasskey(state, { person, passkey: { ...made, label }, by }));
    },

    async ask(decision, who, words) {
      const known = await engine.read((state) => state.people.get(who)?.passkeys ?? []);
      if (known.length === 0)
        throw new Refusal(
          "decision.passkey",
          `${decision.id} takes a passkey, and ${who} has none`,
          `oj passkey add ${who}`,
        );
      const nonce = challenges.make(who, purposeOf(decision, who));
      const challenge = hashOf(statementOf(decision, who, words, nonce)).toString("base64url");
      return { nonce, challenge, credentials: known.map((it) => it.id) };
    },

    async prove(decision, who, words, { nonce, credential, ...brought }) {
      const { age_ms } = challenges.take(purposeOf(decision, who), nonce);
      const passkey = await engine.read((state) =>
        state.people.get(who)?.passkeys?.find((it) => it.id === credential),
      );
      if (!passkey) throw new Refusal("decision.passkey", `${who} has no such passkey`, "oj passkey list");
      const statement = statementOf(decision, who, words, nonce);
      const { counter } = checkSigned(brought, passkey, { challenge: hashOf(statement), origins: origins() });
      const { key, rp_id } = passkey;
      return { ...brought, nonce, credential, rp_id, key, statement, counter, age_ms };
    },
  };
}

/** The pages where passkeys can be used: an address in numbers can have none. */
function namedOrigins(
  port: number,
  { webUrl, serveUrl }: { webUrl: string | null; serveUrl: string | null },
): string[] {
  const elsewhere = [webUrl, serveUrl].filter((it) => it !== null && URL.canParse(it)) as string[];
  return [`http://localhost:${port}`, ...elsewhere.map((it) => new URL(it).origin)];
}

function invitation({ id, invited_at_ms }: Pick<Member, "id" | "invited_at_ms">): string {
  return `invite:${id}:${invited_at_ms}`;
}

function purposeOf({ id }: Pick<Decision, "id">, who: string): string {
  return `answer:${id}:${who}`;
}

function registering(person: string, nonce: string): string {
  return canonical({ oj: "register", person, nonce });
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
