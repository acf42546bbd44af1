import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { someOf } from "../../../../test/everything.ts";
import { decision, NOW } from "../../../../test/fakes/fake-client.ts";
import { answered, fakeDoor, person } from "../../../../test/fakes/fake-door.ts";
import { given } from "../../../../test/fakes/outgoing.ts";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import { reachTexts, secrets } from "../../../../test/fakes/reach-corpus.ts";
import type { DecisionView } from "../../../api/api.ts";
import type { OutgoingMail } from "../../../channel-ports.ts";
import { redacted } from "../../../channels/redacted.ts";
import type { Delivery, ReceivedMail } from "../../../core/reach/received-mail.ts";
import { describe as describeCard } from "../../../inbox/card/describe.ts";
import type { Outgoing } from "../channel.ts";
import { make } from "./mail.ts";

const SETTINGS = {
  smtp: "smtp://127.0.0.1",
  from: "Oddjobs <oj@example.com>",
  reply_to: "oj+{token}@example.com",
};
const NOBODY: Delivery = { recipient: null, extension: null, sender: null };

const approval = (command = "rm -rf build") =>
  decision({
    source: "approval",
    title: "Run it?",
    action: { tool: "Bash", input: { command }, sha256: "ab".repeat(32) },
    options: [
      { key: "approve", label: "Approve" },
      { key: "deny", label: "Deny", acts: false },
    ],
  });

const PEOPLE = [person("ana"), person("ben")];

async function setup(view: DecisionView, settings: object = {}, people = PEOPLE) {
  const mails: OutgoingMail[] = [];
  const ports = fakePorts();
  const door = fakeDoor([view], people);
  const sender = { send: async (mail: OutgoingMail) => void mails.push(mail), verify: async () => {} };
  const channels = { ...ports.channels, smtp: async () => sender };
  const channel = await make(
    given(
      "mail",
      { ...SETTINGS, ...settings },
      { door, ports: { ...ports, channels }, link: () => "https://oj/a/all" },
    ),
  );
  const message = (about = view, more: Partial<Outgoing> = {}): Outgoing => {
    const { decision: shown, card, showsAll } = redacted({ decision: about, card: describeCard(about, NOW) });
    return {
      key: "n1",
      reason: "asked",
      decision: shown,
      card,
      isWhole: showsAll,
      person: person("ana"),
      names: ["ana"],
      address: "ana@example.com",
      url: `https://oj/#/decision/${about.id}`,
      link: async (option) => `https://oj/a/${option ?? "all"}`,
      claim: async () => "https://oj/a/claim",
      earlier: null,
      others: [],
      stands: async () => true,
      now: NOW,
      ...more,
    };
  };
  const reply = (text: string, more: Partial<ReceivedMail> = {}): ReceivedMail => ({
    from: ["ana@example.com"],
    to: [mails[0]?.reply_to ?? ""],
    return_path: null,
    subject: "",
    message_id: "<reply@example.com>",
    references: [],
    text,
    is_automatic: false,
    report: null,
    ...more,
  });
  const receive = (mail: ReceivedMail, delivery: Partial<Delivery> = {}) =>
    channel.receive?.(mail, { ...NOBODY, ...delivery }) ?? assert.fail();
  return { channel, door, mails, message, reply, receive };
}

describe("an approval by mail", () => {
  it("takes the link: a reply is told so, and may still deny", async () => {
    const { channel, door, mails, message, reply, receive } = await setup(approval());
    await channel.send(message());
    assert.match(mails[0]?.text ?? "", /"Approve": by link only/);
    assert.equal((await receive(reply("1"))).type, "refused");
    assert.match(mails[1]?.text ?? "", /by its link alone[\s\S]*https:\/\/oj\/a\/all/);
    assert.equal(door.answers.length, 0);
    assert.equal((await receive(reply("2 not today"))).type, "taken");
    assert.deepEqual([door.answers[0]?.choices, door.answers[0]?.message], [[[2]], "not today"]);
  });

  it("may be given by a reply where that is switched on", async () => {
    const { channel, door, message, reply, receive } = await setup(approval(), { approve_by_reply: true });
    await channel.send(message());
    assert.equal((await receive(reply("1"))).type, "taken");
    assert.equal(door.answers[0]?.sawAll, true);
  });

  it("never approves what the mail does not hold: it says how much is hidden, and the hash", async () => {
    const long = approval(`echo ${"x".repeat(40_000)}`);
    const { channel, door, mails, message, reply, receive } = await setup(long, { approve_by_reply: true });
    await channel.send(message());
    const text = mails[0]?.text ?? "";
    assert.match(text, /24005 characters hidden\. SHA-256 of all of it: abababab/);
    assert.match(text, /1 {2}Approve[\s\S]*Open: https:\/\/oj\/a\/all/);
    assert.doesNotMatch(text, /a\/approve/);
    await receive(reply("1"));
    assert.equal(door.answers[0]?.sawAll, false); // the door refuses what acts then
  });
});

it("takes the reply of any of those who share an address", async () => {
  const team = { mail: "team@example.com" };
  const people = [person("ben", team), person("ana", team)];
  const { channel, door, message, reply, receive } = await setup(decision(), {}, people);
  await channel.send(message(decision(), { address: "team@example.com", names: ["ana", "ben"] }));
  assert.equal((await receive(reply("1", { from: ["team@example.com"] }))).type, "taken");
  assert.equal(door.answers[0]?.person, "ana");
});

