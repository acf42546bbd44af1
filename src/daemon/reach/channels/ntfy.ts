/** ntfy: notifications on phones, with a button for each of up to three options. The server may be one's own. */
import { createHash } from "node:crypto";
import type { Asked, NtfyMessage } from "../../../channels/ntfy/message.ts";
import { isOver, ntfyChange, ntfyMessage, tappable } from "../../../channels/ntfy/message.ts";
import { neverArrived } from "../../../core/failure/never-arrived.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { retryAfterMs } from "../../../core/reach/retry-after.ts";
import type { Channel, Given, MakeChannel, Outgoing, Sent } from "../channel.ts";
import { ChannelError } from "../channel.ts";

const PUBLIC = "https://ntfy.sh";
const PATIENCE_MS = 15_000;
const KNOWN = ["url", "token_file", "user", "password_file", "undo"];
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;

export const make: MakeChannel = async ({ config, secret, ports: { clock } }: Given) => {
  const settings = readSettings(config.name, config.settings);
  const { host } = new URL(settings.url);
  /** Why the login was refused; anything else is asked of the server itself. */
  let refused: string | null = null;

  async function authorization(): Promise<Record<string, string>> {
    const { tokenFile, user, passwordFile } = settings;
    if (tokenFile !== null) return { authorization: `Bearer ${(await secret(tokenFile)).trim()}` };
    if (user === null || passwordFile === null) return {};
    const login = Buffer.from(`${user}:${(await secret(passwordFile)).trim()}`).toString("base64");
    return { authorization: `Basic ${login}` };
  }

  async function call(method: "POST" | "PUT", path: string, body: object | null): Promise<void> {
    const headers = { "content-type": "application/json", ...(await authorization()) };
    let response: Response;
    try {
      response = await fetch(`${settings.url}${path}`, {
        method,
        headers,
        body: body === null ? null : JSON.stringify(body),
        redirect: "manual", // the token is for this server alone
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await response.body?.cancel();
    } catch (error) {
      const words = `${host} can't be reached: ${causeOf(error as Error)}`;
      throw new ChannelError(words, { isUnsure: !neverArrived(error) });
    }
    const { status } = response;
    const isLogin = status === 401 || status === 403;
    const words = isLogin
      ? `${host} refuses the login (${status}): is the token revoked?`
      : `${host} answered ${status}`;
    if (isLogin || status < 300) refused = isLogin ? words : null;
    if (status < 300) return;
    const isFinal = status >= 300 && status < 500 && status !== 408 && status !== 429;
    const after = retryAfterMs(response.headers.get("retry-after"), clock.now());
    throw new ChannelError(words, { isFinal, retryAfterMs: after });
  }

  const channel: Channel = {
    kind: "ntfy",
    name: config.name,
    room: null,
    addressOf: ({ addresses }) => addresses.ntfy ?? null,

    async send(outgoing): Promise<Sent> {
      const sequence = sequenceOf(outgoing.key, outgoing.decision.id);
      await publish(outgoing, ntfyMessage(await asked(outgoing, sequence), outgoing.now));
      return { ref: sequence };
    },

    change,

    retract: (outgoing) => change(outgoing, sequenceOf(outgoing.key, outgoing.decision.id)),

    async check() {
      if (refused !== null) return refused;
      const health = `${settings.url}/v1/health`;
      return fetch(health, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) }).then(
        async (it) => {
          await it.body?.cancel();
          return it.status >= 500 ? `${host} answered ${it.status}` : null;
        },
        (error: Error) => `${host} can't be reached: ${causeOf(error)}`,
      );
    },

    close: async () => {},
  };

  /** The new text takes the place of the old one; what is over also goes away from phones' screens. */
  async function change(outgoing: Outgoing, sequence: string): Promise<Sent> {
    await publish(outgoing, ntfyChange(await asked(outgoing, sequence), outgoing.now));
    if (isOver(outgoing)) await clear(outgoing.address, sequence);
    return { ref: sequence };
  }

  async function publish({ address }: Outgoing, message: NtfyMessage): Promise<void> {
    if (!TOPIC.test(address))
      throw new ChannelError(`"${address}" is not a topic: letters, digits, - and _`, { isFinal: true });
    await call("POST", "", message);
  }

  /** Servers before 2.16 don't know it; there the text says that it is over. */
  async function clear(topic: string, sequence: string): Promise<void> {
    await call("PUT", `/${topic}/${sequence}/clear`, null).catch((error: ChannelError) => {
      if (!error.isFinal) throw error;
    });
  }

  return channel;
};

async function asked(outgoing: Outgoing, sequence: string): Promise<Asked> {
  const isDigest = outgoing.others.length > 0;
  const taps = isDigest ? [] : tappable(outgoing);
  const links = await Promise.all(taps.map(async ({ key }) => [key, await outgoing.link(key)] as const));
  return {
    ...outgoing,
    topic: outgoing.address,
    sequence,
    open: isDigest ? outgoing.url : ((await outgoing.link(null)) ?? outgoing.url),
    claim: isDigest ? null : await outgoing.claim(),
    links: new Map(links.flatMap(([key, url]) => (url === null ? [] : [[key, url] as const]))),
  };
}

/** The same for every try, so that a message that was sent twice is shown once. */
function sequenceOf(key: string, id: string): string {
  return `oj-${createHash("sha256").update(`${id} ${key}`).digest("base64url").slice(0, 24)}`;
}

function causeOf({ name, message, cause }: Error & { cause?: unknown }): string {
  const { code } = (cause ?? {}) as { code?: string };
  return name === "TimeoutError" ? "no answer in time" : (code ?? message);
}

function readSettings(name: string, settings: Readonly<Record<string, unknown>>) {
  const other = Object.keys(settings).find((it) => !KNOWN.includes(it));
  if (other !== undefined) throw invalid(`Unknown setting "channel.${name}.${other}"`);
  const { url = PUBLIC, token_file = null, user = null, password_file = null } = settings;
  if (typeof url !== "string" || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw invalid(`channel.${name}.url must be an address that begins with https://`);
  if (!isText(token_file) || !isText(user) || !isText(password_file))
    throw invalid(`channel.${name}: token_file, user and password_file are texts`);
  if ((user === null) !== (password_file === null))
    throw invalid(`channel.${name}: user and password_file belong together`);
  return { url: url.replace(/\/+$/, ""), tokenFile: token_file, user, passwordFile: password_file };
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function invalid(message: string): Refusal {
  return new Refusal("config.invalid", message, null);
}
