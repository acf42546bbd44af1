/** What comes back from Telegram, taken apart. Whatever is not exactly what we wait for is nothing to us. */

export type Came =
  /** A button under one of our messages, which Telegram may have forgotten by now. */
  | { type: "press"; query: string; from: string; message: number | null; decision: string; option: number }
  /** Wants to see the rule that approving would become; then accepts the one that was shown. */
  | { type: "remember"; query: string; from: string; message: number | null; decision: string }
  | ({ type: "accept"; query: string; from: string; message: number | null; decision: string } & Accepted)
  /** "I'm on it". */
  | { type: "claim"; query: string; from: string; decision: string }
  /** A reply to one of our messages. */
  | { type: "words"; from: string; chat: string; message: number; decision: string; text: string }
  /** Somebody wrote to the bot for the first time, or wrote what is no reply. */
  | { type: "hello"; from: string; chat: string };

const DATA = /^(dec-[a-z0-9]{1,40}):(\d{1,3}|claim|remember|[jp][\w-]{43})$/;
const ID_LINE = /^dec-[a-z0-9]{1,40}$/;
const MAX_WORDS = 20_000;

export function updateId(update: unknown): number | null {
  const id = field(update, "update_id");
  return Number.isSafeInteger(id) ? (id as number) : null;
}

export function readUpdate(update: unknown): Came | null {
  const press = field(update, "callback_query");
  if (press !== undefined) return readPress(press);
  const message = field(update, "message");
  return message === undefined ? null : readMessage(message);
}

function readPress(press: unknown): Came | null {
  const [, decision, option] = DATA.exec(text(field(press, "data")) ?? "") ?? [];
  const query = text(field(press, "id"));
  const from = personIn(press);
  if (decision === undefined || query === null || from === null) return null;
  if (option === "claim") return { type: "claim", query, from, decision };
  const number = field(field(press, "message"), "message_id");
  const message = Number.isSafeInteger(number) ? (number as number) : null;
  if (option === "remember") return { type: "remember", query, from, message, decision };
  const accepted = acceptedIn(option ?? "");
  if (accepted) return { type: "accept", query, from, message, decision, ...accepted };
  return { type: "press", query, from, message, decision, option: Number(option) };
}

/** What accepts a rule: how long it counts, and its hash, in the 64 bytes that a button carries. */
interface Accepted {
  scope: "job" | "project";
  hash: string;
}

export function acceptData(decision: string, { scope, hash }: Accepted): string {
  return `${decision}:${scope.slice(0, 1)}${Buffer.from(hash, "hex").toString("base64url")}`;
}

function acceptedIn(data: string): Accepted | null {
  const [, kind, hash] = /^([jp])([\w-]{43})$/.exec(data) ?? [];
  if (hash === undefined) return null;
  return { scope: kind === "p" ? "project" : "job", hash: Buffer.from(hash, "base64url").toString("hex") };
}

function readMessage(message: unknown): Came | null {
  const from = personIn(message);
  const chat = idOf(field(field(message, "chat"), "id"));
  const number = field(message, "message_id");
  const words = text(field(message, "text"));
  if (from === null || chat !== from || !Number.isSafeInteger(number) || words === null) return null; // a group
  const decision = aboutWhat(field(message, "reply_to_message"));
  return decision === null
    ? { type: "hello", from, chat }
    : { type: "words", from, chat, message: number as number, decision, text: words.slice(0, MAX_WORDS) };
}

/** Our messages end with the id of their decision. */
function aboutWhat(replied: unknown): string | null {
  if (field(field(replied, "from"), "is_bot") !== true) return null;
  const last = text(field(replied, "text"))?.trimEnd().split("\n").at(-1) ?? "";
  return ID_LINE.test(last) ? last : null;
}

function personIn(value: unknown): string | null {
  const from = field(value, "from");
  return field(from, "is_bot") === true ? null : idOf(field(from, "id"));
}

function idOf(value: unknown): string | null {
  return Number.isSafeInteger(value) ? String(value) : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
