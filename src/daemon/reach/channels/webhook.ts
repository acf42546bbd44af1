/** Webhooks by Standard Webhooks: signed events for programs. Answers come back through our API. */
import { createHash } from "node:crypto";
import type { EventName } from "../../../channels/webhook/event.ts";
import { eventBody, nextEvent, toldOf, toldText } from "../../../channels/webhook/event.ts";
import { retryAfterMs } from "../../../core/reach/retry-after.ts";
import type { Channel, Given, MakeChannel, Outgoing, Sent } from "../channel.ts";
import { ChannelError } from "../channel.ts";
import { guardedLookup, PrivateAddress } from "../webhook/addresses.ts";
import type { Posted } from "../webhook/post.ts";
import { post } from "../webhook/post.ts";
import { readSettings } from "../webhook/settings.ts";
import { keyIn, signed } from "../webhook/signature.ts";
import { openSwitch } from "../webhook/switch.ts";

/** After each failure in turn; then it is given up. About three days in all. */
const RETRIES_S = [2, 5, 10, 30, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

export const make: MakeChannel = async ({ config, secret, ports: { clock, journal }, dir }: Given) => {
  const { url, secretFile, events, allowPrivate } = readSettings(config);
  keyIn(await secret(secretFile), config.name); // a file that can't be used is told now, not with the first event
  const gone = await openSwitch(dir, url.href);
  /** How often each event failed, by its id. */
  const failures = new Map<string, number>();
  let trouble: string | null = null;

  async function tell(type: EventName, { key, decision, now }: Outgoing, count: number): Promise<void> {
    const off = gone.off();
    if (off !== null) throw new ChannelError(off, { isFinal: true });
    const id = `msg_${createHash("sha256").update(`${decision.id} ${key} ${count}`).digest("base64url").slice(0, 32)}`;
    const body = JSON.stringify(eventBody(type, decision, now));
    const headers = signed(keyIn(await secret(secretFile), config.name), { id, now: clock.now(), body });
    const posted = await post(
      { url, allowPrivate },
      { "content-type": "application/json", "user-agent": "oddjobs", ...headers },
      body,
    ).catch((error: Error) => error);
    trouble = troubleOf(posted, url.host);
    if (trouble === null) return void failures.delete(id);
    if (!(posted instanceof Error) && posted.status === 410) {
      await gone.turnOff(clock.now());
      journal.warn("a webhook's server answered 410, so it is switched off", { channel: config.name });
      throw new ChannelError(gone.off() ?? trouble, { isFinal: true });
    }
    throw failure(id, posted);
  }

  function failure(id: string, posted: Posted | Error): ChannelError {
    const words = trouble ?? "";
    if (posted instanceof PrivateAddress) return new ChannelError(words, { isFinal: true });
    const count = failures.get(id) ?? 0;
    const next = RETRIES_S[count];
    failures.set(id, count + 1);
    if (next === undefined) {
      failures.delete(id);
      return new ChannelError(`${words}; given up after ${count + 1} attempts`, { isFinal: true });
    }
    const asked = posted instanceof Error ? null : retryAfterMs(posted.retryAfter, clock.now());
    return new ChannelError(words, { retryAfterMs: asked, delayMs: next * 1000 });
  }

  async function hear(message: Outgoing, sent: string | null): Promise<Sent> {
    const told = sent === null ? null : toldOf(sent);
    const type = nextEvent(message.decision, told);
    if (type === null) return { ref: sent };
    const count = (told?.count ?? 0) + 1;
    if (events.includes(type)) await tell(type, message, count);
    return { ref: toldText({ count, last: type }) };
  }

  const channel: Channel = {
    kind: "webhook",
    name: config.name,
    room: url.host,
    hearsAll: true,
    addressOf: () => null,
    send: (message) => hear(message, null),
    change: hear,
    async check() {
      return gone.off() ?? trouble ?? (allowPrivate ? null : await nameTrouble(url.hostname));
    },
    close: async () => {},
  };
  return channel;
};

function troubleOf(posted: Posted | Error, host: string): string | null {
  if (posted instanceof PrivateAddress) return posted.message;
  if (posted instanceof Error) return `${host} can't be reached: ${causeOf(posted)}`;
  const { status } = posted;
  if (status >= 200 && status < 300) return null;
  const what = status >= 300 && status < 400 ? " (a redirect, which is not followed)" : "";
  return `${host} answered ${status}${what}`;
}

function causeOf({ name, message, code }: Error & { code?: string }): string {
  return name === "TimeoutError" || name === "AbortError" ? "no answer in time" : (code ?? message);
}

/** Whether its name leads to a private address now. */
function nameTrouble(host: string): Promise<string | null> {
  return new Promise((resolve) => {
    guardedLookup()(host, { all: true }, (error) =>
      resolve(error instanceof PrivateAddress ? error.message : null),
    );
  });
}
