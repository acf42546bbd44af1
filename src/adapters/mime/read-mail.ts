/** Reads a mail as it travels (MIME) with postal-mime; a program of its own for `oj mail receive`. */
import PostalMime, { addressParser } from "postal-mime";
import type { MailReport, ReceivedMail } from "../../core/reach/received-mail.ts";
import { mendText } from "../../core/text/safe-text.ts";
import { htmlText } from "./html-text.ts";

const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true } as const;
/** Whoever answers writes less than this. */
const MAX_TEXT = 100_000;
/** What a report quotes of our mail stands at its beginning. */
const MAX_REPORT = 512 * 1024;

/** Null: it is no mail that anybody could read. */
export async function readMail(raw: Uint8Array): Promise<ReceivedMail | null> {
  const mail = await PostalMime.parse(raw, LIMITS).catch(() => null);
  if (mail === null) return null;
  const all = (name: string) => mail.headers.filter((it) => it.key === name).map((it) => it.value.trim());
  const [path = null] = all("return-path");
  const text = mail.text?.trim() ? mail.text : htmlText(mail.html ?? "");
  return {
    from: all("from").flatMap(addressesIn),
    to: ["delivered-to", "x-original-to", "to", "cc"].flatMap((name) => all(name).flatMap(addressesIn)),
    return_path: path === null ? null : (addressesIn(path)[0] ?? ""),
    subject: mendText((mail.subject ?? "").slice(0, 1000)),
    message_id: idsIn(all("message-id").join(" "))[0] ?? null,
    references: idsIn([...all("references"), ...all("in-reply-to")].join(" ")),
    text: mendText(text.slice(0, MAX_TEXT)),
    is_automatic: isAutomatic(all, mail.subject ?? ""),
    report: reportIn(raw, [...all("content-type"), ...all("from")].join(" ")),
  };
}

function addressesIn(header: string): string[] {
  return addressParser(header, { flatten: true })
    .map((it) => (it.address ?? "").trim().toLowerCase())
    .filter((it) => it !== "")
    .slice(0, 50);
}

function idsIn(header: string): string[] {
  return (header.slice(0, 20_000).match(/<[^<>\s]{1,500}>/g) ?? []).slice(0, 100);
}

/** RFC 3834, and what was usual before it. */
function isAutomatic(all: (name: string) => string[], subject: string): boolean {
  if (all("auto-submitted").some((it) => !/^no\b/i.test(it))) return true;
  if (all("precedence").some((it) => /^(?:bulk|junk|list|auto_reply)\b/i.test(it))) return true;
  if (["x-autoreply", "x-autorespond", "list-id"].some((name) => all(name).length > 0)) return true;
  return /^(?:automatic reply|out of (?:the )?office|auto(?:matic)?[- ]?reply|abwesenheit)\b/i.test(subject);
}

/** What a mail server says about a mail that it took before: RFC 3464, or its own way. */
function reportIn(raw: Uint8Array, head: string): MailReport | null {
  if (!/multipart\/report|\bmailer-daemon\b|\bpostmaster@/i.test(head)) return null;
  const text = Buffer.from(raw.subarray(0, MAX_REPORT))
    .toString("latin1")
    .replace(/=\r?\n/g, "");
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, "im").exec(text)?.[1];
  const tidy = (value: string | undefined) => (value ?? "").replace(/\s+/g, " ").trim();
  const reason = tidy(field("Diagnostic-Code")).replace(/^\w+;\s*/, "") || tidy(field("Status"));
  return {
    message_ids: [...new Set(idsIn((text.match(/^message-id:.*(?:\r?\n[ \t].*)*/gim) ?? []).join(" ")))],
    action: tidy(field("Action")).toLowerCase() || null,
    reason: reason.slice(0, 300),
  };
}
