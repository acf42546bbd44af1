import assert from "node:assert/strict";
import { createECDH } from "node:crypto";
import { expect, it } from "vitest";
import { decrypt } from "../../../../test/fakes/servers/push-decrypt.ts";
import { areBrowserKeys, encrypt, MOST_BYTES } from "./encrypt.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

/** RFC 8291, section 5 and appendix A. */
const RFC = {
  text: "When I grow up, I want to be a watermelon",
  serverPrivate: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  browserPrivate: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
  p256dh: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
  auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
  body:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

it("encrypts the example of RFC 8291 to the bytes that the RFC prints", () => {
  const own = createECDH("prime256v1");
  own.setPrivateKey(RFC.serverPrivate);
  const body = encrypt(RFC.text, RFC, { own, salt: RFC.salt });
  assert.equal(body.toString("base64url"), RFC.body);
});

it("uses new keys and a new salt for every message, and each can be read", () => {
  const bodies = Array.from({ length: 3 }, () => encrypt("Ship it? ✓", RFC));
  assert.equal(new Set(bodies.map((it) => it.subarray(0, 86).toString("hex"))).size, 3);
  for (const body of bodies) assert.equal(decrypt(body, RFC.browserPrivate, RFC.auth), "Ship it? ✓");
});

it("takes 3,993 bytes and not one more, which makes 4,096 on the way", () => {
  assert.equal(MOST_BYTES, 3993);
  assert.equal(encrypt("x".repeat(3993), RFC).length, 4096);
  assert.throws(() => encrypt("x".repeat(3994), RFC), RangeError);
});

it("knows keys that nothing can be encrypted for", () => {
  assert.ok(areBrowserKeys(RFC));
  const offCurve = Buffer.from(RFC.p256dh);
  offCurve[64] = (offCurve[64] ?? 0) ^ 1;
  for (const wrong of [
    { ...RFC, p256dh: offCurve },
    { ...RFC, p256dh: RFC.p256dh.subarray(1) },
    { ...RFC, p256dh: Buffer.alloc(65) },
    { ...RFC, auth: RFC.auth.subarray(1) },
  ])
    expect(areBrowserKeys(wrong)).toBe(false);
});
