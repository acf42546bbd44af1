/** Answers that take a passkey: a signature is good for exactly one answer of one person, once. */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { userInfo } from "node:os";
import { describe, it } from "vitest";
import { HEADERS } from "../../src/api/api.ts";
import type { Kind, Lies } from "../fakes/authenticator.ts";
import { authenticator, map } from "../fakes/authenticator.ts";
import { fakeDaemon } from "../fakes/daemon.ts";

const owner = userInfo().username;

const template = (name: string, rule: string) => `decision_template "${name}" {
  ${rule}
  option "ship" {}
  option "other" {}
  option "no" { action = "cancel" }
}`;

const RUNBOOK = [
  template("one", 'fresh = "passkey 5m"'),
  template("two", 'fresh = "passkey 5m"\n  min = 2'),
].join("\n");

interface Asked {
  nonce: string;
  challenge: string;
  credentials: string[];
}

async function world() {
  const daemon = await fakeDaemon({ ".oj/runbooks/rules.hcl": RUNBOOK });
  const { call, port } = daemon;
  const origin = `http://localhost:${port}`;
  const post = async <T>(path: string, body: object, headers = {}) => {
    const reply = await call("POST", path, body, headers);
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return reply.json as T;
  };
  const doors: Record<string, Record<string, string>> = { [owner]: {} };
  for (const name of [owner, "ana", "ben"]) {
    await post("/people", { name });
    if (name === owner) continue;
    await post("/roles/grant", { name, role: "approver", project: null });
    const body = { person: name, scopes: ["answer"], lasts_ms: 3_600_000 };
    const { token } = await post<{ token: string }>("/tokens", body);
    doors[name] = { [HEADERS.remote]: "1", authorization: `Bearer ${token}` };
  }
  const linkFor = async (person: string) => {
    const { url } = await post<{ url: string }>("/passkeys/links", { person });
    return new URLSearchParams(new URL(url).hash.slice(1)).get("passkey") ?? "";
  };
  async function passkeyOf(person: string, kind: Kind = "ES256") {
    const device = authenticator(kind, origin);
    const code = await linkFor(person);
    const { nonce, challenge } = await post<Asked>("/passkeys/begin", { code }, doors[person]);
    await post("/passkeys", { code, nonce, label: kind, ...device.create(challenge) }, doors[person]);
    return device;
  }
  const ask = async (name = "one") =>
    (
      await post<{ id: string }>("/decisions", {
        project: "shop",
        cwd: daemon.dir,
        prompt: "Deploy?",
        template: name,
        options: [],
        as: null,
      })
    ).id;
  const challenge = (who: string, id: string, body: object) =>
    post<Asked>(`/decisions/${id}/challenge`, body, doors[who]);
  const resolve = (who: string, id: string, body: object) =>
    call("POST", `/decisions/${id}/resolve`, body, doors[who]);
  /** Says it with a passkey. */
  async function say(
    who: string,
    id: string,
    body: object,
    device: ReturnType<typeof authenticator>,
    lies: Lies = {},
  ) {
    const { nonce, challenge: asked } = await challenge(who, id, body);
    return resolve(who, id, { ...body, passkey: { nonce, ...device.get(asked, lies) } });
  }
  const stateOf = async (id: string) =>
    ((await call("GET", `/decisions/${id}`)).json as { state: string }).state;
  return { ...daemon, origin, post, doors, linkFor, passkeyOf, ask, challenge, resolve, say, stateOf };
}

const SHIP = { option: "ship" };

