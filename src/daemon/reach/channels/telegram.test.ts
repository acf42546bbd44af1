import assert from "node:assert/strict";
import { describe as about, it, onTestFinished } from "vitest";
import { someOf } from "../../../../test/everything.ts";
import { decision } from "../../../../test/fakes/fake-client.ts";
import type { FakeClock } from "../../../../test/fakes/fake-clock.ts";
import { answered, fakeDoor, person } from "../../../../test/fakes/fake-door.ts";
import { given, opened, outgoing } from "../../../../test/fakes/outgoing.ts";
import { reachTexts, secrets } from "../../../../test/fakes/reach-corpus.ts";
import type { Message, TelegramServer } from "../../../../test/fakes/servers/telegram.ts";
import { telegramServer } from "../../../../test/fakes/servers/telegram.ts";
import { until } from "../../../../test/specs/support/project.ts";
import type { DecisionView } from "../../../api/api.ts";
import type { ChannelError, Given, Outgoing } from "../channel.ts";
import { make } from "./telegram.ts";

const ANA = 4242;
const command = (text: string, more: object = {}): DecisionView =>
  decision({
    source: "approval",
    title: "Run a command?",
    action: { tool: "Bash", input: { command: text }, sha256: "ab12cd34".repeat(8) },
    options: [
      { key: "approve", label: "Approve" },
      { key: "deny", label: "Deny", acts: false },
    ],
    ...more,
  } as never);

async function stage(views: DecisionView[] = [command("make test")], more: Partial<Given> = {}) {
  const server = await telegramServer();
  onTestFinished(() => server.close());
  const door = fakeDoor(views, [person("ana", { telegram: String(ANA) }), person("ben", { telegram: "77" })]);
  const files = { token: `${server.token}\n` };
  const settings = { bot_token_file: "token", api_url: server.url };
  const from = given("telegram", settings, { door, files, ...more });
  return { server, door, from, channel: await opened(make, from) };
}

const to = (view: DecisionView, more: Partial<Outgoing> = {}) =>
  outgoing(view, { address: String(ANA), person: person("ana"), ...more });
const labels = ({ buttons }: Pick<Message, "buttons">) => buttons.map((it) => it.text);
const last = ({ messages }: TelegramServer) => messages.at(-1) ?? assert.fail("nothing was sent");

