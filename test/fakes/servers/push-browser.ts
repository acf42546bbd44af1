/** The keys of a browser without the browser: what it gets is decrypted and kept. */
import { createECDH, randomBytes } from "node:crypto";
import { decrypt } from "./push-decrypt.ts";

/** What our messages say, as the page's service worker reads them. */
export interface Shown {
  decision: string | null;
  tag: string;
  title: string;
  body: string;
  is_urgent: boolean;
  is_silent: boolean;
  is_reminder: boolean;
  actions: { title: string; path: string }[];
}

export interface PretendedBrowser {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** Every message, oldest first. */
  shown: Shown[];
  take(body: Buffer): void;
}

export function pretendBrowser(): PretendedBrowser {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const auth = randomBytes(16);
  const shown: Shown[] = [];
  return {
    endpoint: "",
    keys: { p256dh: pair.getPublicKey("base64url"), auth: auth.toString("base64url") },
    shown,
    take: (body) => void shown.push(JSON.parse(decrypt(body, pair.getPrivateKey(), auth)) as Shown),
  };
}
