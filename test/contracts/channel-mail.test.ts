/** Mail as a channel, against a real SMTP server. */
import { onTestFinished } from "vitest";
import { readMail } from "../../src/adapters/mime/read-mail.ts";
import { smtpSender } from "../../src/adapters/smtp/smtp.ts";
import { make } from "../../src/daemon/reach/channels/mail.ts";
import { person } from "../fakes/fake-door.ts";
import { given } from "../fakes/outgoing.ts";
import { fakePorts } from "../fakes/ports.ts";
import { fakeMailServer } from "../fakes/servers/mail.ts";
import { channelContract } from "./channel.contract.ts";

channelContract("mail", async () => {
  const server = await fakeMailServer();
  onTestFinished(() => server.close());
  const ports = fakePorts();
  const channels = {
    ...ports.channels,
    smtp: async (it: Parameters<typeof smtpSender>[0]) => smtpSender(it),
  };
  const settings = { smtp: server.url, from: "Oddjobs <oj@example.com>", reply_to: "oj+{token}@example.com" };
  return {
    channel: await make(given("mail", settings, { ports: { ...ports, channels } })),
    person: person("ana"),
    // a mail stays as it was sent: it asks for something until its thread says that nothing is left to do
    async seen() {
      const texts = await Promise.all(
        server.mails.map(async (it) => (await readMail(Buffer.from(it.raw)))?.text ?? ""),
      );
      const isSettled = texts.some((it) => /Nothing is left to do/.test(it));
      return texts.map((text) => ({ text, isOpen: !isSettled }));
    },
    fail: async (how) => {
      if (how === "away") return server.close();
      const code = how === "busy" ? 451 : 550;
      server.faults = [{ code, text: "no" }];
    },
    isVague: true,
  };
});
