/**
 * Keeps the browsers that are logged in, and the links for logging in. A login is a cookie and a key that belong
 * together: a host's cookies go to every port of it, so a cookie alone must be worthless. Only one hash of both is
 * kept.
 */
import { createHash, randomBytes } from "node:crypto";
import type { WebLoginView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Clock, Journal } from "../../ports.ts";
import { hasTexts, isObjectOf, keptJson } from "./kept-json.ts";

export interface Logins {
  /** Makes a code that is good for one login, for a short time. */
  makeCode(user: string): { code: string; expires_at_ms: number };
  /**
   * Exchanges a code for a login, which replaces the one that the browser had. The code is used up. Refuses a code that
   * is used, too old or was never made.
   */
  enter(code: string, browser: string, before: Secrets): Promise<Secrets>;
  /** Logs the browser of a person with a token in. It replaces the login that the browser had. */
  enterAs(login: MemberLogin): Promise<Secrets>;
  /**
   * The login that these secrets belong to; it counts as used now. Null: there is no such login, or the two don't belong
   * together.
   */
  find(secrets: Secrets): Pick<KeptLogin, "id" | "user" | "token"> | null;
  /** Whether this login has not ended. */
  has(id: string): boolean;
  /** Calls with each login that ends. The returned function stops that. */
  onEnd(call: (id: string, login: EndedLogin) => void): () => void;
  list(): WebLoginView[];
  /** Ends one login, or all of them. Ending all also cancels links that nobody has used yet. */
  end(id: string | null): Promise<number>;
  /** Ends those that are meant. */
  endThose(isMeant: (login: WhoseLogin) => boolean): Promise<number>;
}

export interface Secrets {
  cookie: string;
  key: string;
}

export interface MemberLogin {
  user: string;
  /** The id of their token: the login ends with it. */
  token: string;
  /** The token was made for this login alone, so it is of no use when the login has ended. */
  isOwn?: boolean;
  browser: string;
  before: Secrets;
}

interface KeptLogin extends WebLoginView {
  /** Absent: whoever is at the socket. */
  token?: string;
  isOwn?: true;
}

export type WhoseLogin = Pick<KeptLogin, "user" | "token" | "created_at_ms">;
export type EndedLogin = Pick<KeptLogin, "user" | "token" | "isOwn">;

type Kept = Record<string, KeptLogin>;

const CODE_MS = 120_000;
const UNUSED_MS = 30 * 86_400_000;
/** The precision of the last use: it is written at most this often. */
const NOTED_MS = 3_600_000;
const MOST_CODES = 20;
const MOST_LOGINS = 100;
/** With one token: a person can't push out anybody else's. */
const MOST_WITH_TOKEN = 10;

export async function startLogins(
  file: string,
  { clock, journal }: { clock: Clock; journal: Journal },
): Promise<Logins> {
  const kept = keptJson<Kept>(file, { isFit: (it) => isObjectOf(it, isLogin), journal });
  const byHash = new Map(Object.entries((await kept.read()) ?? {}));
  /** By hash, oldest first: whose code it is and until when it is good, by the monotonic clock. */
  const codes = new Map<string, { user: string; until: number }>();
  const save = () => kept.save(Object.fromEntries(byHash));
  const watchers = new Set<(id: string, login: EndedLogin) => void>();

  function dropOldest<V>(map: Map<string, V>, most: number): void {
    for (const key of oldest(map, most)) map.delete(key);
  }

  function drop(hash: string): void {
    const login = byHash.get(hash);
    byHash.delete(hash);
    if (login) for (const call of watchers) call(login.id, login);
  }

  /** At most so many have the same token, or none. */
  async function add(
    { user, browser, token, isOwn }: Omit<MemberLogin, "before" | "token"> & { token?: string },
    before: Secrets,
    most: number,
  ): Promise<Secrets> {
    const secrets = { cookie: secret(), key: secret() };
    const at = clock.now();
    const id = randomBytes(4).toString("hex");
    const login = { id, user, browser: browser.slice(0, 200), created_at_ms: at, used_at_ms: at };
    byHash.set(hashOf(`${secrets.cookie}.${secrets.key}`), {
      ...login,
      ...(token && { token }),
      ...(isOwn && { isOwn: true }),
    });
    drop(hashOf(`${before.cookie}.${before.key}`));
    const alike = new Map([...byHash].filter(([, it]) => it.token === token));
    for (const hash of oldest(alike, most)) drop(hash);
    await save();
    journal.info("a browser has logged in", { id, user });
    return secrets;
  }

  return {
    makeCode(user) {
      const code = secret();
      codes.set(hashOf(code), { user, until: clock.monotonic() + CODE_MS });
      dropOldest(codes, MOST_CODES);
      return { code, expires_at_ms: clock.now() + CODE_MS };
    },

    async enter(code, browser, before) {
      const made = codes.get(hashOf(code));
      codes.delete(hashOf(code));
      if (!made || made.until < clock.monotonic())
        throw new Refusal("login.refused", "this link has been used, or is too old", "oj web");
      return add({ user: made.user, browser }, before, MOST_LOGINS);
    },

    enterAs: ({ before, ...login }) => add(login, before, MOST_WITH_TOKEN),

    find({ cookie, key }) {
      const hash = hashOf(`${cookie}.${key}`);
      const login = byHash.get(hash);
      if (!login) return null;
      const now = clock.now();
      const unused = now - login.used_at_ms;
      if (unused > UNUSED_MS) return null;
      if (unused > NOTED_MS) {
        login.used_at_ms = now;
        save().catch((error: Error) =>
          journal.warn("could not record the use of a login", { error: error.message }),
        );
      }
      return login;
    },

    has: (id) => [...byHash.values()].some((it) => it.id === id),

    onEnd(call) {
      watchers.add(call);
      return () => watchers.delete(call);
    },

    list: () =>
      [...byHash.values()]
        .filter((it) => clock.now() - it.used_at_ms <= UNUSED_MS)
        .map(({ token: _, isOwn: __, ...login }) => login),

    async end(id) {
      const ended = [...byHash].filter(([, it]) => id === null || it.id === id);
      if (id !== null && ended.length === 0)
        throw new Refusal("request.not-found", `there is no login ${id}`, "oj web --logins");
      if (id === null) codes.clear();
      for (const [hash] of ended) drop(hash);
      await save();
      return ended.length;
    },

    async endThose(isMeant) {
      const ended = [...byHash].filter(([, it]) => isMeant(it));
      for (const [hash] of ended) drop(hash);
      for (const [hash, { user }] of codes) if (isMeant({ user, created_at_ms: 0 })) codes.delete(hash); // nobody has used it yet
      if (ended.length > 0) await save();
      return ended.length;
    },
  };
}

function isLogin(it: unknown): boolean {
  const { created_at_ms, used_at_ms } = (it ?? {}) as Partial<KeptLogin>;
  return hasTexts(it, ["id", "user", "browser"]) && [created_at_ms, used_at_ms].every(Number.isFinite);
}

/** Those that are too many. */
function oldest(map: ReadonlyMap<string, unknown>, most: number): string[] {
  return [...map.keys()].slice(0, Math.max(0, map.size - most));
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
