import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { describe as about, it, onTestFinished } from "vitest";
import { someOf } from "../../../../test/everything.ts";
import { decision } from "../../../../test/fakes/fake-client.ts";
import { answered } from "../../../../test/fakes/fake-door.ts";
import { given, opened, outgoing } from "../../../../test/fakes/outgoing.ts";
import { reachTexts, secrets } from "../../../../test/fakes/reach-corpus.ts";
import { hookServer } from "../../../../test/fakes/servers/hook.ts";
import type { ChannelError } from "../channel.ts";
import { make } from "./webhook.ts";

const SECRET = `whsec_${Buffer.from("a key that nobody else has, 32 by").toString("base64")}`;
const files = { key: SECRET };
const all = ["decision.created", "decision.changed", "decision.settled", "decision.delivered"];

async function stage(more: Record<string, unknown> = {}) {
  const server = await hookServer();
  onTestFinished(() => server.close());
  const settings = { url: server.url, secret_file: "key", allow_private: true, events: all, ...more };
  const from = given("webhook", settings, { files, name: "webhook.audit" });
  from.ports.clock.now = () => Date.now(); // the receiver looks at its own clock
  return { server, from, channel: await opened(make, from) };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("it got through"),
    (error) => error as ChannelError,
  );

about("a webhook", () => {
  it("sends what any receiver of Standard Webhooks can verify", async () => {
    const { server, channel } = await stage();
    await channel.send(outgoing());
    const [got] = server.got;
    const event = new Webhook(SECRET).verify(got?.body ?? "", got?.headers ?? {}) as Record<string, unknown>;
    assert.deepEqual(Object.keys(event), ["type", "timestamp", "data"]);
    assert.equal(event.type, "decision.created");
    assert.equal((event.data as { id: string }).id, decision().id);
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    assert.throws(() => new Webhook(other).verify(got?.body ?? "", got?.headers ?? {}));
  });

  it("tells each thing that happens once, in its own event", async () => {
    const { server, channel } = await stage();
    const view = decision();
    const settled = answered(view, { person: "ben", choices: [[1]] });
    const arrived = { ...settled, delivery: { ...settled.delivery, state: "acknowledged" as const } };
    let { ref } = await channel.send(outgoing(view));
    for (const it of [
      view,
      { ...settled, delivery: { ...settled.delivery, state: "owed" as const } },
      arrived,
    ])
      ref = (await channel.change?.(outgoing(it), ref ?? ""))?.ref ?? null;
    assert.deepEqual(
      server.got.map((it) => JSON.parse(it.body).type),
      all,
    );
    assert.equal(new Set(server.got.map((it) => it.headers["webhook-id"])).size, 4);
  });

  it("sends only the events that it lists", async () => {
    const { server, channel } = await stage({ events: ["decision.settled"] });
    const { ref } = await channel.send(outgoing());
    assert.equal(server.got.length, 0);
    await channel.change?.(outgoing(answered(decision(), { person: "ben" })), ref ?? "");
    assert.deepEqual(
      server.got.map((it) => JSON.parse(it.body).type),
      ["decision.settled"],
    );
  });

  it("tries again with the same id, later and later, and gives up after some days", async () => {
    const { server, channel } = await stage();
    const delays: number[] = [];
    for (;;) {
      server.answers = [[500, 302, 404, 429][delays.length % 4] ?? 500];
      const error = await failure(channel.send(outgoing()));
      if (error.isFinal) break;
      delays.push(error.delayMs ?? 0);
    }
    assert.ok((delays[0] ?? 0) <= 5000);
    assert.deepEqual(
      delays,
      delays.toSorted((a, b) => a - b),
    );
    assert.ok(delays.reduce((a, b) => a + b, 0) >= 2 * 86_400_000);
    assert.equal(new Set(server.got.map((it) => it.headers["webhook-id"])).size, 1);
    await channel.send(outgoing());
    assert.equal(await channel.check(), null);
  });

  it("waits as long as its server asks for", async () => {
    const { server, channel } = await stage();
    server.answers = [{ status: 503, headers: { "retry-after": "7" } }];
    assert.equal((await failure(channel.send(outgoing()))).retryAfterMs, 7000);
  });

  it("follows no redirect", async () => {
    const { server, channel } = await stage();
    server.answers = [{ status: 307, headers: { location: `${server.url}/elsewhere` } }];
    assert.match((await failure(channel.send(outgoing()))).message, /answered 307 \(a redirect/);
    assert.equal(server.got.length, 1);
  });

  it("is switched off by a 410, also after a restart, until its address changes", async () => {
    const { server, from, channel } = await stage();
    server.answers = [410];
    assert.ok((await failure(channel.send(outgoing()))).isFinal);
    for (const it of [channel, await opened(make, from)]) {
      assert.ok((await failure(it.send(outgoing()))).isFinal);
      assert.match((await it.check()) ?? "", /switched off.*410/);
    }
    assert.equal(server.got.length, 1);
    const config = { ...from.config, settings: { ...from.config.settings, url: `${server.url}/new` } };
    await (await opened(make, { ...from, config })).send(outgoing());
    assert.equal(server.got.length, 2);
  });

  it("goes to no private address: not as it is written, not by name", async () => {
    const { server, from } = await stage();
    const to = (url: string) => ({
      ...from,
      config: { ...from.config, settings: { url, secret_file: "key" } },
    });
    for (const url of ["http://127.0.0.1/", "http://2130706433/", "http://[::ffff:169.254.169.254]/"])
      await assert.rejects(make(to(url)), /private address/);
    const { port } = new URL(server.url);
    const channel = await opened(make, to(`http://localhost:${port}/hook`));
    const error = await failure(channel.send(outgoing()));
    assert.ok(error.isFinal);
    assert.match(error.message, /private/);
    assert.match((await channel.check()) ?? "", /private/);
    assert.equal(server.got.length, 0);
  });

  it("is refused with settings or a secret that can't be used", async () => {
    const { from } = await stage();
    const bad: Record<string, unknown>[] = [
      { url: "ftp://example.com" },
      { url: "https://ana:hunter2@example.com" },
      { secret_file: undefined },
      { events: ["decision.made"] },
      { events: [] },
      { retries: 3 },
    ];
    for (const it of bad) {
      const settings = { ...from.config.settings, ...it };
      await assert.rejects(make({ ...from, config: { ...from.config, settings } }), {
        code: "config.invalid",
      });
    }
    await assert.rejects(make({ ...from, secret: async () => "hunter2" }), /whsec_/);
  });

  it("has no secret in it, and carries every text as it is", async () => {
    const { server, channel } = await stage();
    for (const { text, secret, kind } of someOf(secrets, 60)) {
      server.got.length = 0;
      await channel.send(outgoing(decision({ title: text, context: text })));
      assert.ok(!server.got[0]?.body.includes(secret), kind);
    }
    for (const text of someOf(reachTexts, 60)) {
      server.got.length = 0;
      await channel.send(outgoing(decision({ title: text })));
      assert.equal(JSON.parse(server.got[0]?.body ?? "").data.title, text);
    }
  });
});
