/** The SMTP adapter against a real server: what arrives, and what each failure is called. */
import assert from "node:assert/strict";
import { it, onTestFinished } from "vitest";
import { readMail } from "../../src/adapters/mime/read-mail.ts";
import { smtpSender } from "../../src/adapters/smtp/smtp.ts";
import type { MailFailure, OutgoingMail } from "../../src/channel-ports.ts";
import { reachTexts } from "../fakes/reach-corpus.ts";
import { fakeMailServer, headerOf } from "../fakes/servers/mail.ts";

const mail: OutgoingMail = {
  from: { name: "Oddjobs", address: "oj@example.com" },
  to: "ana@example.com",
  envelope_from: "oj+token@example.com",
  reply_to: "oj+token@example.com",
  subject: "Ship 1.0?",
  text: "Ship it?\n.\nFrom here on\n",
  html: "<p>Ship it?</p>",
  message_id: "<dec-1.n1@example.com>",
  in_reply_to: "<first@example.com>",
  references: ["<first@example.com>"],
  automatic: "auto-generated",
};

async function start(given: { password?: string; gives?: string } = {}) {
  const server = await fakeMailServer(given);
  onTestFinished(() => server.close());
  const { port } = server;
  const user = given.password === undefined ? null : "oj";
  const password = async () => given.gives ?? given.password ?? null;
  return { server, sender: smtpSender({ host: "127.0.0.1", port, secure: false, user, password }) };
}

const codeOf = (sending: Promise<void>) =>
  sending.then(
    () => assert.fail("it was taken"),
    (error: MailFailure) => [error.name, error.code],
  );

it("hands over what it was given, once", async () => {
  const { server, sender } = await start();
  await sender.send(mail);
  const [taken, ...more] = server.mails;
  assert.ok(taken);
  assert.deepEqual([taken.from, taken.to, more.length], ["oj+token@example.com", ["ana@example.com"], 0]);
  const header = (name: string) => headerOf(taken, name);
  assert.equal(header("Message-ID"), "<dec-1.n1@example.com>");
  assert.equal(header("In-Reply-To"), "<first@example.com>");
  assert.equal(header("References"), "<first@example.com>");
  assert.equal(header("Auto-Submitted"), "auto-generated");
  assert.equal(header("Reply-To"), "Oddjobs <oj+token@example.com>");
  const read = await readMail(Buffer.from(taken.raw));
  assert.equal(read?.text.trimEnd(), mail.text.trimEnd());
});

it("tells 4xx, 5xx and no response apart, and sends again under the same Message-ID", async () => {
  const { server, sender } = await start();
  server.faults.push({ code: 451, text: "try later" }, { code: 550, text: "no such user" }, "lost");
  assert.deepEqual(await codeOf(sender.send(mail)), ["MailFailure", 451]);
  assert.deepEqual(await codeOf(sender.send(mail)), ["MailFailure", 550]);
  assert.deepEqual(await codeOf(sender.send(mail)), ["MailFailure", null]);
  await sender.send(mail);
  assert.deepEqual(
    server.mails.map((it) => headerOf(it, "Message-ID")),
    ["<dec-1.n1@example.com>", "<dec-1.n1@example.com>"],
  );
});

it("says that the server is away, or refuses the login", async () => {
  const { server, sender } = await start({ password: "right", gives: "wrong" });
  assert.deepEqual(await codeOf(sender.verify()), ["MailFailure", 535]);
  await server.close();
  assert.deepEqual(await codeOf(sender.verify()), ["MailFailure", null]);
});

it("logs in where the server wants it", async () => {
  const { server, sender } = await start({ password: "right" });
  await sender.verify();
  await sender.send(mail);
  assert.equal(server.mails.length, 1);
});

it("lets no text become a header, a recipient or a command", async () => {
  const { server, sender } = await start();
  const wanted = [
    "auto-submitted",
    "content-type",
    "date",
    "from",
    "in-reply-to",
    "message-id",
    "mime-version",
  ];
  const known = new Set([...wanted, "references", "reply-to", "subject", "to", "x-auto-response-suppress"]);
  for (const text of reachTexts.filter((it) => /[\r\n\0.]/.test(it) && it.length < 2000).slice(0, 60)) {
    await sender.send({ ...mail, subject: text, text, html: text });
    const taken = server.mails.at(-1);
    const [head = ""] = taken?.raw.split("\r\n\r\n") ?? [];
    const names = [...head.matchAll(/^([^\s:]+):/gm)].map(([, name = ""]) => name.toLowerCase());
    assert.deepEqual(
      names.filter((it) => !known.has(it)),
      [],
      JSON.stringify(text),
    );
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(taken?.to, ["ana@example.com"]);
  }
});
