/** Asks the browser for a passkey: to register one, and to sign exactly one answer. */
import type { PasskeyAsked, PasskeyBrought, ResolveBody, ResolveResult } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { client } from "./api.ts";

/** The kinds that the daemon takes, the best first: ES256, EdDSA, RS256. */
const KINDS = [-7, -8, -257];
const PATIENCE_MS = 120_000;

/** Sends an answer. If its rule asks for a passkey, the person is asked for it, and it is sent again. */
export async function answer(id: string, body: ResolveBody): Promise<ResolveResult> {
  try {
    return await client.resolveDecision(id, body);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "decision.passkey") throw error;
    refuseNumbers();
    const passkey = await signed(await client.answerChallenge(id, body));
    return client.resolveDecision(id, { ...body, passkey });
  }
}

export async function register(code: string, label: string): Promise<string> {
  refuseNumbers();
  const { person, nonce, challenge, credentials } = await client.beginPasskey(code);
  const user = { id: new TextEncoder().encode(person), name: person, displayName: person };
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: "Oddjobs" },
        user,
        challenge: bytesOf(challenge),
        pubKeyCredParams: KINDS.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: credentials.map((it) => ({ type: "public-key", id: bytesOf(it) })),
        authenticatorSelection: { userVerification: "required", residentKey: "preferred" },
        attestation: "none",
        timeout: PATIENCE_MS,
      },
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  const client_data = textOf(response.clientDataJSON);
  const authenticator_data = textOf(response.getAuthenticatorData());
  await client.addPasskey({ code, nonce, label, client_data, authenticator_data });
  return person;
}

async function signed({ nonce, challenge, credentials }: PasskeyAsked): Promise<PasskeyBrought> {
  const got = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: bytesOf(challenge),
        allowCredentials: credentials.map((it) => ({ type: "public-key", id: bytesOf(it) })),
        userVerification: "required",
        timeout: PATIENCE_MS,
      },
    }),
  );
  const response = got.response as AuthenticatorAssertionResponse;
  return {
    nonce,
    credential: textOf(got.rawId),
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const got = await ask();
    if (got instanceof PublicKeyCredential) return got;
  } catch (error) {
    if ((error as Error).name === "InvalidStateError")
      throw refused("this device has a passkey of yours for this already");
  }
  throw refused(
    "the browser gave no passkey: it was cancelled, took too long, or there is none for this address",
  );
}

/** Browsers make passkeys for names, not for numbers. */
function refuseNumbers(): void {
  if (location.hostname === "127.0.0.1")
    throw refused(
      `passkeys need a name: open http://localhost:${location.port} instead (run oj web, and write localhost in its link)`,
    );
  if (!("PublicKeyCredential" in globalThis))
    throw refused("this browser has no passkeys here: they need TLS");
}

function refused(message: string): Refusal {
  return new Refusal("decision.passkey", message, null);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (it) => it.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