about("a Telegram bot", () => {
  it("asks with a button for each option, and shows the whole action", async () => {
    const { server, channel } = await stage();
    const { ref } = await channel.send(to(command("make test")));
    assert.equal(last(server).message_id, Number(ref));
    assert.match(last(server).text, /Run a command\?[\s\S]*make test[\s\S]*\ndec-7k3m9x2p4q$/);
    assert.deepEqual(labels(last(server)), ["Approve", "Deny", "Remember…", "I'm on it"]);
  });

  it("takes a press as the answer of whoever pressed", async () => {
    const { server, door, channel } = await stage();
    await channel.listen?.();
    await channel.send(to(command("make test")));
    const press = server.press(ANA, last(server).buttons[0]?.callback_data ?? "");
    await until(() => server.alerts.has(press));
    assert.equal(server.alerts.get(press), "");
    const [given] = door.answers;
    assert.equal(given?.person, "ana");
    assert.equal(given?.via, "telegram");
    assert.deepEqual(given?.choices, [[1]]);
    assert.ok(given?.sawAll);
  });

  it("tells a stranger, and whoever is too late, privately", async () => {
    const { server, door, channel } = await stage();
    await channel.listen?.();
    const stranger = server.press(666, "dec-7k3m9x2p4q:1");
    await until(() => server.alerts.has(stranger));
    assert.match(server.alerts.get(stranger) ?? "", /not in the list.*666/);
    assert.equal(door.answers.length, 0);
    const first = server.press(ANA, "dec-7k3m9x2p4q:1");
    const second = server.press(77, "dec-7k3m9x2p4q:2");
    await until(() => server.alerts.has(first) && server.alerts.has(second));
    assert.match(server.alerts.get(second) ?? "", /ben answered this at 14:02/);
    assert.equal(door.answers.length, 1);
  });

  it("takes words in a reply, for the option that is made for them", async () => {
    const question = decision({
      source: "question",
      questions: [{ question: "Which?", header: null, multi_select: false, options: [] }],
      options: [
        { key: "a", label: "SQLite" },
        { key: "other", label: "Other" },
      ],
    } as never);
    const { server, door, channel } = await stage([question]);
    await channel.listen?.();
    await channel.send(to(question));
    const press = server.press(ANA, `${question.id}:2`);
    await until(() => server.alerts.has(press));
    assert.match(server.alerts.get(press) ?? "", /Reply to this message/);
    server.write(ANA, "use DuckDB", last(server));
    await until(() => door.answers.length === 1);
    assert.deepEqual(door.answers[0]?.choices, [[2]]);
    assert.equal(door.answers[0]?.text, "use DuckDB");
    server.write(ANA, "1", last(server));
    await until(() => last(server).replyTo !== null);
    assert.match(last(server).text, /ben answered this/);
  });

  it("takes own words for each of several questions", async () => {
    const options = [{ label: "SQLite", description: null }];
    const one = { question: "Which?", header: null, multi_select: false, options };
    const several = decision({
      source: "question",
      questions: [one, { ...one, question: "When?" }],
      options: [{ key: "cancel", label: "Cancel" }],
    } as never);
    const { server, door, channel } = await stage([several]);
    await channel.listen?.();
    await channel.send(to(several));
    server.write(ANA, "2 DuckDB\n2 in May", last(server));
    await until(() => door.answers.length === 1);
    assert.deepEqual(door.answers[0]?.choices, [[2], [2]]);
    assert.deepEqual([door.answers[0]?.text, door.answers[0]?.texts], [null, ["DuckDB", "in May"]]);
  });

  it("tells somebody who writes first their id, and ignores groups and nonsense", async () => {
    const { server, door, channel } = await stage();
    await channel.listen?.();
    server.press(ANA, "nonsense");
    server.press(ANA, "dec-0000000000:1");
    server.write(555, "/start");
    server.write(ANA, "1"); // no reply: about what?
    await until(() => server.messages.length === 2);
    assert.match(server.messages[0]?.text ?? "", /Your id is 555/);
    assert.match(server.messages[1]?.text ?? "", /Hello ana/);
    assert.equal(door.answers.length, 0);
  });

  it("rewrites the message when it is settled: who, what, no buttons", async () => {
    const { server, channel } = await stage();
    const view = command("make test");
    const { ref } = await channel.send(to(view));
    const settled = answered(view, { person: "ben", choices: [[2]] });
    for (let n = 0; n < 2; n++) await channel.change?.(to(settled), ref ?? ""); // twice is as good as once
    assert.match(last(server).text, /Answered by ben: Deny/);
    assert.deepEqual(last(server).buttons, []);
    assert.equal(server.messages.length, 1);
  });

  it("leaves no live button on a message that came twice", async () => {
    const { server, channel } = await stage();
    await channel.listen?.();
    for (let n = 0; n < 2; n++) await channel.send(to(command("make test"))); // the first response was lost
    const [first, second] = server.messages;
    const data = first?.buttons[0]?.callback_data ?? "";
    server.press(ANA, data, first);
    await until(() => first?.buttons.length === 0);
    const late = server.press(ANA, data, second);
    await until(() => server.alerts.has(late));
    assert.match(server.alerts.get(late) ?? "", /answered/);
    assert.deepEqual(second?.buttons, []);
    assert.match(second?.text ?? "", /Answered by ana: Approve/);
  });

  it("never lets anybody approve what it did not show", async () => {
    const long = command(`echo ${"😀".repeat(3000)}; rm -rf ~`);
    const { server, door, channel } = await stage([long]);
    await channel.listen?.();
    await channel.send(to(long));
    assert.match(last(server).text, /\d+ characters hidden, SHA-256 ab12cd34/);
    assert.ok(!last(server).text.includes("rm -rf"));
    assert.deepEqual(labels(last(server)), ["Deny", "I'm on it", "Open"]);
    server.press(ANA, `${long.id}:1`);
    await until(() => door.answers.length === 1);
    assert.equal(door.answers[0]?.sawAll, false);
  });

  it("never lets anybody approve what redaction might have hidden", async () => {
    const sly = command("deploy --env password='x1 && rm -rf ~'");
    const { server, channel } = await stage([sly]);
    await channel.send(to(sly));
    assert.deepEqual(labels(last(server)), ["Deny", "I'm on it", "Open"]);
  });

  it("keeps its place over a restart", async () => {
    const { server, door, from, channel } = await stage();
    await channel.listen?.();
    const press = server.press(ANA, "dec-7k3m9x2p4q:1");
    await until(() => server.alerts.has(press));
    await until(() => server.offsets.some((it) => it > 0));
    await channel.close();
    const again = await opened(make, from);
    const before = server.offsets.length;
    await again.listen?.();
    await until(() => server.offsets.length > before);
    assert.ok((server.offsets[before] ?? 0) > 0);
    assert.equal(door.answers.length, 1);
  });

  it("waits as it is told to, and says what can't be helped", async () => {
    const { server, channel } = await stage();
    const failure = (call: Promise<unknown>) =>
      call.then(
        () => assert.fail("it got through"),
        (error) => error as ChannelError,
      );
    server.fail("sendMessage", 429, { retryAfter: 7 });
    const busy = await failure(channel.send(to(command("x"))));
    assert.deepEqual([busy.isFinal, busy.retryAfterMs], [false, 7000]);
    server.fail("sendMessage", 403);
    assert.ok((await failure(channel.send(to(command("x"))))).isFinal);
    server.token = "revoked";
    const revoked = await failure(channel.send(to(command("x"))));
    assert.match(revoked.message, /refuses the bot's token/);
    assert.equal(revoked.isFinal, false);
    assert.match((await channel.check()) ?? "", /token/);
    assert.ok(!JSON.stringify([revoked.message, await channel.check()]).includes("704912345"));
  });

  it("lives on while it is refused, and hears again after that", async () => {
    const { server, door, from, channel } = await stage();
    const { token } = server;
    server.fail("getUpdates", 409);
    await channel.listen?.();
    await until(async () => /another program/.test((await channel.check()) ?? ""));
    server.token = "revoked";
    const clock = from.ports.clock as FakeClock;
    clock.pass(20_000);
    await until(async () => /token/.test((await channel.check()) ?? ""));
    server.token = token;
    clock.pass(20_000);
    server.press(ANA, "dec-7k3m9x2p4q:1");
    await until(() => door.answers.length === 1);
    assert.equal(await channel.check(), null);
  });

  it("puts several decisions into one message", async () => {
    const { server, channel } = await stage();
    const others = Array.from({ length: 30 }, (_, n) => {
      const { decision, card } = outgoing(command("x", { title: `Question ${n}?` }));
      return { decision, card, isWhole: true };
    });
    await channel.send(to(command("x"), { others, reason: "digest" }));
    assert.match(last(server).text, /^31 decisions wait for you/);
    assert.match(last(server).text, /and 11 more/);
  });

  it("obeys nothing in the texts it carries, and fits them in", async () => {
    const { server, channel } = await stage();
    for (const text of someOf(reachTexts, 60)) {
      const view = command(text, { title: text, options: [{ key: "a", label: text || "x" }] });
      await channel.send(to(view));
      const { params } = server.calls.at(-1) ?? assert.fail();
      assert.equal(params.parse_mode, undefined);
      assert.deepEqual(params.link_preview_options, { is_disabled: true });
      assert.doesNotMatch(last(server).text, /[\p{Cs}\u202a-\u202e\u2066-\u2069\u200b]/u);
    }
  });

  it("carries no secret", async () => {
    const { server, channel } = await stage();
    for (const { text, secret, kind } of someOf(secrets, 60)) {
      await channel.send(to(command(text, { title: text, context: text })));
      assert.ok(!JSON.stringify(last(server)).includes(secret), kind);
    }
  });
});
