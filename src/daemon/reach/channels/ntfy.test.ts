import assert from "node:assert/strict";
import { describe as about, it, onTestFinished } from "vitest";
import { someOf } from "../../../../test/everything.ts";
import { decision, NOW } from "../../../../test/fakes/fake-client.ts";
import { answered, person } from "../../../../test/fakes/fake-door.ts";
import { given, opened, outgoing } from "../../../../test/fakes/outgoing.ts";
import { reachTexts, secrets } from "../../../../test/fakes/reach-corpus.ts";
import { ntfyServer } from "../../../../test/fakes/servers/ntfy.ts";
import type { DecisionView } from "../../../api/api.ts";
import type { ChannelError, Outgoing } from "../channel.ts";
import { make } from "./ntfy.ts";

const TOPIC = "oj-ana-7f3k";

async function stage(settings: Record<string, unknown> = {}) {
  const server = await ntfyServer();
  onTestFinished(() => server.close());
  const from = given("ntfy", { url: server.url, ...settings }, { files: { token: "tk_secret\n" } });
  return { server, channel: await opened(make, from) };
}

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
const to = (view: DecisionView, more: Partial<Outgoing> = {}) =>
  outgoing(view, { address: TOPIC, person: person("ana", { ntfy: TOPIC }), ...more });
const failure = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("it got through"),
    (error) => error as ChannelError,
  );

