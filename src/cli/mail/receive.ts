/** `oj mail receive`: a reply on stdin, from the pipe of a mail server. What can't be done now is left to the server to try again. */
import type { ReceivedMail } from "../../core/reach/received-mail.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { toRefusal } from "../base/fail.ts";
import { directClient } from "../base/patience.ts";

/** sysexits.h: the mail server keeps the mail and tries again. */
const EX_TEMPFAIL = 75;
/** Of a longer mail, the beginning is read: what somebody wrote stands before what they attached. */
const MAX_BYTES = 10 * 1024 * 1024;
const DAEMON_MS = 60_000;

export const command = defineCommand({
  name: "mail receive",
  summary: "Read a reply or bounce from stdin, for a mail server's pipe",
  args: "",
  flags: {},
  lenient: true,
  examples: [
    { run: "oj mail receive < reply.eml", does: "exit 0: done, or ignored; 75: not now, try again" },
    { run: `"|/usr/local/bin/oj mail receive"`, does: "a line in ~/.forward, for postfix and opensmtpd" },
  ],

  async run(context) {
    const raw = await readAll(process.stdin);
    const { readMail } = await import("../../adapters/mime/read-mail.ts");
    const mail = await readMail(raw);
    if (mail === null) return context.out.say("ignored: this is not a mail");
    try {
      return await hand(context, mail);
    } catch (error) {
      const { code, message } = toRefusal(error);
      context.out.say(`not taken: ${safeLine(message)}`);
      return code === "request.forbidden" ? 1 : EX_TEMPFAIL;
    }
  },
});

/** Never starts a daemon: it would be the mail server's child, in the mail server's environment. */
async function hand(context: Context, mail: ReceivedMail): Promise<void> {
  const { config, abort, json, out } = context;
  const { RECIPIENT, EXTENSION, SENDER } = config.env;
  const client = directClient(context, AbortSignal.any([abort, AbortSignal.timeout(DAEMON_MS)]));
  const receipt = await client.receiveMail({
    mail,
    delivery: { recipient: RECIPIENT || null, extension: EXTENSION || null, sender: SENDER ?? null },
  });
  if (json) out.json(receipt);
  else out.say(`${receipt.type}: ${safeLine(receipt.words)}`);
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = Buffer.from(part);
    if (size < MAX_BYTES) parts.push(bytes.subarray(0, MAX_BYTES - size));
    size += bytes.length; // the rest is read, too: a pipe that breaks would count as a failure
  }
  return Buffer.concat(parts);
}
