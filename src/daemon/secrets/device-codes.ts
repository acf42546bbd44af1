/**
 * Logins that were asked for with a code and wait for a person. They are in memory alone: a restart ends them, and what
 * was approved is in the log. Whoever asks proves that they are the same by the token itself, of which only the hash is
 * kept; the code that people type proves nothing.
 */
import { randomInt } from "node:crypto";
import { Refusal } from "../../core/model/errors.ts";
import type { Device, Scope } from "../../core/roles/people.ts";
import type { Clock } from "../../ports.ts";
import { isHashOf } from "./person-tokens.ts";

/** What is asked for. */
export interface Wanted {
  id: string;
  sha256: string;
  scopes: Scope[];
  lasts_ms: number;
  device: Device;
}

export interface Waiting extends Wanted {
  /** As people type it: WDJB-MJHT. */
  code: string;
  asked_at_ms: number;
  expires_at_ms: number;
}

/** In the words of RFC 8628. */
export type PollState = "authorization_pending" | "slow_down" | "access_denied" | "expired_token";

export interface DeviceCodes {
  ask(wanted: Wanted): Waiting;
  /** What became of it, for whoever has the token. */
  poll(id: string, token: string): { state: PollState; interval_s: number };
  /** The one with this code. A wrong code counts as one of the few tries that `who` has. */
  find(code: string, who: string): Waiting;
  /** Takes it, so that nobody else can answer it; if `settle` fails, it waits again. */
  approve(code: string, who: string, settle: (it: Waiting) => Promise<void>): Promise<Waiting>;
  deny(code: string, who: string): Waiting;
}

/** Consonants that nobody confuses, and that make no words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LASTS_MS = 600_000;
export const INTERVAL_S = 5;
const TRIES = 5;
const MOST = 200;
const MOST_PER_ADDRESS = 10;
const MOST_TRIERS = 1000;

interface Entry extends Waiting {
  /** On the monotonic clock. */
  until: number;
  polled: number | null;
  interval_s: number;
  state: "waiting" | "taken" | "denied";
}

export function deviceCodes(clock: Clock): DeviceCodes {
  const entries = new Map<string, Entry>();
  const tries = new Map<string, { left: number; until: number }>();

  function sweep(): number {
    const now = clock.monotonic();
    for (const [code, it] of entries) if (it.until <= now && it.state !== "taken") entries.delete(code);
    for (const [who, it] of tries) if (it.until <= now) tries.delete(who);
    return now;
  }

  function makeRoom(address: string): void {
    const from = (of: string) => [...entries.values()].filter((it) => it.device.address === of);
    if (from(address).filter((it) => it.state === "waiting").length >= MOST_PER_ADDRESS)
      throw new Refusal(
        "request.too-many",
        `${MOST_PER_ADDRESS} logins from ${address} already wait for a person`,
        "approve or deny them, or wait ten minutes",
      );
    if (entries.size < MOST) return;
    // many addresses ask at once: the busiest loses its oldest, so that a stranger pushes out their own first
    const addresses = new Set([...entries.values()].map((it) => it.device.address));
    const [busiest = ""] = [...addresses].sort((a, b) => from(b).length - from(a).length);
    const [oldest] = from(busiest);
    if (oldest) entries.delete(oldest.code);
  }

  function find(text: string, who: string): Entry {
    const now = sweep();
    const trier = tries.get(who) ?? { left: TRIES, until: now + LASTS_MS };
    if (trier.left === 0)
      throw new Refusal(
        "request.too-many",
        `${TRIES} codes were wrong: no more of them are looked at for a while`,
        "wait ten minutes, then ask for a new code: oj login URL",
      );
    const entry = entries.get(spelled(text));
    if (entry?.state === "waiting") return entry;
    trier.left -= 1;
    tries.set(who, trier);
    for (const oldest of tries.size > MOST_TRIERS ? tries.keys() : []) {
      tries.delete(oldest);
      break;
    }
    throw new Refusal(
      "login.refused",
      `no login waits for the code ${spelled(text).slice(0, 20)}: it is wrong, was used, or is older than ten minutes`,
      "there: oj login URL",
    );
  }

  return {
    ask(wanted) {
      const now = sweep();
      makeRoom(wanted.device.address);
      let code = newCode();
      while (entries.has(code)) code = newCode();
      const at = clock.now();
      const entry: Entry = {
        ...wanted,
        code,
        asked_at_ms: at,
        expires_at_ms: at + LASTS_MS,
        until: now + LASTS_MS,
        polled: null,
        interval_s: INTERVAL_S,
        state: "waiting",
      };
      entries.set(code, entry);
      return entry;
    },

    poll(id, token) {
      const now = sweep();
      const entry = [...entries.values()].find((it) => it.id === id && isHashOf(it.sha256, token));
      if (!entry) return { state: "expired_token", interval_s: INTERVAL_S };
      if (entry.state === "denied") return { state: "access_denied", interval_s: entry.interval_s };
      const isEarly = entry.polled !== null && now - entry.polled < entry.interval_s * 1000;
      entry.polled = now;
      if (isEarly) entry.interval_s = Math.min(entry.interval_s + INTERVAL_S, 60);
      return { state: isEarly ? "slow_down" : "authorization_pending", interval_s: entry.interval_s };
    },

    find,

    async approve(code, who, settle) {
      const entry = find(code, who);
      entry.state = "taken";
      try {
        await settle(entry);
      } catch (error) {
        entry.state = "waiting";
        throw error;
      }
      entries.delete(entry.code);
      return entry;
    },

    deny(code, who) {
      const entry = find(code, who);
      entry.state = "denied";
      return entry;
    },
  };
}

function newCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return spelled(letters);
}

/** However it was typed. */
function spelled(text: string): string {
  const letters = text.toUpperCase().replace(/[^A-Z]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
