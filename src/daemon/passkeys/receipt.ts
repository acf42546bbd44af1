/** Checks again what was signed with a passkey, from the record alone: nothing but the receipt and the decision is needed. */
import { createHash, createPublicKey } from "node:crypto";
import type { Decision } from "../../core/model/decision-types.ts";
import { cardSha256 } from "../../core/rights/card.ts";
import type { Receipt } from "../../core/roles/people.ts";
import { isSigned } from "./webauthn.ts";

const ALGORITHMS = { ec: -7, ed25519: -8, rsa: -257 } as const;

export function isReceipt(receipt: Receipt, decision: Decision, who: string): boolean {
  try {
    const { key, statement, client_data } = receipt;
    const said = JSON.parse(statement) as Record<string, unknown>;
    if (said.oj !== "answer" || said.decision !== decision.id || said.who !== who) return false;
    if (said.card !== cardSha256(decision) || said.nonce !== receipt.nonce) return false;
    const client = JSON.parse(Buffer.from(client_data, "base64url").toString("utf8")) as {
      challenge: string;
    };
    if (client.challenge !== createHash("sha256").update(statement).digest("base64url")) return false;
    const { asymmetricKeyType } = createPublicKey({
      key: Buffer.from(key, "base64"),
      format: "der",
      type: "spki",
    });
    const alg = ALGORITHMS[asymmetricKeyType as keyof typeof ALGORITHMS];
    return alg !== undefined && isSigned(receipt, key, alg);
  } catch {
    return false; // it is no receipt
  }
}
