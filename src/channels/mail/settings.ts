/** The settings of `[channel.mail]`, checked. */
import type { ChannelConfig } from "../../core/reach/config-types.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { Mailbox } from "./address.ts";
import { parseMailbox } from "./address.ts";

export interface MailSettings {
  smtp: Server;
  passwordFile: string | null;
  from: Mailbox;
  /** With `{token}` in it; null: answers are given by link alone. */
  replyTo: string | null;
  /** Where replies are read; null: they come through `oj mail receive`. */
  imap: (Server & { folder: string }) | null;
  imapPasswordFile: string | null;
  /** What lets somebody act may be answered by a reply, too. */
  approveByReply: boolean;
}

export interface Server {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  user: string | null;
}

const KEYS = [
  "smtp",
  "password_file",
  "from",
  "reply_to",
  "imap",
  "imap_password_file",
  "approve_by_reply",
  "undo",
];

/** Throws an error that says what is wrong. */
export function mailSettings({ name, settings }: ChannelConfig): MailSettings {
  const fail = (key: string, words: string): never => {
    throw new Error(`channel.${name}.${key} ${words}`);
  };
  const text = (key: string): string | null => {
    const value = settings[key];
    if (value === undefined) return null;
    return typeof value === "string" && value !== "" ? value : fail(key, "must be a text");
  };
  for (const key of Object.keys(settings))
    if (!KEYS.includes(key)) {
      const near = suggest(key, KEYS);
      fail(key, `is not a setting${near === null ? "" : `; did you mean ${near}?`}`);
    }
  const approves = settings.approve_by_reply ?? false;
  if (typeof approves !== "boolean") fail("approve_by_reply", "must be true or false");
  const smtp = server(text("smtp") ?? fail("smtp", "is missing"), SMTP);
  const from = parseMailbox(text("from") ?? fail("from", "is missing"));
  const replyTo = text("reply_to");
  if (replyTo !== null && !isTemplate(replyTo))
    fail("reply_to", 'must be an address with {token} before the @, like "oj+{token}@example.com"');
  const imapUrl = text("imap");
  const imap = imapUrl === null ? null : server(imapUrl, IMAP);
  const passwordFile = text("password_file");
  return {
    smtp: smtp ?? fail("smtp", 'must be like "smtp://127.0.0.1:25" or "smtps://user@mail.example.com"'),
    passwordFile,
    from: from ?? fail("from", 'must be an address, like "Oddjobs <oj@example.com>"'),
    replyTo,
    imap:
      imapUrl === null ? null : (imap ?? fail("imap", 'must be like "imaps://user@mail.example.com/INBOX"')),
    imapPasswordFile: text("imap_password_file") ?? passwordFile,
    approveByReply: approves === true,
  };
}

const SMTP = { plain: "smtp:", secure: "smtps:", ports: { plain: 587, secure: 465 } } as const;
const IMAP = { plain: "imap:", secure: "imaps:", ports: { plain: 143, secure: 993 } } as const;

function server(text: string, kind: typeof SMTP | typeof IMAP): (Server & { folder: string }) | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const secure = url.protocol === kind.secure;
  if ((!secure && url.protocol !== kind.plain) || url.hostname === "" || url.password !== "") return null;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || kind.ports[secure ? "secure" : "plain"],
    secure,
    user: url.username === "" ? null : decodeURIComponent(url.username),
    folder: decodeURIComponent(url.pathname.slice(1)) || "INBOX",
  };
}

function isTemplate(text: string): boolean {
  const [local = "", domain = "", ...more] = text.split("@");
  const isOnce = local.split("{token}").length === 2 && more.length === 0 && !domain.includes("{");
  return isOnce && parseMailbox(text.replace("{token}", "x")) !== null;
}
