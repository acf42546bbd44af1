import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { decision, NOW } from "../../../../test/fakes/fake-client.ts";
import { outgoing, pushStage } from "../../../../test/fakes/push-stage.ts";
import type { PushService } from "../../../../test/fakes/servers/push.ts";
import { pushService } from "../../../../test/fakes/servers/push.ts";
import { until } from "../../../../test/specs/support/project.ts";

const answered = decision({
  state: "resolved",
  outcome: "answered",
  answer: {
    chosen: 1,
    choices: [[1]],
    labels: ["Ship it"],
    text: null,
    message: null,
    by: "ben",
    via: "slack",
    resolved_at_ms: NOW,
  },
});

const person = (name: string) => ({ name, addresses: {}, hours: null, digest: null });

describe("a message", () => {
  it("reaches every browser of its person and nobody else's, with the headers that services want", async () => {
    const { channel, service, joined } = await pushStage();
    const [phone, laptop, bens] = [await joined(), await joined(), await joined("ben")];
    assert.deepEqual(
      ["ana", "ben", "carla"].map((it) => channel.addressOf(person(it))),
      ["ana", "ben", null],
    );
    await channel.send(outgoing(decision({ urgency: "high" })));
    assert.deepEqual(phone.shown, laptop.shown);
    assert.deepEqual(bens.shown, []);
    assert.equal(phone.shown[0]?.title, "Ship 1.0?");
    assert.deepEqual(phone.shown[0]?.actions, [
      { title: "Ship it", path: "/a/option-1-token" },
      { title: "Stop", path: "/a/option-2-token" },
    ]);
    const [post] = service.posts;
    assert.deepEqual([post?.urgency, post?.ttl, post?.subject], ["high", 259_200, "mailto:ana@example.com"]);
    assert.match(post?.topic ?? "", /^[\w-]{32}$/);
    assert.ok(service.posts.every((it) => it.status === 201));
  });

  it("that is settled takes the place of the first, with the same topic and tag and without a sound", async () => {
    const { channel, service, joined } = await pushStage();
    const phone = await joined();
    const { ref } = await channel.send(outgoing());
    await channel.change?.(outgoing(answered), ref ?? "");
    assert.equal(new Set(service.posts.map((it) => it.topic)).size, 1);
    assert.equal(new Set(phone.shown.map((it) => it.tag)).size, 1);
    assert.match(phone.shown[1]?.body ?? "", /^Answered by ben: Ship it/);
    assert.ok(phone.shown[1]?.is_silent);
  });

  it("is not changed in a browser that came later, which would show news of something it never asked", async () => {
    const { channel, joined } = await pushStage();
    await joined();
    const sent = String(Date.now() - 1000); // before anybody was there
    await channel.change?.(outgoing(answered), sent);
    const later = await joined();
    await channel.change?.(outgoing(answered), sent);
    assert.deepEqual(later.shown, []);
  });
});

describe("a browser that ended its subscription", () => {
  it("is dropped, is named by the check, and what only it had is reported as failed", async () => {
    const { channel, service, joined, failed } = await pushStage();
    const phone = await joined();
    await channel.send(outgoing());
    service.expire(phone.endpoint);
    const next = outgoing(decision({ id: "dec-2345678923" }));
    await assert.rejects(channel.send(next), {
      isFinal: true,
      message: "every browser has ended its subscription",
    });
    assert.deepEqual(channel.browsers?.list(), []);
    assert.equal(channel.addressOf(person("ana")), null);
    assert.match((await channel.check()) ?? "", /^Firefox on Linux of ana ended its subscription: .*oj web/);
    assert.deepEqual(
      failed.map((it) => it.key),
      [outgoing().key],
    );
    await joined();
    assert.equal(await channel.check(), null, "switching it on again settles it");
  });

  it("costs the others nothing", async () => {
    const { channel, service, joined, failed } = await pushStage();
    const [gone, phone] = [await joined(), await joined()];
    for (const status of [404, 410]) {
      service.answers(({ endpoint }) => (endpoint === gone.endpoint ? { status } : null));
      await channel.send(outgoing());
      assert.equal(channel.browsers?.list().length, 1);
      await joined().then((it) => Object.assign(gone, it));
    }
    assert.equal(phone.shown.length, 2);
    assert.deepEqual(failed, []);
  });
});

