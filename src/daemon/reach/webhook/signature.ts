/** Signatures by Standard Webhooks (https://www.standardwebhooks.com): an id, a time, and an HMAC over both and the body. */
import { createHmac } from "node:crypto";
import { Refusal } from "../../../core/model/errors.ts";

/** The key in a secret file: `whsec_` and base64. */
export function keyIn(secret: string, name: string): Buffer {
  const found = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim())?.[1];
  const key = Buffer.from(found ?? "", "base64");
  if (key.length >= 24 && key.length <= 64) return key;
  throw new Refusal(
    "config.invalid",
    `the file of channel.${name}.secret_file must hold whsec_ and 24 to 64 bytes in base64`,
    'printf "whsec_%s\\n" "$(openssl rand -base64 32)" > FILE && chmod 600 FILE',
  );
}

export function signed(
  key: Buffer,
  { id, now, body }: { id: string; now: number; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` };
}
