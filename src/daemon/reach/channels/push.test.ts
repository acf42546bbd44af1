import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe as about, it, onTestFinished } from "vitest";
import { decision, NOW } from "../../../../test/fakes/fake-client.ts";
import { fakeClock } from "../../../../test/fakes/fake-clock.ts";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import type { PushService } from "../../../../test/fakes/servers/push.ts";
import { pushService } from "../../../../test/fakes/servers/push.ts";
import { until } from "../../../../test/specs/support/project.ts";
import type { DecisionView } from "../../../api/api.ts";
import { describe } from "../../../inbox/card/describe.ts";
import type { Channel, Given, Outgoing } from "../channel.ts";
import { make } from "./push.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0";

interface Stage {
  service: PushService;
  channel: Channel;
  dir: string;
  clock: ReturnType<typeof fakeClock>;
  failed: { key: string; error: string }[];
  restart(): Promise<Channel>;
  /** A browser of ana's, or of somebody else's. */
  joined(person?: string, login?: string | null): Promise<ReturnType<PushService["browser"]>>;
}

async function stage(
  settings: Record<string, unknown> = { subject: "mailto:ana@example.com" },
): Promise<Stage> {
  const service = await pushService();
  const dir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "oj-push-")), "push");
  const clock = Object.assign(fakeClock(), { now: () => Date.now() }); // the service checks dates by the real one
  const failed: Stage["failed"] = [];
  const given = {
    config: { name: "push", kind: "push", settings },
    ports: fakePorts({ clock }),
    door: { failed: async (it: Stage["failed"][number]) => void failed.push(it) },
    secret: async () => "",
    dir,
  } as unknown as Given;
  const opened: Channel[] = [];
  const restart = async () => {
    const channel = await make(given);
    opened.push(channel);
    return channel;
  };
  onTestFinished(async () => {
    await Promise.all(opened.map((it) => it.close()));
    await service.close();
    fs.rmSync(path.dirname(dir), { recursive: true });
  });
  const channel = await restart();
  const joined: Stage["joined"] = async (person = "ana", login = null) => {
    const browser = service.browser(channel.browsers?.publicKey);
    const body = { endpoint: browser.endpoint, keys: browser.keys };
    await channel.browsers?.add({ person, login, browser: FIREFOX, body });
    return browser;
  };
  return { service, channel, dir, clock, failed, restart, joined };
}

function outgoing(view: DecisionView = decision(), more: Partial<Outgoing> = {}): Outgoing {
  return {
    key: `${view.id} ana push`,
    reason: "asked",
    decision: view,
    card: describe(view, NOW),
    isWhole: true,
    person: null,
    names: ["ana"],
    address: "ana",
    url: "http://127.0.0.1:1/#/decision/x",
    link: async (option) => `https://inbox.example.com/a/${option}-token`,
    claim: async () => (view.claimed ? null : "https://inbox.example.com/a/claim-token"),
    earlier: null,
    others: [],
    stands: async () => true,
    now: NOW,
    ...more,
  };
}

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

about("a message", () => {
  it("reaches every browser of its person and nobody else's, with the headers that services want", async () => {
    const { channel, service, joined } = await stage();
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
    const { channel, service, joined } = await stage();
    const phone = await joined();
    const { ref } = await channel.send(outgoing());
    await channel.change?.(outgoing(answered), ref ?? "");
    assert.equal(new Set(service.posts.map((it) => it.topic)).size, 1);
    assert.equal(new Set(phone.shown.map((it) => it.tag)).size, 1);
    assert.match(phone.shown[1]?.body ?? "", /^Answered by ben: Ship it/);
    assert.ok(phone.shown[1]?.is_silent);
  });

  it("is not changed in a browser that came later, which would show news of something it never asked", async () => {
    const { channel, joined } = await stage();
    await joined();
    const sent = String(Date.now() - 1000); // before anybody was there
    await channel.change?.(outgoing(answered), sent);
    const later = await joined();
    await channel.change?.(outgoing(answered), sent);
    assert.deepEqual(later.shown, []);
  });
});