describe("an answer that takes a passkey", () => {
  it("is taken with each kind of key, recorded, and proven later; a no takes none", async () => {
    const { passkeyOf, ask, say, resolve, stateOf, post, events } = await world();
    for (const kind of ["ES256", "EdDSA", "RS256"] as const) {
      const device = await passkeyOf("ana", kind);
      const id = await ask();
      const bare = await resolve("ana", id, SHIP);
      assert.deepEqual(
        [bare.status, (bare.json as { error: { code: string } }).error.code],
        [403, "decision.passkey"],
      );
      const words = { ...SHIP, message: "go ahead" };
      const reply = await say("ana", id, words, device);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(await stateOf(id), "resolved");
      const { signed, card_sha256 } = await post<{ signed: object[]; card_sha256: string }>(
        `/decisions/${id}/audit`,
        {},
      );
      assert.deepEqual(signed, [{ by: "ana", passkey: device.id, is_valid: true }]);
      const recorded = events().find((it) => it.type === "decision:resolved" && it.id === id);
      const { passkey } = recorded as { passkey: { statement: string } };
      const statement = JSON.parse(passkey.statement) as Record<string, unknown>;
      assert.deepEqual([statement.decision, statement.who, statement.card], [id, "ana", card_sha256]);
    }
    const denied = await ask();
    assert.equal((await resolve("ben", denied, { option: "no" })).status, 200);
    assert.equal(await stateOf(denied), "resolved");
  });

  it("is refused with every signature that is for something else", async () => {
    const { passkeyOf, ask, challenge, resolve, say, stateOf, doors, post, origin, call } = await world();
    const [ana, ben, spare] = [await passkeyOf("ana"), await passkeyOf("ben"), await passkeyOf("ana")];
    const stranger = authenticator("ES256", origin);
    const wrong: string[] = [];
    const check = async (
      what: string,
      id: string,
      reply: Promise<{ status: number; text: string }>,
      words: RegExp,
    ) => {
      const { status, text } = await reply;
      if (status !== 403 || !words.test(text)) wrong.push(`${what}: ${status} ${text.slice(0, 160)}`);
      if ((await stateOf(id)) !== "pending") wrong.push(`${what}: was taken`);
    };

    // what the authenticator or the page says of itself
    const lies: [string, Lies, RegExp][] = [
      ["another origin", { origin: "https://evil.example" }, /which is not ours/],
      ["a neighbour of the origin", { origin: `${origin}.evil.example` }, /which is not ours/],
      ["the address in numbers", { origin: origin.replace("localhost", "127.0.0.1") }, /which is not ours/],
      ["another site's id", { rp_id: "evil.example" }, /not for localhost/],
      ["a page inside another", { crossOrigin: true }, /inside another/],
      ["no user verification", { flags: 0x01 }, /did not check who was there/],
      ["nobody present", { flags: 0x04 }, /nobody was there/],
      ["a registration", { type: "webauthn.create" }, /something else/],
      ["another challenge", { challenge: Buffer.alloc(32).toString("base64url") }, /something else/],
      ["no challenge", { challenge: "" }, /something else/],
      ["another key", { key: stranger.privateKey }, /not that passkey's/],
    ];
    for (const [what, lie, words] of lies) {
      const id = await ask();
      await check(what, id, say("ana", id, SHIP, ana, lie), words);
    }

    // a signature that is good, for something else
    const [one, other] = [await ask(), await ask()];
    const asked = await challenge("ana", one, SHIP);
    const brought = { nonce: asked.nonce, ...ana.get(asked.challenge) };
    const used = /used already, or is older/;
    await check("another decision", other, resolve("ana", other, { ...SHIP, passkey: brought }), used);
    await check("another person", one, resolve("ben", one, { ...SHIP, passkey: brought }), used);
    await check(
      "another option",
      one,
      resolve("ana", one, { option: "other", passkey: brought }),
      /something else/,
    );
    await check("a second try with it", one, resolve("ana", one, { ...SHIP, passkey: brought }), used);
    for (const [what, body] of [
      ["another message", { ...SHIP, message: "x" }],
      ["another text", { ...SHIP, text: "x" }],
      ["the same option by number", { choices: [[1]] }],
    ] as const) {
      const fresh = await challenge("ana", one, SHIP);
      const passkey = { nonce: fresh.nonce, ...ana.get(fresh.challenge) };
      await check(what, one, resolve("ana", one, { ...body, passkey }), /something else/);
    }
    await check("somebody else's passkey", one, say("ana", one, SHIP, ben), /no such passkey/);
    await check("a passkey that nobody has", one, say("ana", one, SHIP, stranger), /no such passkey/);
    const mixed = await challenge("ana", one, SHIP);
    const swapped = { nonce: mixed.nonce, ...ana.get(mixed.challenge), credential: spare.id };
    await check(
      "one passkey in the name of another",
      one,
      resolve("ana", one, { ...SHIP, passkey: swapped }),
      /not that passkey's/,
    );
    for (const [what, change] of [
      ["nonsense", { client_data: "AAAA" }],
      ["a short signature", { signature: "AA" }],
      ["too few bytes", { authenticator_data: "AA" }],
    ] as const) {
      const it = await challenge("ana", one, SHIP);
      const passkey = { nonce: it.nonce, ...ana.get(it.challenge), ...change };
      await check(what, one, resolve("ana", one, { ...SHIP, passkey }), /was not taken/);
    }
    const many = { ids: [one], option: "ship" };
    const batch = await call("POST", "/decisions/resolve", many, doors.ana);
    assert.match(batch.text, /decision\.passkey/);

    // a counter that goes back, and a passkey that is gone
    ana.counts(7);
    const counted = await ask();
    assert.equal((await say("ana", counted, SHIP, ana)).status, 200);
    for (const counter of [7, 6, 0])
      await check(
        `counter ${counter} after 7`,
        one,
        say("ana", one, SHIP, ana, { counter }),
        /counter went back/,
      );
    const before = await challenge("ana", one, SHIP);
    await post("/passkeys/remove", { id: ana.id });
    const late = { nonce: before.nonce, ...ana.get(before.challenge, { counter: 9 }) };
    await check(
      "a passkey that was removed",
      one,
      resolve("ana", one, { ...SHIP, passkey: late }),
      /no such passkey/,
    );
    assert.deepEqual(wrong, []);
    assert.equal((await say("ana", one, SHIP, spare)).status, 200);
  });

  it("is as fresh as the rule says", async () => {
    const { passkeyOf, ask, challenge, resolve, ports, stateOf } = await world();
    const ana = await passkeyOf("ana");
    const id = await ask();
    const { nonce, challenge: asked } = await challenge("ana", id, SHIP);
    const { monotonic } = ports.clock;
    ports.clock.monotonic = () => monotonic() + 301_000;
    const late = await resolve("ana", id, { ...SHIP, passkey: { nonce, ...ana.get(asked) } });
    assert.match(late.text, /older than the rule allows/);
    assert.equal(await stateOf(id), "pending");
  });

  it("takes two people's passkeys where the rule says two, also when all answer at once", async () => {
    const { passkeyOf, ask, say, resolve, stateOf, post, challenge } = await world();
    const [ana, ben] = [await passkeyOf("ana"), await passkeyOf("ben")];
    const id = await ask("two");
    assert.equal((await say("ana", id, SHIP, ana)).status, 200);
    assert.equal(await stateOf(id), "pending");
    assert.equal((await say("ana", id, SHIP, ana)).status, 200); // the same again counts once
    assert.equal(await stateOf(id), "pending");
    assert.equal((await resolve("ben", id, SHIP)).status, 403);
    assert.equal((await say("ben", id, SHIP, ben)).status, 200);
    assert.equal(await stateOf(id), "resolved");
    const { signed } = await post<{ signed: { by: string; is_valid: boolean }[] }>(
      `/decisions/${id}/audit`,
      {},
    );
    assert.deepEqual(signed.map((it) => [it.by, it.is_valid]).toSorted(), [
      ["ana", true],
      ["ben", true],
    ]);

    const race = await ask();
    const asked = await challenge("ana", race, SHIP);
    const body = { ...SHIP, passkey: { nonce: asked.nonce, ...ana.get(asked.challenge) } };
    const replies = await Promise.all(Array.from({ length: 8 }, () => resolve("ana", race, body)));
    assert.equal(replies.filter((it) => it.status === 200).length, 1);
  });
});

describe("registering a passkey", () => {
  it("takes a link from a terminal, good once, for one person", async () => {
    const { linkFor, post, call, doors, origin, passkeyOf } = await world();
    const begin = (code: string, who = "ana") => call("POST", "/passkeys/begin", { code }, doors[who]);
    for (const code of ["x", "x.y", `${Buffer.from("ana").toString("base64url")}.${"A".repeat(43)}`])
      assert.equal((await begin(code)).status, 403, code);
    const code = await linkFor("ana");
    const other = `${Buffer.from("ben").toString("base64url")}.${code.split(".")[1]}`;
    assert.equal((await begin(other)).status, 403); // a link can't be turned into another person's
    const device = authenticator("ES256", origin);
    const wrong: string[] = [];
    const weak = map([1, 2], [3, -7], [-1, 1], [-2, Buffer.alloc(32, 1)], [-3, Buffer.alloc(32, 1)]);
    const lies: [string, Parameters<typeof device.create>[1]][] = [
      ["another origin", { origin: "https://evil.example" }],
      ["another site", { rp_id: "evil.example" }],
      ["no user verification", { flags: 0x41 }],
      ["no key in it", { flags: 0x05 }],
      ["a signature", { type: "webauthn.get" }],
      ["another challenge", { challenge: "AAAA" }],
      ["a point that is on no curve", { cose: weak }],
      ["a kind that is not taken", { cose: map([1, 2], [3, -47], [-1, 8]) }],
      ["bytes that are no key", { cose: Buffer.from([0xff, 0xff]) }],
      ["nothing", { cose: Buffer.alloc(0) }],
    ];
    for (const [what, lie] of lies) {
      const { nonce, challenge } = (await begin(code)).json as { nonce: string; challenge: string };
      const body = { code, nonce, label: "x", ...device.create(challenge, lie) };
      const reply = await call("POST", "/passkeys", body, doors.ana);
      if (reply.status !== 403) wrong.push(`${what}: ${reply.status} ${reply.text}`);
    }
    assert.deepEqual(wrong, []);
    const { nonce, challenge } = (await begin(code)).json as { nonce: string; challenge: string };
    const body = { code, nonce, label: "phone", ...device.create(challenge) };
    await post("/passkeys", body, doors.ana);
    assert.equal((await call("POST", "/passkeys", body, doors.ana)).status, 403);
    assert.equal((await begin(code)).status, 403);
    await passkeyOf(owner, "EdDSA");
    const list = (await call("GET", "/passkeys")).json as { person: string; label: string; rp_id: string }[];
    assert.deepEqual(
      list.map((it) => [it.person, it.label, it.rp_id]).toSorted(),
      [
        ["ana", "phone", "localhost"],
        [owner, "EdDSA", "localhost"],
      ].toSorted(),
    );
    // who may not administer can't let anybody in
    assert.equal((await call("POST", "/passkeys/links", { person: "ana" }, doors.ana)).status, 403);
    assert.equal((await call("POST", "/passkeys/remove", { id: device.id }, doors.ana)).status, 403);
  });

  it("is never registered where somebody else on the machine may listen", async ({ skip }) => {
    const other = net.createServer().listen({ port: 0, host: "::1" });
    const heard = await Promise.race([
      once(other, "listening").then(() => true),
      once(other, "error").then(() => false),
    ]);
    if (!heard) return skip("this machine has no [::1]");
    const { port } = other.address() as net.AddressInfo;
    const { call } = await fakeDaemon({ "../state/port": `${port}\n` });
    await call("POST", "/people", { name: owner });
    const link = () => call("POST", "/passkeys/links", { person: owner });
    const refused = await link();
    assert.equal(refused.status, 403);
    assert.match(refused.text, new RegExp(`somebody else .* \\[::1\\]:${port}`));
    other.close();
    await once(other, "close");
    const { url } = (await link()).json as { url: string };
    assert.ok(url.startsWith(`http://localhost:${port}/#`), url);
    // from now on it is the daemon that answers there
    const page = http.get({ host: "::1", port, path: "/health", headers: { host: `localhost:${port}` } });
    const [answer] = (await once(page, "response")) as [http.IncomingMessage];
    answer.resume();
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
  });
});