describe("a push service that is out of order", () => {
  it("makes the notice one to try again, no sooner than the service wants", async () => {
    const { channel, service, joined } = await pushStage();
    await joined();
    service.answers(() => ({ status: 429, headers: { "retry-after": "17" } }));
    await assert.rejects(channel.send(outgoing()), { isFinal: false, retryAfterMs: 17_000 });
    service.answers(() => ({ status: 503 }));
    await assert.rejects(channel.send(outgoing()), {
      isFinal: false,
      retryAfterMs: null,
      message: /answered 503/,
    });
    assert.match((await channel.check()) ?? "", /Firefox on Linux of ana: .* answered 503/);
    service.answers(null);
    await channel.send(outgoing());
    assert.equal(await channel.check(), null);
  });

  it("does not hold up a person's other browser, and is tried again until it takes the message", async () => {
    const { channel, service, joined, clock } = await pushStage();
    const [phone, laptop] = [await joined(), await joined()];
    service.answers(({ endpoint }) => (endpoint === phone.endpoint ? { status: 500 } : null));
    await channel.send(outgoing());
    assert.deepEqual([phone.shown.length, laptop.shown.length], [0, 1]);
    await until(() => {
      clock.pass(5000); // its first failure may still be on the way
      return service.posts.filter((it) => it.status === 500).length >= 2;
    });
    service.answers(null);
    await until(() => {
      clock.pass(30_000);
      return phone.shown.length === 1;
    });
    assert.equal(laptop.shown.length, 1);
  });

  it("is not told a question again that has been answered meanwhile", async () => {
    const { channel, service, joined, clock } = await pushStage();
    const [phone, laptop] = [await joined(), await joined()];
    service.answers(({ endpoint }) => (endpoint === phone.endpoint ? { status: 500 } : null));
    const { ref } = await channel.send(outgoing());
    service.answers(null);
    await channel.change?.(outgoing(answered), ref ?? "");
    clock.pass(3_600_000);
    await channel.change?.(outgoing(answered), ref ?? "");
    for (const it of [phone, laptop]) assert.match(it.shown.at(-1)?.body ?? "", /^Answered by ben/);
    assert.ok(phone.shown.every((it) => it.body.startsWith("Answered")));
  });

  it("that refuses for good is said in its own words", async () => {
    const { channel, service, joined } = await pushStage();
    await joined();
    service.answers(() => ({ status: 403, text: "bad\n\u001b[31mkey" }));
    await assert.rejects(channel.send(outgoing()), (error: Error & { isFinal: boolean }) => {
      assert.ok(error.isFinal);
      assert.match(error.message, /^127\.0\.0\.1:\d+ answered 403: bad/);
      return true;
    });
  });

  it("can't lead a message elsewhere", async () => {
    const { channel, service, joined } = await pushStage();
    await joined();
    service.answers(() => ({ status: 307, headers: { location: "/elsewhere" } }));
    await assert.rejects(channel.send(outgoing()));
    assert.equal(service.posts.length, 1);
  });
});

it("says what is missing: browsers, and a subject for Apple's service", async () => {
  const { channel } = await pushStage({});
  assert.match((await channel.check()) ?? "", /^no browser has notices on: /);
  const { keys } = (await pushServiceOnce()).browser();
  const body = { endpoint: "https://web.push.apple.com/x", keys };
  await channel.browsers?.add({ person: "ana", login: null, browser: "iPhone Safari/", body });
  assert.match((await channel.check()) ?? "", /channel\.push\.subject/);
});

async function pushServiceOnce(): Promise<PushService> {
  const service = await pushService();
  onTestFinished(() => service.close());
  return service;
}

it("refuses settings that it does not know, and a subject that is no address", async () => {
  await assert.rejects(pushStage({ subjct: "x" }), { code: "config.invalid" });
  await assert.rejects(pushStage({ subject: "ana" }), { code: "config.invalid" });
});
