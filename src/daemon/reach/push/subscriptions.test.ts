import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { FIREFOX, outgoing, pushStage } from "../../../../test/fakes/push-stage.ts";
import { until } from "../../../../test/specs/support/project.ts";

describe("subscriptions", () => {
  it("of a browser that changes hands are somebody else's from then on, whenever its last person got it", async () => {
    const { channel, service } = await pushStage();
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
    const { channel, dir, joined, restart } = await pushStage();
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
    const { channel, dir, joined, service } = await pushStage();
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
    const { channel, joined, service } = await pushStage();
    const phone = await joined();
    const shown = JSON.stringify(channel.browsers?.list());
    for (const secret of [phone.endpoint, phone.keys.auth, phone.keys.p256dh])
      assert.ok(!shown.includes(secret));
    assert.equal(channel.browsers?.list()[0]?.service, new URL(service.origin).host);
  });

  it("end with the login they were made in", async () => {
    const { channel, joined } = await pushStage();
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
    const { channel, joined } = await pushStage();
    for (let n = 0; n < 12; n++) await joined();
    await joined("ben");
    assert.equal(channel.browsers?.list().filter((it) => it.person === "ana").length, 10);
    const again = await joined("ben");
    const body = { endpoint: again.endpoint, keys: again.keys };
    await channel.browsers?.add({ person: "ben", login: "new", browser: FIREFOX, body });
    assert.equal(channel.browsers?.list().filter((it) => it.person === "ben").length, 2);
  });

  it("are refused if they lead anywhere but to a push service, or have no usable keys", async () => {
    const { channel, service } = await pushStage();
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
    const { channel, dir, joined, restart } = await pushStage();
    await joined();
    await channel.close();
    fs.rmSync(path.join(dir, "keys.json"));
    const next = await restart();
    assert.deepEqual(next.browsers?.list(), []);
    assert.match((await next.check()) ?? "", /of ana ended its subscription/);
  });
});
