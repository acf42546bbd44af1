/** Sends mails through an SMTP server with nodemailer: one try each, because retrying is not its business. */
import { createTransport } from "nodemailer";
import type { MailSender, MailServer, OutgoingMail } from "../../channel-ports.ts";
import { MailFailure } from "../../channel-ports.ts";
import { neverArrived } from "../../core/failure/never-arrived.ts";
import { isHere } from "../system/is-here.ts";

/** A server that says nothing for so long counts as gone. */
const LIMITS = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
  dnsTimeout: 15_000,
};

export function smtpSender({ host, port, secure, user, password }: MailServer): MailSender {
  async function transport() {
    const pass = user === null ? null : await password();
    return createTransport({
      host,
      port,
      secure,
      ignoreTLS: isHere(host),
      ...(user !== null && pass !== null ? { auth: { user, pass } } : {}),
      ...LIMITS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  return {
    async send(mail) {
      const server = await transport();
      try {
        await server.sendMail(messageOf(mail));
      } catch (error) {
        throw failure(error as SmtpError);
      } finally {
        server.close();
      }
    },
    async verify() {
      const server = await transport();
      try {
        await server.verify();
      } catch (error) {
        throw failure(error as SmtpError);
      } finally {
        server.close();
      }
    },
  };
}

function messageOf(mail: OutgoingMail) {
  const { from, to, envelope_from, reply_to, subject, text, html, message_id, in_reply_to, references } =
    mail;
  return {
    from,
    to: { name: "", address: to },
    envelope: { from: envelope_from, to: [to] },
    ...(reply_to === null ? {} : { replyTo: { name: from.name, address: reply_to } }),
    subject,
    text,
    html,
    messageId: message_id,
    ...(in_reply_to === null ? {} : { inReplyTo: in_reply_to }),
    ...(references.length === 0 ? {} : { references: [...references] }),
    headers: { "Auto-Submitted": mail.automatic, "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  syscall?: string;
}

function failure(error: SmtpError): MailFailure {
  const { message, responseCode, syscall } = error;
  const isUnsure = responseCode === undefined && syscall !== "connect" && !neverArrived(error);
  return new MailFailure(message.replace(/\s+/g, " ").slice(0, 300), responseCode ?? null, isUnsure);
}
