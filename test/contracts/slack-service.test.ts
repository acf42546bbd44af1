/** The Slack adapter against the fake of Slack: calls that are tried once, and a socket that no refresh interrupts. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, it, onTestFinished } from "vitest";
import { slackService } from "../../src/adapters/slack/service.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { SlackFailure } from "../../src/channel-ports.ts";
import { fakeJournal } from "../fakes/fake-journal.ts";
import type { FakeSlackGiven } from "../fakes/servers/slack.ts";
import { fakeSlack } from "../fakes/servers/slack.ts";
import { until } from "../specs/support/project.ts";

async function start(given: FakeSlackGiven = {}) {
  const slack = await fakeSlack(given);
  onTestFinished(() => slack.close());
  const tokens = { bot: slack.tokens.bot, app: slack.tokens.app };
  const service = slackService(
    { apiUrl: slack.apiUrl, botToken: async () => tokens.bot, appToken: async () => tokens.app },
    { clock: systemClock, journal: fakeJournal() },
  );
  return { slack, service, tokens };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("it was not refused"),
    (error: SlackFailure) => ({ code: error.code, retryAfterMs: error.retryAfterMs }),
  );

const button = (label: string) => ({
  type: "button",
  action_id: "a",
  value: "v",
  text: { type: "plain_text", text: label },
});

/** Somewhere to click: what is on the message does not matter to the socket. */
const card = { channel: "C1", ts: "1.1", blocks: [{ type: "actions", elements: [button("Go")] }] };

describe("calls", () => {
  it("returns what Slack says, and sends blocks as they are", async () => {
    const { slack, service } = await start();
    const blocks = [{ type: "section", text: { type: "plain_text", text: "Ship <it>?" } }];
    const { channel, ts } = await service.call("chat.postMessage", { channel: "C1", text: "Ship?", blocks });
    assert.deepEqual(slack.messages, [{ channel, ts, text: "Ship?", blocks }]);
  });

  it("says in Slack's words what was refused", async () => {
    const { slack, service, tokens } = await start();
    assert.equal(
      (await failure(service.call("chat.update", { channel: "C1", ts: "0" }))).code,
      "message_not_found",
    );
    slack.revoke(tokens.bot);
    assert.equal((await failure(service.call("auth.test", {}))).code, "token_revoked");
    tokens.bot = "xoxb-wrong";
    assert.equal((await failure(service.call("auth.test", {}))).code, "invalid_auth");
  });

  it("passes on how long to wait, and tries nothing twice", async () => {
    const { slack, service } = await start({ everyMs: 60_000 });
    const post = () => service.call("chat.postMessage", { channel: "C1", text: "one" });
    await post();
    assert.deepEqual(await failure(post()), { code: "ratelimited", retryAfterMs: 1000 });
    assert.equal(slack.calls.length, 2);
  });

  it("does not know what came of a call whose response was lost", async () => {
    const { slack, service } = await start();
    slack.dropNext("chat.postMessage");
    const lost = await failure(service.call("chat.postMessage", { channel: "C1", text: "one" }));
    assert.equal(lost.code, "no_response");
    assert.equal(slack.messages.length, 1);
    assert.equal(slack.calls.length, 1);
  });
});

describe("the socket", () => {
  it("hears and acknowledges, also with an answer", async () => {
    const { slack, service } = await start();
    const heard: string[] = [];
    const connection = service.connect(({ type }, ack) => {
      heard.push(type);
      ack(type === "slash_commands" ? { text: "nothing waits" } : undefined);
    });
    onTestFinished(() => connection.close());
    await until(() => connection.trouble() === null);
    assert.equal(await slack.click(card, "Go", "U1"), undefined);
    assert.deepEqual(await slack.command("", "U1"), { text: "nothing waits" });
    assert.deepEqual(heard, ["interactive", "slash_commands"]);
  });

  it("loses no click over five refreshes", async () => {
    const { slack, service } = await start();
    let heard = 0;
    const connection = service.connect((_, ack) => {
      heard++;
      ack();
    });
    onTestFinished(() => connection.close());
    await until(() => connection.trouble() === null);
    let clicks = 0;
    let isClicking = true;
    const clicking = (async () => {
      for (; isClicking; clicks++) await slack.click(card, "Go", "U1");
    })();
    for (const at of [0, 1, 2, 3, 4]) {
      slack.refresh(at % 2 === 0 ? "warning" : "refresh_requested");
      await until(() => slack.connects() === at + 2 && slack.connected() === 1);
    }
    isClicking = false;
    await clicking;
    assert.ok(clicks >= 5, `${clicks} clicks`);
    assert.equal(heard, clicks);
    assert.deepEqual(slack.late, []);
  });

  it("survives a revoked token, says so, and is back with a new one", async () => {
    const { slack, service, tokens } = await start();
    slack.revoke(tokens.app);
    const connection = service.connect((_, ack) => ack());
    onTestFinished(() => connection.close());
    await until(() => connection.trouble() === "token_revoked");
    slack.tokens.app = "xapp-new";
    tokens.app = "xapp-new";
    await until(() => connection.trouble() === null);
  });

  it("comes back when the network does", async () => {
    const { slack, service } = await start();
    const connection = service.connect((_, ack) => ack());
    onTestFinished(() => connection.close());
    await until(() => connection.trouble() === null);
    slack.offline();
    await until(() => connection.trouble() !== null);
    await sleep(100);
    slack.online();
    await until(() => connection.trouble() === null);
    assert.equal(slack.connected(), 1);
  });
});
