/** A project whose people hear by mail, through a mail server of the test's own. */
import { onTestFinished } from "vitest";
import type { FakeMailServer, TakenMail } from "../../fakes/servers/mail.ts";
import { fakeMailServer } from "../../fakes/servers/mail.ts";
import { piped } from "./piped.ts";
import type { Given } from "./project.ts";
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

export async function mailWorld(more = "", channel = "", given: Given = {}): Promise<MailWorld> {
  const server = await fakeMailServer();
  const project = await reachProject(mailConfig(server.url, more, channel), {}, {}, given);
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