about("a browser that ended its subscription", () => {
  it("is dropped, is named by the check, and what only it had is reported as failed", async () => {
    const { channel, service, joined, failed } = await stage();
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
    const { channel, service, joined, failed } = await stage();
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

about("a push service that is out of order", () => {
  it("makes the notice one to try again, no sooner than the service wants", async () => {
    const { channel, service, joined } = await stage();
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
    const { channel, service, joined, clock } = await stage();
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
    const { channel, service, joined, clock } = await stage();
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
    const { channel, service, joined } = await stage();
    await joined();
    service.answers(() => ({ status: 403, text: "bad\n\u001b[31mkey" }));
    await assert.rejects(channel.send(outgoing()), (error: Error & { isFinal: boolean }) => {
      assert.ok(error.isFinal);
      assert.match(error.message, /^127\.0\.0\.1:\d+ answered 403: bad/);
      return true;
    });
  });

  it("can't lead a message elsewhere", async () => {
    const { channel, service, joined } = await stage();
    await joined();
    service.answers(() => ({ status: 307, headers: { location: "/elsewhere" } }));
    await assert.rejects(channel.send(outgoing()));
    assert.equal(service.posts.length, 1);
  });
});

about("subscriptions", () => {
  it("of a browser that changes hands are somebody else's from then on, whenever its last person got it", async () => {
    const { channel, service } = await stage();
    const { endpoint, keys } = service.browser(channel.browsers?.publicKey);
    const join = (person: string) =>
      channel.browsers?.add({ person, login: null, browser: FIREFOX, body: { endpoint, keys } });
    await join("ben");
    const until_ms = Date.now();
    await until(() => Date.now() > until_ms);
    await join("ana");
    assert.equal(await channel.browsers?.remove({ person: "ana", until_ms }), 0);
    assert.equal(await channel.browsers?.remove({ person: "ana", until_ms: Date.now() }), 1);
  });

  it("and keys outlive the daemon, in files that nobody else may read", async () => {
    const { channel, dir, joined, restart } = await stage();
    const phone = await joined();
    for (const name of ["keys.json", "subscriptions.json"])
      assert.equal(fs.statSync(path.join(dir, name)).mode & 0o777, 0o600, name);
    assert.equal(fs.statSync(dir).mode & 0o777, 0o700);
    await channel.close();
    const next = await restart();
    assert.equal(next.browsers?.publicKey, channel.browsers?.publicKey);
    await next.send(outgoing());
    assert.equal(phone.shown.length, 1);
  });

  it("are written down while the daemon stops if a person wants it, and no more for what a service says", async () => {
    const { channel, dir, joined, service } = await stage();
    await joined();
    const kept = () => JSON.parse(fs.readFileSync(path.join(dir, "subscriptions.json"), "utf8"));
    const before = kept();
    let closed: Promise<void> | undefined;
    service.answers(() => {
      closed = channel.close();
      return { status: 410 };
    });
    await channel.send(outgoing()).catch(() => {});
    await closed;
    assert.deepEqual(kept(), before);
    await joined("ben");
    assert.deepEqual(
      kept().subscriptions.map((it: { person: string }) => it.person),
      ["ben"],
    );
  });

  it("show no address and no key", async () => {
    const { channel, joined, service } = await stage();
    const phone = await joined();
    const shown = JSON.stringify(channel.browsers?.list());
    for (const secret of [phone.endpoint, phone.keys.auth, phone.keys.p256dh])
      assert.ok(!shown.includes(secret));
    assert.equal(channel.browsers?.list()[0]?.service, new URL(service.origin).host);
  });

  it("end with the login they were made in", async () => {
    const { channel, joined } = await stage();
    await joined("ana", "login-1");
    await joined("ana", "login-2");
    await joined("ana", null);
    assert.equal(await channel.browsers?.remove({ login: "login-1" }), 1);
    assert.equal(channel.browsers?.list().length, 2);
    const [first] = channel.browsers?.list() ?? []; // of login-2
    assert.equal(await channel.browsers?.remove({ id: first?.id ?? "" }), 1);
    assert.equal(await channel.browsers?.remove({ id: "nothing" }), 0);
    await joined("ana", "login-3");
    await channel.browsers?.remove({ login: null });
    assert.equal(channel.browsers?.list().length, 1, "what was added in a terminal stays");
  });

  it("are ten a person at most; a browser that joins again stays one", async () => {
    const { channel, joined } = await stage();
    for (let n = 0; n < 12; n++) await joined();
    await joined("ben");
    assert.equal(channel.browsers?.list().filter((it) => it.person === "ana").length, 10);
    const again = await joined("ben");
    const body = { endpoint: again.endpoint, keys: again.keys };
    await channel.browsers?.add({ person: "ben", login: "new", browser: FIREFOX, body });
    assert.equal(channel.browsers?.list().filter((it) => it.person === "ben").length, 2);
  });

  it("are refused if they lead anywhere but to a push service, or have no usable keys", async () => {
    const { channel, service } = await stage();
    const { keys } = service.browser();
    const add = (body: { endpoint: string; keys: typeof keys }) =>
      channel.browsers?.add({ person: "ana", login: null, browser: FIREFOX, body });
    for (const endpoint of [
      "http://push.example.com/x",
      "http://10.0.0.1/x",
      "http://127.0.0.1.example.com/x",
      "https://user:pass@push.example.com/x",
      "file:///etc/passwd",
      "ws://127.0.0.1/x",
    ])
      await assert.rejects(async () => add({ endpoint, keys }), { code: "request.invalid" }, endpoint);
    const endpoint = "https://push.example.com/x";
    for (const wrong of [
      { ...keys, auth: "AAAA" },
      { ...keys, p256dh: "A".repeat(87) },
    ])
      await assert.rejects(async () => add({ endpoint, keys: wrong }), { code: "request.invalid" });
    assert.deepEqual(channel.browsers?.list(), []);
  });

  it("that were made for other keys of ours are dropped and said to be lost", async () => {
    const { channel, dir, joined, restart } = await stage();
    await joined();
    await channel.close();
    fs.rmSync(path.join(dir, "keys.json"));
    const next = await restart();
    assert.deepEqual(next.browsers?.list(), []);
    assert.match((await next.check()) ?? "", /of ana ended its subscription/);
  });
});

it("says what is missing: browsers, and a subject for Apple's service", async () => {
  const { channel } = await stage({});
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
  await assert.rejects(stage({ subjct: "x" }), { code: "config.invalid" });
  await assert.rejects(stage({ subject: "ana" }), { code: "config.invalid" });
});
