/** What a browser does with the body of a push message, written from RFC 8188 and 8291 without our own encryption. */
import { createDecipheriv, createECDH, createHmac } from "node:crypto";

export function decrypt(body: Buffer, browserPrivate: Buffer, auth: Buffer): string {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const serverKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  if (sealed.length > body.readUInt32BE(16)) throw new Error("more than one record");
  const browser = createECDH("prime256v1");
  browser.setPrivateKey(browserPrivate);
  const mac = (key: Buffer, ...parts: (Buffer | string)[]) => {
    const hmac = createHmac("sha256", key);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  };
  const secret = mac(
    mac(auth, browser.computeSecret(serverKey)),
    "WebPush: info\0",
    browser.getPublicKey(),
    serverKey,
    "\u0001",
  );
  const pseudo = mac(salt, secret);
  const key = mac(pseudo, "Content-Encoding: aes128gcm\0\u0001").subarray(0, 16);
  const nonce = mac(pseudo, "Content-Encoding: nonce\0\u0001").subarray(0, 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((it) => it !== 0)) throw new Error("wrong padding");
  return padded.subarray(0, end).toString("utf8");
}
