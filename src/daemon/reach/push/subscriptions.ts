/**
 * Keeps the browsers that get push messages: whose they are, and how to reach them. Their addresses are secrets, so they
 * are in a file of their own and neither in the log nor in the API.
 */
import { createHash } from "node:crypto";
import type { PushSubscriptionBody, PushSubscriptionView } from "../../../api/api.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { browserName } from "../../../core/reach/browser-name.ts";
import type { Ports } from "../../../ports.ts";
import type { Joining } from "../../http/browsers.ts";
import { hasTexts, keptJson } from "../../secrets/kept-json.ts";
import { areBrowserKeys } from "./encrypt.ts";
import { hostOf } from "./post.ts";

export interface Subscription {
  id: string;
  person: string;
  /** The login of the browser: if it ends, so do the messages. Null: it was added through the socket. */
  login: string | null;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Our public key that it was made for: with another one, its push service refuses every message. */
  made_for: string;
  browser: string;
  created_at_ms: number;
  told_at_ms: number | null;
  error: string | null;
}

/** A browser that was dropped, until its person switches messages on again somewhere. */
export interface Lost {
  person: string;
  browser: string;
  at_ms: number;
}

export interface Subscriptions {
  of(person: string): Subscription[];
  find(id: string): Subscription | null;
  list(): PushSubscriptionView[];
  lost(): readonly Lost[];
  /** A browser that is known already keeps its id. */
  add(joining: Joining): Promise<PushSubscriptionView>;
  /** Forgets them for good, as somebody wished. */
  remove(isMeant: (it: Subscription) => boolean): Promise<number>;
  /** Its push service says that it ended. */
  drop(id: string): Promise<void>;
  /** How a message to it fared. */
  note(id: string, error: string | null): void;
  /**
   * Returns once everything is on disk. From then on, what a service says is no longer written down; what a person does
   * still is.
   */
  close(): Promise<void>;
}

interface Kept {
  subscriptions: Subscription[];
  lost: Lost[];
}

/** Nobody has more browsers at hand; the one that was told least recently makes way. */
const MOST_EACH = 10;
const MOST = 500;
const MOST_LOST = 50;
/** A message that got through like the one before is written down at most this often. */
const NOTED_MS = 3_600_000;

export async function openSubscriptions(
  file: string,
  publicKey: string,
  { clock, journal }: Pick<Ports, "clock" | "journal">,
): Promise<Subscriptions> {
  const kept = keptJson<Kept>(file, { isFit: isKept, journal });
  const { subscriptions = [], lost: lostBefore = [] } = (await kept.read()) ?? {};
  const byId = new Map(subscriptions.map((it) => [it.id, it]));
  let lost = lostBefore;
  let saving: Promise<void> = Promise.resolve();
  let closing = false;

  function save(): Promise<void> {
    saving = kept.save({ subscriptions: [...byId.values()], lost });
    return saving;
  }

  function lose({ id, person, browser }: Subscription): void {
    byId.delete(id);
    lost = [...lost, { person, browser, at_ms: clock.now() }].slice(-MOST_LOST);
  }

  for (const it of subscriptions) if (it.made_for !== publicKey) lose(it);

  return {
    of: (person) => [...byId.values()].filter((it) => it.person === person),
    find: (id) => byId.get(id) ?? null,
    list: () => [...byId.values()].map(viewOf),
    lost: () => lost,

    async add({ person, login, browser, body: { endpoint, keys } }) {
      check(endpoint, keys);
      const id = createHash("sha256").update(endpoint).digest("hex").slice(0, 12);
      const known = byId.get(id);
      const before = known?.person === person ? known : undefined; // whoever has the browser now has nothing from before
      const added: Subscription = {
        id,
        person,
        login,
        endpoint,
        p256dh: keys.p256dh,
        auth: keys.auth,
        made_for: publicKey,
        browser: browserName(browser),
        created_at_ms: before?.created_at_ms ?? clock.now(),
        told_at_ms: before?.told_at_ms ?? null,
        error: before?.error ?? null,
      };
      byId.set(id, added);
      lost = lost.filter((it) => it.person !== person);
      const own = [...byId.values()].filter((it) => it.person === person);
      for (const it of leastRecent(own, MOST_EACH, id)) byId.delete(it.id);
      for (const it of leastRecent([...byId.values()], MOST, id)) byId.delete(it.id);
      await save();
      return viewOf(added);
    },

    async remove(isMeant) {
      const meant = [...byId.values()].filter(isMeant);
      for (const { id } of meant) byId.delete(id);
      if (meant.length > 0) await save();
      return meant.length;
    },

    async drop(id) {
      const ended = byId.get(id);
      if (!ended) return;
      lose(ended);
      if (!closing) await save();
    },

    note(id, error) {
      const known = byId.get(id);
      if (!known) return;
      const isNews = known.error !== error || clock.now() - (known.told_at_ms ?? 0) > NOTED_MS;
      known.error = error;
      if (error === null) known.told_at_ms = clock.now();
      if (isNews && !closing) void save().catch(() => {}); // the next message notes it again
    },

    close() {
      closing = true;
      return saving.catch(() => {});
    },
  };
}

/** Those that are too many, without the newest. */
function leastRecent(all: readonly Subscription[], most: number, newest: string): Subscription[] {
  const used = (it: Subscription) => it.told_at_ms ?? it.created_at_ms;
  const others = all.filter((it) => it.id !== newest).sort((a, b) => used(a) - used(b));
  return others.slice(0, Math.max(0, all.length - most));
}

function viewOf(it: Subscription): PushSubscriptionView {
  const { id, person, browser, created_at_ms, told_at_ms, error } = it;
  return { id, person, browser, service: hostOf(it.endpoint), created_at_ms, told_at_ms, error };
}

/** Every push service uses https. A service on this machine is one that somebody tries things out with. */
function check(endpoint: string, { p256dh, auth }: PushSubscriptionBody["keys"]): void {
  const { protocol, hostname, username } = new URL(endpoint);
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  if ((protocol !== "https:" && !(protocol === "http:" && isHere)) || username !== "")
    throw new Refusal("request.invalid", "endpoint: must be the https address of a push service");
  const keys = { p256dh: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") };
  if (!areBrowserKeys(keys))
    throw new Refusal("request.invalid", "keys: no message can be encrypted for them");
}

function isKept(value: unknown): boolean {
  const { subscriptions = [], lost = [] } = (value ?? {}) as Partial<Kept>;
  const isBrowser = (it: unknown) => hasTexts(it, ["id", "person", "endpoint", "p256dh", "auth", "browser"]);
  const isLost = (it: unknown) => hasTexts(it, ["person", "browser"]);
  return (
    hasTexts(value, []) &&
    Array.isArray(subscriptions) &&
    subscriptions.every(isBrowser) &&
    Array.isArray(lost) &&
    lost.every(isLost)
  );
}
