/**
 * Notes to ourselves that a browser carries: signed with a key that a restart forgets, good for ten minutes. So a
 * stranger who begins a thousand logins takes up no room here.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../ports.ts";

const GOOD_MS = 600_000;
const MAX_CHARS = 4096;

export interface Seal {
  close(kind: string, value: object): string;
  /** Null: it is not ours, of another kind, or too old. */
  open<T>(kind: string, text: string): T | null;
}

export function startSeal(clock: Clock): Seal {
  const key = randomBytes(32);
  const signed = (text: string) => createHmac("sha256", key).update(text).digest();
  return {
    close(kind, value) {
      const text = Buffer.from(JSON.stringify({ kind, value, until: clock.monotonic() + GOOD_MS })).toString(
        "base64url",
      );
      return `${text}.${signed(text).toString("base64url")}`;
    },
    open<T>(kind: string, sealed: string) {
      const [text = "", mark = ""] = sealed.slice(0, MAX_CHARS).split(".");
      const [given, ours] = [Buffer.from(mark, "base64url"), signed(text)];
      if (given.length !== ours.length || !timingSafeEqual(given, ours)) return null;
      const note = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as {
        kind: string;
        value: T;
        until: number;
      };
      return note.kind === kind && note.until > clock.monotonic() ? note.value : null;
    },
  };
}