about("ntfy", () => {
  it("shows the action, with a POST for each option", async () => {
    const { server, channel } = await stage();
    await channel.send(to(command("make test", { urgency: "high" })));
    const [shown] = server.shown(TOPIC);
    assert.equal(shown?.title, "Run a command?");
    assert.match(shown?.message ?? "", /make test/);
    assert.equal(shown?.priority, 5);
    assert.equal(shown?.click, "https://oj.example.com/a/any");
    assert.deepEqual(shown?.actions, [
      ...["approve", "deny"].map((key) => ({
        action: "http",
        label: key === "approve" ? "Approve" : "Deny",
        url: `https://oj.example.com/a/${key}`,
        method: "POST",
        clear: true,
      })),
      {
        action: "http",
        label: "I'm on it",
        url: "https://oj.example.com/a/claim",
        method: "POST",
        clear: false,
      },
    ]);
  });

  it("is replaced and cleared when it is settled, and a second try shows nothing twice", async () => {
    const { server, channel } = await stage();
    const view = command("make test");
    const { ref } = await channel.send(to(view));
    await channel.send(to(view)); // whether the first one arrived was not known
    assert.equal(server.shown(TOPIC).length, 1);
    await channel.change?.(to(answered(view, { person: "ben", choices: [[2]] })), ref ?? "");
    assert.deepEqual(server.shown(TOPIC), []);
    const last = server.published.at(-1);
    assert.match(last?.message ?? "", /Answered by ben: Deny/);
    assert.deepEqual(last?.actions, []);
    assert.equal(last?.priority, 1);
  });

  it("makes no sound when somebody is on it, nor when one of several is settled", async () => {
    const { server, channel } = await stage();
    const view = command("make test", { urgency: "high" });
    const claimed = { by: "ben", via: "cli", from_ms: NOW, until_ms: NOW + 60_000 } as const;
    const { ref } = await channel.send(to(view));
    await channel.change?.(to({ ...view, claimed }), ref ?? "");
    const others = [outgoing(view)];
    const list = await channel.send(to(view, { key: "n2", others }));
    await channel.change?.(
      to(answered(view, { person: "ben", choices: [[2]] }), { key: "n2", others }),
      list.ref ?? "",
    );
    assert.deepEqual(
      server.published.map((it) => it.priority),
      [5, 2, 5, 2],
    );
  });

  it("does without clearing where the server is too old for it", async () => {
    const { server, channel } = await stage();
    const view = command("x");
    server.isOld = true;
    const { ref } = await channel.send(to(view));
    await channel.change?.(to(answered(view, { person: "ben", choices: [[1]] })), ref ?? "");
    assert.match(server.published.at(-1)?.message ?? "", /Answered by ben: Approve/);
    assert.equal(await channel.check(), null);
  });

  it("never lets anybody approve what it did not show", async () => {
    const { server, channel } = await stage();
    for (const text of [`echo ${"世".repeat(1500)}; rm -rf ~`, "deploy --env password='x1 && rm -rf ~'"]) {
      await channel.send(to(command(text), { key: text.slice(0, 9) }));
      const shown = server.published.at(-1);
      assert.ok(!shown?.message.includes("rm -rf"));
      assert.deepEqual(
        shown?.actions.map((it) => it.label),
        ["Deny", "Open", "I'm on it"],
      );
    }
    assert.match(server.published[0]?.message ?? "", /\d+ characters hidden, SHA-256 ab12cd34/);
  });

  it("opens the page where a tap would be no whole answer", async () => {
    const { server, channel } = await stage();
    const question = { question: "Which?", header: null, multi_select: false, options: [] };
    const views = [
      decision({ options: ["a", "b", "c", "d"].map((label) => ({ label })) }),
      decision({ source: "question", questions: [question, question] } as never),
      decision({ source: "question", questions: [{ ...question, multi_select: true }] } as never),
    ];
    for (const view of views) {
      await channel.send(to(view));
      assert.deepEqual(
        server.published.at(-1)?.actions.map((it) => it.action), // "I'm on it" answers nothing
        ["http", "view"],
      );
    }
  });

  it("proves who it is, and says so if that is refused", async () => {
    const { server, channel } = await stage({ token_file: "token" });
    server.token = "tk_secret";
    await channel.send(to(command("x")));
    assert.equal(await channel.check(), null);
    server.token = "tk_other";
    const refused = await failure(channel.send(to(command("x"))));
    assert.ok(refused.isFinal);
    assert.match((await channel.check()) ?? "", /refuses the login.*token/);
    server.token = "tk_secret";
    await channel.send(to(command("x")));
    assert.equal(await channel.check(), null);
  });

  it("waits as it is told to, and tries again after an outage", async () => {
    const { server, channel } = await stage();
    server.fails = [{ status: 429, headers: { "retry-after": "9" } }, { status: 502 }];
    assert.equal((await failure(channel.send(to(command("x"))))).retryAfterMs, 9000);
    assert.equal((await failure(channel.send(to(command("x"))))).isFinal, false);
    await channel.send(to(command("x")));
    await server.close();
    assert.equal((await failure(channel.send(to(command("x"))))).isFinal, false);
    assert.match((await channel.check()) ?? "", /can't be reached/);
  });

  it("refuses what is no topic", async () => {
    const { server, channel } = await stage();
    for (const address of ["a/b", "a b", "", "a?x=1"])
      assert.ok((await failure(channel.send(to(command("x"), { address })))).isFinal);
    assert.equal(server.published.length, 0);
  });

  it("puts several decisions into one notification", async () => {
    const { server, channel } = await stage();
    const others = Array.from({ length: 30 }, (_, n) => outgoing(command("x", { title: `Question ${n}?` })));
    await channel.send(to(command("x"), { others, reason: "digest" }));
    assert.equal(server.published[0]?.title, "31 decisions wait for you");
    assert.match(server.published[0]?.message ?? "", /and 11 more$/);
  });

  it("fits every text in, obeys none, and carries no secret", async () => {
    const { server, channel } = await stage();
    for (const text of someOf(reachTexts, 60)) {
      await channel.send(to(command(text, { title: text, options: [{ key: "a", label: text }] })));
      const shown = server.published.at(-1);
      assert.doesNotMatch(`${shown?.title}${shown?.message}`, /[\p{Cs}\u202a-\u202e\u2066-\u2069\u200b]/u);
    }
    for (const { text, secret, kind } of someOf(secrets, 60)) {
      await channel.send(to(command(text, { title: text, context: text })));
      assert.ok(!JSON.stringify(server.published.at(-1)).includes(secret), kind);
    }
  });
});