describe("a reply to several questions", () => {
  it("may have own words for each of them", async () => {
    const options = [{ label: "SQLite", description: null }];
    const one = { question: "Which?", header: null, multi_select: false, options };
    const several = decision({ source: "question", questions: [one, { ...one, question: "When?" }] });
    const { channel, door, message, reply, receive } = await setup(several);
    await channel.send(message());
    assert.equal((await receive(reply("2 DuckDB\n2 in May\n\nThanks!"))).type, "taken");
    const [{ choices, text, texts, message: said } = assert.fail()] = door.answers;
    assert.deepEqual([choices, text, texts, said], [[[2], [2]], null, ["DuckDB", "in May"], "Thanks!"]);
  });
});

describe("a mail", () => {
  it("has the same Message-ID for every try, and reminders stand in its thread", async () => {
    const { channel, mails, message } = await setup(decision());
    const { ref } = await channel.send(message());
    await channel.send(message());
    await channel.send(message(decision(), { key: "n2", reason: "reminder", earlier: ref }));
    const [first, again, reminder] = mails;
    assert.equal(first?.message_id, again?.message_id);
    assert.equal(ref, first?.message_id);
    assert.deepEqual([reminder?.in_reply_to, reminder?.references], [ref, [ref]]);
    assert.match(
      `${reminder?.subject} ${reminder?.text}`,
      /Re: Ship 1\.0\?[\s\S]*Still waiting[\s\S]*Ship 1\.0\?/,
    );
  });

  it("tells the others who is on it, and when nobody is any more", async () => {
    const { channel, mails, message } = await setup(decision());
    const claimed = { by: "ben", via: "cli", from_ms: NOW, until_ms: NOW + 60_000 } as const;
    let { ref } = await channel.send(message());
    for (const about of [decision({ claimed }), decision(), decision(), decision({ claimed }), decision()])
      ({ ref } = await channel.change!(message(about), ref ?? ""));
    const [first, ...later] = mails;
    assert.deepEqual(
      later.map((it) => [/ben is on it|nobody is on it/.exec(it.text)?.[0], it.in_reply_to]),
      [..."bnbn"].map((it) => [`${it === "b" ? "ben" : "nobody"} is on it`, first?.message_id]),
    );
    assert.match(later[1]?.text ?? "", /waits for an answer again[\s\S]*https:\/\/oj\/a\/all/);
    const own = message(decision({ claimed }), { person: person("ben") });
    assert.equal((await channel.change!(own, first?.message_id ?? "")).ref, first?.message_id);
    assert.equal(mails.length, 5, "whoever is on it knows");
  });

  it("tells once what became of it, and once more if the answer could not be delivered", async () => {
    const { channel, mails, message } = await setup(decision());
    let { ref } = await channel.send(message());
    const done = answered(decision(), { person: "Ben", choices: [[2]] });
    const states = ["owed", "delivered", "acknowledged", "failed", "failed"] as const;
    for (const state of states) {
      const now = { ...done, delivery: { ...done.delivery, state } };
      ({ ref } = await channel.change!(message(now), ref ?? ""));
    }
    assert.equal(mails.length, 3);
    assert.match(mails[1]?.text ?? "", /Ben answered at \d\d:\d\d: Stop/);
    assert.equal(new Set(mails.map((it) => it.message_id)).size, 3);
  });

  it("shows nothing from outside as if it were ours, and no secret", async () => {
    const { channel, mails, message } = await setup(decision());
    for (const text of someOf(reachTexts, 60)) {
      await channel.send(message({ ...approval(text), title: text, context: text }));
      const mail = mails.at(-1);
      assert.ok(mail);
      assert.doesNotMatch(`${mail.subject}${mail.message_id}${mail.reply_to}`, /[\r\n\0]/);
      assert.doesNotMatch(
        mail.html.replace(/<style>[\s\S]*?<\/style>/, ""),
        /<(?:script|img|iframe|svg|link|form|object)/i,
      );
      assert.deepEqual(
        [...mail.html.matchAll(/<a href="([^"]*)"/g)]
          .map((it) => it[1])
          .filter((it) => !it?.startsWith("https://oj/")),
        [],
      );
    }
    for (const { text, secret } of someOf(secrets, 60)) {
      await channel.send(message({ ...approval(text), title: text, context: text }));
      const { subject = "", text: body = "", html = "" } = mails.at(-1) ?? {};
      assert.ok(![subject, body, html].some((it) => it.includes(secret)), text);
    }
  });

  it("finds its token wherever the mail server says it, in any case", async () => {
    const { channel, mails, message, reply, receive } = await setup(decision());
    await channel.send(message());
    const address = mails[0]?.reply_to ?? "";
    const [, token = ""] = /\+(.*)@/.exec(address) ?? [];
    const nowhere = reply("1", { to: ["oj@example.com"] });
    assert.equal((await receive(nowhere)).type, "ignored");
    assert.equal((await receive(nowhere, { extension: token.toUpperCase() })).type, "taken");
    assert.equal((await receive(nowhere, { recipient: address.toUpperCase() })).type, "refused"); // it was answered
  });
});
