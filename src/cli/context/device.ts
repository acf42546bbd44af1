/**
 * Logs in without a browser: makes a token, shows a code, and waits until a person approves it elsewhere. The token
 * stays here; the server gets its hash, and the token itself only to be asked what became of it.
 */
import { createHash, randomBytes } from "node:crypto";
import os from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { remoteClient } from "../../client/remote.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Scope } from "../../core/roles/people.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { isAway } from "./away.ts";

const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

export interface DeviceLogin {
  url: string;
  scopes: Scope[];
  lasts_ms: number;
}

/** Returns the token once it counts. */
export async function deviceToken(
  { out, abort, json }: Pick<Context, "out" | "abort" | "json">,
  { url, scopes, lasts_ms }: DeviceLogin,
): Promise<string> {
  const client = remoteClient({ url, token: "", via: "cli", abort });
  const { id, token } = makeToken();
  const sha256 = createHash("sha256").update(token).digest("hex");
  const asked = await client.askDevice({ id, sha256, scopes, lasts_ms, label: label() });
  const code = safeLine(asked.code);
  if (json) out.say(JSON.stringify({ code, url: asked.url, expires_at_ms: asked.expires_at_ms }));
  else {
    out.say(`Your code: ${out.style.bold(code)}`);
    out.say(`  approve it within ${Math.round(asked.expires_in_s / 60)} minutes, where you are logged in:`);
    if (asked.url !== null) out.say(`  → open ${safeLine(asked.url)}`);
    out.say(`  → oj token approve ${code}`);
  }
  const missed = patience();
  for (let wait_s = asked.interval_s; ; ) {
    await pause(Math.max(1, Math.min(wait_s, 60)) * 1000, undefined, { signal: abort });
    const { state, interval_s } = await client
      .pollDevice(token)
      .catch((error: unknown) => missed(error, wait_s));
    if (state === "approved") return token;
    if (state === "access_denied") throw refused(`the login with the code ${code} was denied`);
    if (state === "expired_token")
      throw refused(
        `nobody approved ${code} in time, or the daemon there was restarted meanwhile. ` +
          "Behind a load balancer, log in at the address of one machine: no other knows the code",
      );
    wait_s = interval_s;
  }
}

/** A server that is away for a moment is asked again, and more slowly (RFC 8628, 3.5). */
function patience() {
  let left = 5;
  return (error: unknown, wait_s: number) => {
    if (!isAway(error) || left-- === 0) throw error;
    return { state: "authorization_pending" as const, interval_s: wait_s * 2 };
  };
}

function makeToken(): { id: string; token: string } {
  const id = [...randomBytes(12)].map((it) => LETTERS[it % LETTERS.length]).join("");
  return { id, token: `ojp_${id}_${randomBytes(32).toString("base64url")}` };
}

/** What approvers are shown besides the address: it proves nothing. */
function label(): string {
  try {
    return `${os.userInfo().username} on ${os.hostname()}`.slice(0, 200);
  } catch {
    return os.hostname().slice(0, 200); // the user has no name
  }
}

function refused(message: string): Refusal {
  return new Refusal("login.refused", message, "oj login URL");
}
