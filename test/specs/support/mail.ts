/** A project whose people hear by mail, through a mail server of the test's own. */
import { onTestFinished } from "vitest";
import type { FakeMailServer, TakenMail } from "../../fakes/servers/mail.ts";
import { fakeMailServer, headerOf } from "../../fakes/servers/mail.ts";
import { piped } from "./piped.ts";
import type { ReachProject } from "./reach.ts";
import { reachProject } from "./reach.ts";

export interface MailWorld {
  project: ReachProject;
  server: FakeMailServer;
  /** Waits for the mails to this person, so many of them. */
  mailsTo(person: string, count: number): Promise<TakenMail[]>;
  /** Hands a mail to `oj mail receive`, as a mail server's pipe would. */
  receive(raw: string, env?: Record<string, string>): ReturnType<typeof piped>;
}

const mailConfig = (smtp: string, more = "", channel = "") => `
[person.ana]
mail = "ana@example.com"
[person.ben]
mail = "ben@example.com"
[channel.mail]
smtp     = "${smtp}"
from     = "Oddjobs <oj@example.com>"
reply_to = "oj+{token}@example.com"
${channel}
[[route]]
notify = ["ana", "ben"]
via    = ["mail"]
${more}`;

export async function mailWorld(more = "", channel = ""): Promise<MailWorld> {
  const server = await fakeMailServer();
  const project = await reachProject(mailConfig(server.url, more, channel));
  onTestFinished(() => server.close());
  return {
    project,
    server,
    mailsTo: (person, count) =>
      project.until(() => {
        const theirs = server.mails.filter((it) => it.to.includes(`${person}@example.com`));
        return theirs.length >= count && theirs;
      }, `${count} mails to ${person}`),
    receive: (raw, env = {}) =>
      piped({ ...project, env: { ...project.env, ...env } }, raw, "mail", "receive"),
  };
}

/** A reply as a mail program writes it; `headers` replace or follow what it would say. */
export function replyTo(mail: TakenMail, text: string, headers: Record<string, string | null> = {}): string {
  const all: Record<string, string | null> = {
    "Return-Path": "<ana@example.com>",
    From: "Ana <ana@example.com>",
    To: headerOf(mail, "Reply-To") ?? "",
    Subject: `Re: ${headerOf(mail, "Subject")}`,
    "Message-ID": `<reply-${Math.random().toString(36).slice(2)}@example.com>`,
    "In-Reply-To": headerOf(mail, "Message-ID") ?? "",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `${lines.join("\r\n")}\r\n\r\n${text}\r\n\r\nOn Mon, Nov 16, 2026, Oddjobs wrote:\r\n> 2\r\n`;
}

/** What a mail server sends back that can't deliver. */
export function bounceOf(mail: TakenMail, action = "failed"): string {
  const quoted = mail.raw.split("\r\n\r\n")[0];
  return [
    "Return-Path: <>",
    "From: MAILER-DAEMON@mx.example.com",
    `To: ${mail.from}`,
    "Subject: Undelivered Mail Returned to Sender",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b\r\nContent-Type: text/plain\r\n\r\nSorry.",
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n",
    `Final-Recipient: rfc822; ana@example.com\r\nAction: ${action}\r\nStatus: 5.1.1`,
    "Diagnostic-Code: smtp; 550 5.1.1 no such user\r\n",
    `--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${quoted}\r\n\r\n--b--\r\n`,
  ].join("\r\n");
}

/** The text of a mail, decoded. */
export function textOf({ raw }: TakenMail): string {
  const [, part = ""] = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw) ?? [];
  return decoded(
    part,
    /Content-Transfer-Encoding: (\S+)/i.exec(raw.slice(raw.indexOf("text/plain")))?.[1] ?? "",
  );
}

function decoded(text: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(text, "base64").toString("utf8");
  if (!/quoted/i.test(encoding)) return text;
  const bytes = text
    .replace(/=\r\n/g, "")
    .replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** The links of a mail, in the order of its options; the last is the page with all of them. */
export function linksOf(mail: TakenMail): string[] {
  return textOf(mail).match(/https?:\/\/\S+\/a\/\S+/g) ?? [];
}
