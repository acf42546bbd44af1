/**
 * Web Push: messages to every browser in which a person switched notices on. One notice goes to all browsers of its
 * person; those whose push service is out of order are tried again while the others have it.
 */
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { PushMessage } from "../../../api/api.ts";
import {
  askingMessage,
  asksAgain,
  changedMessage,
  MOST_ACTIONS,
  plainest,
} from "../../../channels/push/message.ts";
import { loudnessOf } from "../../../inbox/card/waits.ts";
import type { Channel, Given, MakeChannel, Outgoing, Sent } from "../channel.ts";
import { ChannelError } from "../channel.ts";
import { encrypt } from "../push/encrypt.ts";
import { openLater } from "../push/later.ts";
import type { Posted } from "../push/post.ts";
import { post } from "../push/post.ts";
import { readSettings } from "../push/settings.ts";
import { sickness } from "../push/sickness.ts";
import type { Subscription } from "../push/subscriptions.ts";
import { openSubscriptions } from "../push/subscriptions.ts";
import { openVapid } from "../push/vapid.ts";

/** A browser that was away for longer shows nothing: by then its person has looked elsewhere. */
const TTL_S = 3 * 86_400;
/** Notices whose arrival can still turn out to have failed. */
const MOST_OPEN = 1000;

export const make: MakeChannel = async ({ config, door, ports: { clock, journal }, dir }: Given) => {
  const { subject, isDefault } = readSettings(config);
  await fs.mkdir(dir, { recursive: true, mode: 0o700 });
  const vapid = await openVapid(path.join(dir, "keys.json"), subject, journal);
  const browsers = await openSubscriptions(path.join(dir, "subscriptions.json"), vapid.publicKey, {
    clock,
    journal,
  });
  const later = openLater(clock);
  /** Which browsers took a notice that is not settled yet, oldest first. */
  const open = new Map<string, { decision: Outgoing["decision"]["id"]; ids: Set<string> }>();

  /** Whoever switched notices off meanwhile is not told any more. */
  async function tell(id: string, message: PushMessage, { decision, key }: Outgoing): Promise<Posted> {
    const browser = browsers.find(id);
    if (!browser) return { type: "gone" };
    const posted = await post(
      {
        endpoint: browser.endpoint,
        authorization: vapid.authorization(new URL(browser.endpoint).origin, clock.now()),
        body: encrypt(JSON.stringify(message), keysOf(browser)),
        ttl_s: TTL_S,
        urgency: message.is_urgent ? "high" : loudnessOf(decision) === "low" ? "low" : "normal",
        topic: createHash("sha256").update(message.tag).digest("base64url").slice(0, 32),
      },
      clock.now,
    );
    if (posted.type === "gone") await ended(browser);
    else browsers.note(id, posted.type === "taken" ? null : posted.why);
    if (posted.type === "taken") open.get(key)?.ids.add(id);
    return posted;
  }

  /** What only this browser had has reached nobody. */
  async function ended({ id, person, browser }: Subscription): Promise<void> {
    await browsers.drop(id);
    journal.warn("a browser ended its subscription to push messages", { id, person });
    for (const [key, { decision, ids }] of open) {
      if (!ids.delete(id) || ids.size > 0) continue;
      open.delete(key);
      await door.failed({ decision_id: decision, key, error: `${browser} ended its subscription` });
    }
  }

  /** Rejects if none took it. The rest is tried again, as long as the message is the newest with its tag. */
  async function tellAll(ids: readonly string[], message: PushMessage, outgoing: Outgoing): Promise<void> {
    const results = await Promise.all(
      ids.map(async (id) => ({ id, posted: await tell(id, message, outgoing) })),
    );
    const late = results.flatMap(({ id, posted }) => (posted.type === "later" ? [{ id, posted }] : []));
    if (results.some(({ posted }) => posted.type === "taken")) {
      for (const { id, posted } of late)
        later.add(`${message.tag} ${id}`, posted.retryAfterMs, () => tell(id, message, outgoing));
      return;
    }
    throw errorOf(
      late.map((it) => it.posted),
      results.map((it) => it.posted),
    );
  }

  /** Goes to the browsers that were there when it was sent: whether each of them showed it can't be known. */
  async function change(outgoing: Outgoing, sent: string): Promise<Sent> {
    const { key, address, decision } = outgoing;
    const actions = asksAgain(outgoing) ? await actionsOf(outgoing) : [];
    const message = changedMessage(outgoing, outgoing.now, actions);
    later.end(message.tag);
    if (decision.state !== "pending" && outgoing.others.length === 0) open.delete(key);
    const told = browsers.of(address).filter((it) => it.created_at_ms <= Number(sent));
    if (told.length === 0) return { ref: sent }; // nobody has it any more
    await tellAll(
      told.map((it) => it.id),
      message,
      outgoing,
    );
    return { ref: sent };
  }

  const channel: Channel = {
    kind: "push",
    name: config.name,
    room: null,
    addressOf: ({ name }) => (browsers.of(name).length > 0 ? name : null),

    async send(outgoing): Promise<Sent> {
      const { key, decision, address } = outgoing;
      const at = clock.now();
      const message = askingMessage(outgoing, await actionsOf(outgoing));
      const ids = browsers.of(address).map((it) => it.id);
      if (ids.length === 0)
        throw new ChannelError(`${address} has no browser with notices on`, { isFinal: true });
      open.set(key, { decision: decision.id, ids: new Set() });
      for (const old of [...open.keys()].slice(0, Math.max(0, open.size - MOST_OPEN))) open.delete(old);
      await tellAll(ids, message, outgoing);
      return { ref: String(at) };
    },

    change,
    retract: (outgoing) => change(outgoing, String(clock.now())),

    check: async () => sickness(browsers, { isDefault }),

    browsers: {
      publicKey: vapid.publicKey,
      list: browsers.list,
      add: browsers.add,
      remove: (which) =>
        browsers.remove((it) => {
          if ("id" in which) return it.id === which.id;
          if ("person" in which) return it.person === which.person && it.created_at_ms <= which.until_ms;
          return it.login !== null && it.login === (which.login ?? it.login);
        }),
    },

    async close() {
      later.close();
      await browsers.close();
    },
  };
  return channel;
};

/** The token in the path is for this person, this decision and this option, once. The browser adds its own origin. */
async function actionsOf(outgoing: Outgoing): Promise<PushMessage["actions"]> {
  if (outgoing.others.length > 0) return [];
  const actions = await Promise.all(
    plainest(outgoing).map(async (option) => {
      const link = await outgoing.link(option.key);
      return link === null ? [] : [{ title: option.label, path: new URL(link).pathname }];
    }),
  );
  const answers = actions.flat();
  const claim = answers.length < MOST_ACTIONS ? await outgoing.claim() : null;
  return claim === null ? answers : [...answers, { title: "I'm on it", path: new URL(claim).pathname }];
}

function keysOf({ p256dh, auth }: Subscription) {
  return { p256dh: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") };
}

/** Any that may take it later makes it worth trying again. */
function errorOf(late: readonly Extract<Posted, { type: "later" }>[], all: readonly Posted[]): ChannelError {
  const first = late[0];
  if (first) {
    const waits = late.flatMap((it) => (it.retryAfterMs === null ? [] : [it.retryAfterMs]));
    return new ChannelError(first.why, {
      retryAfterMs: waits.length > 0 ? Math.min(...waits) : null,
      isUnsure: late.some((it) => it.isUnsure),
    });
  }
  const refused = all.find((it) => it.type === "refused");
  return new ChannelError(refused?.why ?? "every browser has ended its subscription", { isFinal: true });
}
