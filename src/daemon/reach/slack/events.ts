/**
 * The Events API: what people click comes by HTTPS, signed by Slack. A request that is forged, old, repeated or altered
 * is refused before anything in it is read.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { SlackHeard } from "../../../channel-ports.ts";
import { parsed } from "../../../channels/slack/clicks.ts";
import type { Clock } from "../../../ports.ts";
import type { PublicDoor, Reply, Visit } from "../../http/public-door.ts";

const MAX_AGE_S = 300;
const MAX_BYTES = 1_000_000;

export function eventsDoor(input: {
  secret(): Promise<string>;
  heard: SlackHeard;
  clock: Clock;
}): PublicDoor {
  const { secret, heard, clock } = input;
  /** Signatures that were used, until they are too old to be used anyway. */
  const used = new Map<string, number>();

  function isNew(signature: string, now: number): boolean {
    for (const [it, until] of used) {
      if (until > now) break;
      used.delete(it);
    }
    if (used.has(signature)) return false;
    used.set(signature, now + 2 * MAX_AGE_S * 1000);
    return true;
  }

  return {
    path: "/slack/events",
    methods: ["POST"],
    maxBytes: MAX_BYTES,
    async visit(visit) {
      const now = clock.now();
      const key = await secret().catch(() => "");
      const signature = signatureOf(visit, key, now);
      if (signature === null || !isNew(signature, now)) return { status: 401, body: "" };
      const envelope = envelopeIn(visit);
      return new Promise<Reply>((resolve) => {
        heard(envelope, (payload) => resolve(replyOf(payload)));
      });
    },
  };
}

/** The request's signature if it is Slack's and fresh; null otherwise. */
function signatureOf(
  { headers, body }: Pick<Visit, "headers" | "body">,
  key: string,
  now: number,
): string | null {
  const at = headers["x-slack-request-timestamp"];
  const given = headers["x-slack-signature"];
  if (key === "" || typeof at !== "string" || typeof given !== "string") return null;
  if (!/^v0=[0-9a-f]{64}$/.test(given)) return null;
  if (!/^\d{1,12}$/.test(at) || Math.abs(now / 1000 - Number(at)) > MAX_AGE_S) return null;
  const wanted = `v0=${createHmac("sha256", key).update(`v0:${at}:`).update(body).digest("hex")}`;
  return timingSafeEqual(Buffer.from(given), Buffer.from(wanted)) ? given : null;
}

/** A click comes as JSON in a form field, a command as the form itself. */
function envelopeIn({ body }: Visit): { type: string; payload: unknown } {
  const form = new URLSearchParams(body.toString("utf8"));
  const payload = form.get("payload");
  if (payload !== null) return { type: "interactive", payload: parsed(payload) };
  return { type: form.has("command") ? "slash_commands" : "", payload: Object.fromEntries(form) };
}

function replyOf(payload: object | undefined): Reply {
  if (payload === undefined) return { status: 200, body: "" };
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(payload) };
}
