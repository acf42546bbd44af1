/** What a push service refuses: RFC 8030 (headers), RFC 8188 and 8291 (body), RFC 8292 (who sends it). */
import { createPublicKey, verify } from "node:crypto";
import type { IncomingMessage } from "node:http";

interface Taken {
  ttl: number;
  urgency: string;
  topic: string | null;
  subject: string;
}

type Checked = { taken: Taken } | { refused: { status: number; text: string } };

/** `key`: the application server's public key that the browser subscribed with. */
export function checkPost(
  { method, headers }: IncomingMessage,
  body: Buffer,
  { origin, key }: { origin: string; key: string | null },
): Checked {
  const refused = (status: number, text: string): Checked => ({ refused: { status, text } });
  const { ttl, urgency = "normal", topic = null, authorization = "" } = headers as Record<string, string>;
  if (method !== "POST") return refused(405, "POST only");
  if (!/^\d+$/.test(ttl ?? "")) return refused(400, "no TTL");
  if (!/^(very-low|low|normal|high)$/.test(urgency)) return refused(400, "wrong Urgency");
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) return refused(400, "wrong Topic");
  if (headers["content-encoding"] !== "aes128gcm") return refused(415, "wrong Content-Encoding");
  if (body.length > 4096) return refused(413, "too large");
  if (body.length < 86 + 17 || body.readUInt8(20) !== 65) return refused(400, "not aes128gcm");
  const claims = claimsOf(authorization);
  if (claims === null) return refused(401, "no valid VAPID token");
  const now = Date.now() / 1000;
  if (claims.aud !== origin) return refused(401, "wrong aud");
  if (!(claims.exp > now && claims.exp <= now + 86_400)) return refused(401, "wrong exp");
  if (!/^(mailto:|https:)/.test(claims.sub)) return refused(401, "wrong sub");
  if (key !== null && key !== claims.key) return refused(403, "another application server's key");
  return { taken: { ttl: Number(ttl), urgency, topic, subject: claims.sub } };
}

interface Claims {
  aud: string;
  exp: number;
  sub: string;
  key: string;
}

function claimsOf(authorization: string): Claims | null {
  const [, head = "", claims = "", signature = "", key = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return null;
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const isEs256 = (JSON.parse(Buffer.from(head, "base64url").toString()) as { alg?: string }).alg === "ES256";
  if (!isSigned || !isEs256) return null;
  return { ...(JSON.parse(Buffer.from(claims, "base64url").toString()) as Claims), key };
}
