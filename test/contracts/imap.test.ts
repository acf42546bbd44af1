/** The IMAP adapter against dovecot: what is unread, what comes in, and a server that goes away. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { imapReader } from "../../src/adapters/imap/imap.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { fakeJournal } from "../fakes/fake-journal.ts";
import { dovecot, PASSWORD, whyNoDovecot } from "../fakes/servers/dovecot.ts";
import { until } from "./temp.ts";

const why = whyNoDovecot();
if (why !== null) process.stderr.write(`imap.test.ts is skipped: ${why}\n`);

const mail = (text: string) => `From: ana@example.com\r\nTo: oj@example.com\r\nSubject: x\r\n\r\n${text}\r\n`;

async function start(password = PASSWORD) {
  const server = await dovecot();
  onTestFinished(() => server.close());
  const texts: string[] = [];
  const given = { fails: 0 };
  const open = () => {
    const reader = imapReader(
      {
        host: "127.0.0.1",
        port: server.port,
        secure: false,
        user: "oj",
        folder: "INBOX",
        password: async () => password,
        async read({ text }) {
          if (given.fails-- > 0) throw new Error("not now");
          texts.push(text.trim());
        },
      },
      { clock: systemClock, journal: fakeJournal() },
    );
    onTestFinished(() => reader.close());
    return reader;
  };
  return { server, texts, given, open };
}

describe.skipIf(why !== null)("a mailbox", () => {
  it("is read from what came while nobody looked, and then as mails come in; each once", async () => {
    const { server, texts, open } = await start();
    server.deliver(mail("1 early"));
    const reader = open();
    await until(() => texts.length === 1 && server.seen() === 1);
    assert.equal(reader.trouble(), null);
    server.deliver(mail("2 late"));
    await until(() => texts.length === 2 && server.seen() === 2);
    assert.deepEqual(texts, ["1 early", "2 late"]);
    await reader.close();
    const again = open();
    server.deliver(mail("3 later"));
    await until(() => texts.length === 3);
    assert.deepEqual(texts, ["1 early", "2 late", "3 later"]);
    await again.close();
  });

  it("is connected to again when the server comes back", async () => {
    const { server, texts, open } = await start();
    const reader = open();
    await until(() => reader.trouble() === null);
    await server.stop();
    await until(() => reader.trouble() !== null);
    server.deliver(mail("1"));
    await server.start();
    await until(() => texts.length === 1);
    assert.equal(reader.trouble(), null);
  });

  it("keeps a mail unread until it was dealt with", async () => {
    const { server, texts, given, open } = await start();
    given.fails = 1;
    server.deliver(mail("1"));
    open();
    await until(() => given.fails < 1);
    assert.deepEqual([texts.length, server.seen()], [0, 0]);
    server.deliver(mail("2")); // whatever comes in wakes it, too
    await until(() => texts.length === 2 && server.seen() === 2);
    assert.deepEqual(texts, ["1", "2"]);
  });

  it("says that the login is refused", async () => {
    const { open } = await start("wrong");
    const reader = open();
    await until(() => /login was refused/.test(reader.trouble() ?? ""));
  });
});
