/** The Slack channel against the fake of Slack: what is clicked, refused, lost, late or forged there. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { slackService } from "../../src/adapters/slack/service.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { DecisionView } from "../../src/api/api.ts";
import { redacted } from "../../src/channels/redacted.ts";
import { publicDoors } from "../../src/daemon/http/public-door.ts";
import type { Channel, Outgoing } from "../../src/daemon/reach/channel.ts";
import { make } from "../../src/daemon/reach/channels/slack.ts";
import { describe as describeCard } from "../../src/inbox/card/describe.ts";
import { decision, NOW } from "../fakes/fake-client.ts";
import { answered, fakeDoor, person } from "../fakes/fake-door.ts";
import { fakeJournal } from "../fakes/fake-journal.ts";
import { fakePorts } from "../fakes/ports.ts";
import type { FakeSlack, FakeSlackGiven, Message } from "../fakes/servers/slack.ts";
import { buttonsOf, fakeSlack, textOf } from "../fakes/servers/slack.ts";
import { until } from "../specs/support/project.ts";
import { channelContract } from "./channel.contract.ts";

const ANA = person("ana", { slack: "U0ANA" });
const BEN = person("ben", { slack: "U0BEN" });

/** Clicks over HTTPS. */
const SIGNED = { signing_secret_file: "signing", app_token_file: undefined };

async function start(
  decisions: readonly DecisionView[],
  given: FakeSlackGiven & { room?: string | null; settings?: object; heard?: boolean } = {},
) {
  const slack = await fakeSlack({ everyMs: 0, ...given });
  onTestFinished(() => slack.close());
  const door = fakeDoor(decisions, [ANA, BEN]);
  const doors = publicDoors();
  const journal = fakeJournal();
  const files: Record<string, string> = { bot: slack.tokens.bot, app: slack.tokens.app, signing: "shh" };
  const { room = "C0ROOM" } = given;
  const channel = await make({
    config: {
      name: "slack",
      kind: "slack",
      settings: {
        bot_token_file: "bot",
        app_token_file: "app",
        api_url: slack.apiUrl,
        ...(room === null ? {} : { channel: room }),
        ...given.settings,
      },
    },
    door,
    doors,
    ports: {
      ...fakePorts(),
      clock: systemClock,
      journal,
      channels: {
        ...fakePorts().channels,
        slack: async (it) => slackService(it, { clock: systemClock, journal }),
      },
    },
    isQuiet: () => false,
    base: () => "http://127.0.0.1:7000",
    link: () => null,
    secret: async (file) => files[file] ?? "",
    dir: "/none",
  });
  onTestFinished(() => channel.close());
  if (given.heard !== false) {
    await channel.listen?.();
    await until(async () => (await channel.check()) === null);
  }
  return { slack, door, doors, channel, files };
}

function outgoing(it: DecisionView, more: Partial<Outgoing> = {}): Outgoing {
  const { decision: shown, card, showsAll } = redacted({ decision: it, card: describeCard(it, NOW) });
  return {
    key: "k1",
    reason: "asked",
    decision: shown,
    card,
    isWhole: showsAll,
    person: null,
    names: ["ana"],
    address: "C0ROOM",
    url: "http://127.0.0.1:7000/#/decision/x",
    link: async () => null,
    claim: async () => null,
    earlier: null,
    others: [],
    stands: async () => true,
    now: NOW,
    ...more,
  };
}

/** Sends the card and returns it as Slack has it. */
async function sent(channel: Channel, slack: FakeSlack, it: DecisionView): Promise<Message> {
  await channel.send(outgoing(it));
  return slack.cards().at(-1) as Message;
}

const question: DecisionView = decision({
  source: "question",
  title: "Which ones?",
  questions: [
    {
      question: "Which database?",
      header: "Storage",
      multi_select: false,
      options: [
        { label: "Postgres", description: null },
        { label: "SQLite", description: null },
      ],
    },
    {
      question: "Which checks?",
      header: null,
      multi_select: true,
      options: [
        { label: "Lint", description: null },
        { label: "Types", description: null },
        { label: "Tests", description: null },
      ],
    },
  ],
  options: [
    { key: "cancel", label: "Cancel", acts: false },
    { key: "dismiss", label: "Dismiss", acts: false },
  ],
});

const request = decision({
  source: "request",
  title: "Which name?",
  owner: { kind: "requester", id: "bot", name: "bot" },
  options: [{ label: "One" }, { label: "Two" }],
});

describe("a card in Slack", () => {
  it("goes to the room, and a click answers it, shown as whole", async () => {
    const { slack, door, channel } = await start([decision()]);
    const card = await sent(channel, slack, decision());
    assert.equal(card.channel, "C0ROOM");
    await slack.click(card, "Stop", "U0ANA");
    await until(() => door.answers.length === 1);
    const { id, person: by, via, choices, sawAll } = door.answers[0] ?? {};
    assert.deepEqual([id, by, via, choices, sawAll], ["dec-7k3m9x2p4q", "ana", "slack", [[2]], true]);
    assert.deepEqual(slack.late, []);
  });

  it("goes to the person, where there is no room", async () => {
    const { slack, channel } = await start([decision()], { room: null });
    assert.equal(channel.room, null);
    await channel.send(outgoing(decision(), { address: channel.addressOf(ANA) ?? "" }));
    assert.equal(slack.cards()[0]?.channel, "D0ANA");
    assert.equal(channel.addressOf(person("eve", { slack: "<!channel>" })), null);
  });

  it("is rewritten when it is settled: who, what, delivered; the thread says it, too", async () => {
    const { slack, channel, door } = await start([decision()]);
    const { ref } = await channel.send(outgoing(decision()));
    const card = slack.cards()[0] as Message;
    const settled = answered(decision(), { person: "ben", choices: [[1]] });
    door.all.set(settled.id, settled);
    const first = await channel.change?.(outgoing(settled), ref ?? "");
    assert.deepEqual(buttonsOf(card), []);
    assert.match(textOf(card), /ben answered at \d\d:\d\d .*: Ship it/);
    const delivery = { state: "acknowledged" as const, attempts: 1, error: null, at_ms: NOW };
    await channel.change?.(outgoing({ ...settled, delivery }), first?.ref ?? "");
    assert.match(textOf(card), /Delivered and acknowledged by release\/1\.0/);
    const thread = () => slack.thread(card).map(textOf).join("\n");
    await until(() => /ben answered at .*: Ship it\.\nDelivered and acknowledged/.test(thread()));
    for (const it of slack.messages) assert.doesNotMatch(JSON.stringify(it), /mrkdwn"|<[!@#]/);
  });

  it("asks for no previews and no mentions", async () => {
    const { slack, channel } = await start([decision()]);
    await channel.send(outgoing(decision({ title: "<!channel> see <https://evil.example|here>" })));
    const { args } = slack.calls.find((it) => it.method === "chat.postMessage") ?? {};
    assert.equal(String(args.unfurl_links), "false");
    assert.equal(String(args.unfurl_media), "false");
    assert.equal(args.parse, "none");
    assert.doesNotMatch(args.text, /[<>]/);
  });
});

describe("Remember… in Slack", () => {
  const approval = decision({
    source: "approval",
    title: "Run a command?",
    action: { tool: "Bash", input: { command: "npm test" }, sha256: "ab".repeat(32) },
    options: [
      { key: "approve", label: "Approve" },
      { key: "deny", label: "Deny", acts: false },
    ],
  } as never);
  const RULE = {
    name: "npm test",
    text: 'policy "npm test" {\n}\n',
    hash: "0f".repeat(32),
    asker: "job fix/cart",
    file: "/home/ana/shop/.oj/runbooks/remembered.hcl",
    problem: null,
  };

  /** Clicks it, and returns the modal once it is more than one that waits. */
  async function opened(rule: typeof RULE | null) {
    const { slack, door, channel } = await start([approval]);
    if (rule) door.rules.set(approval.id, rule);
    const card = await sent(channel, slack, approval);
    await slack.click(card, "Remember…", "U0ANA");
    const modal = await until(() => slack.openViews().find((it) => it.view.title.text !== "One moment"));
    return { slack, door, card, modal, text: JSON.stringify(modal.view) };
  }

  it.each(["once", "job", "project"])(
    "takes a choice and Send, with the rule in sight: %s",
    async (scope) => {
      const { slack, door, modal, text } = await opened(RULE);
      assert.match(text, /policy \\"npm test\\" \{\\n\}/);
      assert.match(text, /answered 3 of 8, agreed 3, disagreed 0/);
      assert.doesNotMatch(text, /home\/ana|initial_option/);
      const missing = await slack.submit(modal, { choice: null });
      assert.deepEqual(missing?.errors, { choice: "Choose how long." });
      assert.deepEqual([door.remembered, door.answers], [[], []]);
      const number = String(["once", "job", "project"].indexOf(scope) + 1);
      assert.equal(await slack.submit(modal, { choice: number }), undefined);
      const asAna = { id: approval.id, person: "ana", via: "slack", hash: RULE.hash, scope };
      assert.deepEqual(door.remembered, scope === "once" ? [] : [asAna]);
      assert.deepEqual(
        door.answers.map((it) => [it.option, it.sawAll]),
        scope === "once" ? [["approve", true]] : [],
      );
      assert.deepEqual(slack.late, []);
    },
  );

  it("accepts no other rule than the one in the modal, and nothing from a stranger", async () => {
    const { slack, door, modal, card } = await opened(RULE);
    const first = { ...modal };
    await slack.submit({ ...modal }, { choice: "3" }, "U0EVE");
    door.rules.set(approval.id, { ...RULE, hash: "cd".repeat(32) });
    await slack.click(card, "Remember…", "U0EVE");
    await slack.click(card, "Remember…", "U0ANA");
    const before = slack.openViews().length;
    const ack = await slack.submit(first, { choice: "3" });
    assert.match(JSON.stringify(ack), /not the rule/);
    assert.deepEqual(door.remembered, []);
    assert.ok(before <= 2, "a stranger got no modal");
    await until(() => slack.ephemerals.some((it) => /This one is/.test(textOf(it))));
  });

  it("leads elsewhere with a rule that a modal can't show, and says why there is none", async () => {
    const none = await opened(null);
    assert.match(none.text, /It can't become a rule: this deploys/);
    for (const rule of [
      { ...RULE, text: "x".repeat(9001) },
      { ...RULE, text: 'command = "curl --token abc123def456ghi789"' },
    ]) {
      const { modal, text } = await opened(rule);
      assert.deepEqual([modal.view.submit, /"text":"Open"/.test(text)], [undefined, true]);
      assert.doesNotMatch(text, /abc123|xxx/);
    }
  });
});

channelContract("slack", async () => {
  const { slack, channel } = await start([decision()], { room: null, heard: false, settings: SIGNED });
  return {
    channel,
    person: ANA,
    seen: async () => slack.cards().map((it) => ({ text: textOf(it), isOpen: buttonsOf(it).length > 0 })),
    async fail(how) {
      if (how === "busy") slack.limit("chat.postMessage", 5000);
      else if (how === "away") slack.offline();
      else slack.revoke(slack.tokens.bot);
    },
  };
});

describe("whoever clicks", () => {
  it("is told privately for whom it is, if it is somebody else", async () => {
    const { slack, door, channel } = await start([decision()]);
    door.addressees = async (_, kind) => (kind === "slack" ? ["ana"] : []);
    const card = await sent(channel, slack, decision());
    await slack.click(card, "Ship it", "U0EVE");
    await slack.click(card, "With a reason…", "U0EVE");
    await until(() => slack.ephemerals.length === 2);
    for (const it of slack.ephemerals) {
      assert.deepEqual([it.user, it.channel], ["U0EVE", "C0ROOM"]);
      assert.equal(textOf(it), "This one is for ana.");
    }
    assert.deepEqual(door.answers, []);
    assert.deepEqual(slack.openViews(), []);
  });

  it("is told who was faster, and the card is rewritten", async () => {
    const { slack, door, channel } = await start([decision()]);
    const card = await sent(channel, slack, decision());
    door.all.set("dec-7k3m9x2p4q", answered(decision(), { person: "ben", choices: [[1]] }));
    await slack.click(card, "Stop", "U0ANA");
    await until(() => slack.ephemerals.length === 1 && buttonsOf(card).length === 0);
    assert.match(textOf(slack.ephemerals[0]), /ben answered/);
  });

  it("may click either of two cards, if a response was lost", async () => {
    const { slack, door, channel } = await start([decision()]);
    slack.dropNext("chat.postMessage");
    await assert.rejects(channel.send(outgoing(decision())));
    const { ref } = await channel.send(outgoing(decision()));
    const [lost, known] = slack.cards() as [Message, Message];
    await slack.click(lost, "Ship it", "U0ANA");
    await until(() => buttonsOf(lost).length === 0);
    assert.equal(door.answers.length, 1);
    const settled = door.all.get("dec-7k3m9x2p4q") as DecisionView;
    const delivery = { state: "acknowledged" as const, attempts: 1, error: null, at_ms: NOW };
    await channel.change?.(outgoing({ ...settled, delivery }), ref ?? "");
    for (const card of [lost, known]) {
      assert.deepEqual(buttonsOf(card), []);
      assert.match(textOf(card), /acknowledged by/);
    }
  });

  it("may click the lost one later: it says who it was, and is rewritten", async () => {
    const { slack, channel, door } = await start([decision()]);
    slack.dropNext("chat.postMessage");
    await assert.rejects(channel.send(outgoing(decision())));
    const { ref } = await channel.send(outgoing(decision()));
    const [lost] = slack.cards() as [Message];
    const settled = answered(decision(), { person: "ben", choices: [[1]] });
    door.all.set("dec-7k3m9x2p4q", settled);
    await channel.change?.(outgoing(settled), ref ?? "");
    await slack.click(lost, "Ship it", "U0ANA");
    await until(() => buttonsOf(lost).length === 0 && slack.ephemerals.length === 1);
  });

  it("claims it, or is told why not", async () => {
    const { slack, door, channel } = await start([decision()]);
    const card = await sent(channel, slack, decision());
    const { claim } = door;
    door.claim = async () => ({ type: "refused", words: "ben is on it", decision: null });
    await slack.click(card, "I'm on it", "U0ANA");
    await until(() => slack.ephemerals.length === 1);
    assert.equal(textOf(slack.ephemerals[0]), "ben is on it");
    door.claim = claim;
    await slack.click(card, "I'm on it", "U0ANA");
    await until(() => door.all.get(decision().id)?.claimed?.by === "ana");
    await slack.click(card, "Open", "U0ANA");
    assert.equal(slack.ephemerals.length, 1);
  });
});

describe("a modal in Slack", () => {
  it("takes words: opened before anything is asked of the disk", async () => {
    const { slack, door, channel } = await start([request]);
    const card = await sent(channel, slack, request);
    door.decision = () => new Promise(() => {}); // the disk hangs
    await slack.click(card, "Other…", "U0ANA");
    const view = await until(() => slack.openViews()[0]);
    await slack.submit(view, { words: "Three" });
    await until(() => door.answers.length === 1);
    const { text, message, choices } = door.answers[0] ?? {};
    assert.deepEqual([text, message, choices], ["Three", null, []]);
    assert.deepEqual(slack.openViews(), []);
  });

  it("takes a choice with a reason, and says what is missing", async () => {
    const { slack, door, channel } = await start([decision()]);
    const card = await sent(channel, slack, decision());
    await slack.click(card, "With a reason…", "U0ANA");
    const view = await until(() => slack.openViews()[0]);
    const missing = await slack.submit(view, { choice: null, words: "too early" });
    assert.deepEqual(missing, { response_action: "errors", errors: { choice: "Choose an answer." } });
    await slack.submit(view, { choice: "Stop", words: "too early" });
    await until(() => door.answers.length === 1);
    const { choices, message } = door.answers[0] ?? {};
    assert.deepEqual([choices, message], [[[2]], "too early"]);
  });

  it("takes several questions, several choices and own words", async () => {
    const { slack, door, channel } = await start([question]);
    const card = await sent(channel, slack, question);
    assert.deepEqual(buttonsOf(card), ["Answer…", "Cancel", "Dismiss", "I'm on it", "Open"]);
    await slack.click(card, "Answer…", "U0ANA");
    const view = await until(() => slack.openViews()[0]);
    const half = await slack.submit(view, { choice0: "Other", choice1: [] });
    assert.deepEqual(Object.keys(half.errors), ["words0", "choice1"]);
    await slack.submit(view, { choice0: "Other", words0: "DuckDB", choice1: ["Lint", "Tests"] });
    await until(() => door.answers.length === 1);
    const { choices, texts } = door.answers[0] ?? {};
    assert.deepEqual(
      [choices, texts],
      [
        [[3], [1, 3]],
        ["DuckDB", null],
      ],
    );
    await slack.click(card, "Cancel", "U0BEN");
    await until(() => slack.ephemerals.length === 1);
  });

  it("keeps what was typed when somebody else was faster", async () => {
    const { slack, door, channel } = await start([request]);
    const card = await sent(channel, slack, request);
    await slack.click(card, "Other…", "U0ANA");
    const view = await until(() => slack.openViews()[0]);
    door.all.set(request.id, answered(request, { person: "ben", choices: [[1]] }));
    const ack = await slack.submit(view, { words: "a long and thoughtful name" });
    assert.equal(ack.response_action, "update");
    const shown = textOf(slack.openViews()[0]?.view);
    assert.match(shown, /ben answered/);
    assert.match(shown, /a long and thoughtful name/);
    const told = await until(() => slack.ephemerals[0]);
    assert.match(textOf(told), /ben answered[\s\S]*a long and thoughtful name/);
    await until(() => buttonsOf(card).length === 0);
  });

  it("does not open for what is settled", async () => {
    const { slack, channel } = await start([request]);
    const { ref } = await channel.send(outgoing(request));
    const old = structuredClone(slack.cards()[0]) as Message;
    await channel.change?.(outgoing(answered(request, { person: "ben", choices: [[1]] })), ref ?? "");
    await slack.click(old, "Other…", "U0ANA");
    const told = await until(() => slack.ephemerals[0]);
    assert.match(textOf(told), /ben answered/);
    assert.deepEqual(slack.openViews(), []);
  });

  it("is acknowledged in time, even if the answer takes long", async () => {
    const { slack, door, channel } = await start([request]);
    const card = await sent(channel, slack, request);
    await slack.click(card, "Other…", "U0ANA");
    const view = await until(() => slack.openViews()[0]);
    const answer = door.answer;
    let go = () => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    door.answer = async (given) => {
      await waiting;
      return answer(given);
    };
    const ack = await slack.submit(view, { words: "Three" });
    assert.equal(ack.response_action, "update");
    assert.deepEqual(slack.late, []);
    go();
    await until(() => textOf(slack.openViews()[0]?.view) === "Your answer was sent.");
  });

  it("is filled in later, where nothing is in memory and the disk takes its time", async () => {
    const { slack, door, channel } = await start([request]);
    const card = await sent(channel, slack, decision({ ...request, id: "dec-other2222" }));
    const forgotten = JSON.parse(JSON.stringify(card).replaceAll("dec-other2222", request.id)) as Message;
    const look = door.decision;
    let go = () => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    door.decision = async (id) => {
      await waiting;
      return look(id);
    };
    await slack.click(forgotten, "Other…", "U0ANA");
    const view = await until(() => slack.openViews()[0]);
    assert.match(textOf(view.view), /Looking up/);
    go();
    await until(() => slack.openViews()[0]?.view.blocks.some((it: { type: string }) => it.type === "input"));
  });
});

describe("/oj", () => {
  it("lists what waits, and shows a card that can be answered", async () => {
    const { slack, door } = await start([request, decision({ id: "dec-two2222222", urgency: "high" })]);
    await slack.command("", "U0ANA", "C0ELSE");
    const list = await until(() => slack.ephemerals[0]);
    assert.match(textOf(list), /2 decisions wait for you[\s\S]*Which name\?/);
    await slack.click({ channel: "C0ELSE", ts: "9.9", blocks: list.blocks.slice(0, 2) }, "Show", "U0ANA");
    const card = await until(() => slack.ephemerals[1]);
    await slack.click({ channel: "C0ELSE", ts: "9.9", blocks: card.blocks }, "Two", "U0ANA");
    await until(() => door.answers.length === 1);
  });

  it("tells a stranger nothing", async () => {
    const { slack } = await start([request]);
    await slack.command("", "U0EVE");
    const told = await until(() => slack.ephemerals[0]);
    assert.match(textOf(told), /does not know your Slack account/);
    assert.doesNotMatch(JSON.stringify(told), /Which name/);
  });
});

describe("trouble in Slack", () => {
  it("is told: a revoked token, and it is over with a new one", async () => {
    const { slack, channel, files } = await start([decision()]);
    slack.revoke(slack.tokens.bot);
    assert.match((await channel.check()) ?? "", /bot token was revoked .*token_revoked/);
    await assert.rejects(channel.send(outgoing(decision())), { isFinal: true });
    slack.tokens.bot = "xoxb-new";
    files.bot = "xoxb-new";
    assert.equal(await channel.check(), null);
    await channel.send(outgoing(decision()));
  });

  it("passes on for how long Slack wants no more", async () => {
    const { slack, channel } = await start([decision()]);
    slack.limit("chat.postMessage", 4000);
    await assert.rejects(
      channel.send(outgoing(decision())),
      (error: { retryAfterMs: number; isFinal: boolean }) => {
        assert.ok(error.retryAfterMs > 1000 && error.retryAfterMs <= 4000);
        return !error.isFinal;
      },
    );
  });

  it("does not come from us: one message a second, also if they travel at different speeds", async () => {
    const { slack, channel } = await start([decision()], { everyMs: 500 });
    await Promise.all([1, 2, 3].map((at) => channel.send(outgoing(decision(), { key: `k${at}` }))));
    assert.equal(slack.cards().length, 3);
    assert.equal(slack.calls.filter((it) => it.method === "chat.postMessage").length, 3);
  });

  it("is final where nothing will help: an unknown channel", async () => {
    const { channel } = await start([decision()]);
    await assert.rejects(channel.send(outgoing(decision(), { address: "nowhere" })), { isFinal: true });
  });

  it("is no trouble if somebody removed the card", async () => {
    const { slack, channel } = await start([decision()]);
    const { ref } = await channel.send(outgoing(decision()));
    slack.removeAll();
    const settled = answered(decision(), { person: "ben", choices: [[1]] });
    assert.deepEqual(await channel.change?.(outgoing(settled), ref ?? ""), { ref });
  });
});

describe("the Events API", () => {
  async function signedStart() {
    const it = await start([decision()], { settings: SIGNED });
    const card = await sent(it.channel, it.slack, decision());
    const [button] = card.blocks.find((block) => block.type === "actions").elements;
    const payload = {
      type: "block_actions",
      user: { id: "U0ANA" },
      trigger_id: "t",
      channel: { id: card.channel },
      message: { ts: card.ts },
      actions: [button],
    };
    const visit = async ({ body, headers }: { body: string; headers: Record<string, string> }) => {
      const found = it.doors.find("/slack/events");
      assert.ok(found);
      const input = { method: "POST", path: found.path, query: new URLSearchParams(), headers };
      return (await found.visit({ ...input, body: Buffer.from(body) })).status;
    };
    return { ...it, visit, payload };
  }

  it("takes what Slack signed, once", async () => {
    const { slack, door, visit, payload } = await signedStart();
    const request = slack.signed("interactive", payload);
    assert.equal(await visit(request), 200);
    await until(() => door.answers.length === 1);
    assert.equal(await visit(request), 401);
    assert.equal(door.answers.length, 1);
    assert.deepEqual(slack.ephemerals, []);
  });

  it("refuses what is forged, old, early, altered, re-encoded or unsigned, before it is read", async () => {
    const { slack, door, visit, payload } = await signedStart();
    const now = Math.floor(Date.now() / 1000);
    const good = slack.signed("interactive", payload, now - 1);
    const sign = (signature: string) => ({
      ...good,
      headers: { ...good.headers, "x-slack-signature": signature },
    });
    const at = (time: string) => ({
      ...good,
      headers: { ...good.headers, "x-slack-request-timestamp": time },
    });
    const { "x-slack-signature": _, ...unsigned } = good.headers;
    for (const request of [
      sign(`v0=${"0".repeat(64)}`),
      sign(""),
      sign("v1=é"),
      sign(good.headers["x-slack-signature"].toUpperCase()),
      slack.signed("interactive", payload, now - 301),
      slack.signed("interactive", payload, now + 301),
      at(String(now - 2)),
      at("NaN"),
      at(`${now - 1} `),
      { ...good, body: good.body.replaceAll("%20", "+").replaceAll("%22", '"') },
      { ...good, body: `${good.body}&x=1` },
      { ...good, body: "" },
      { ...good, headers: unsigned as never },
    ])
      assert.equal(await visit(request), 401);
    assert.deepEqual(door.answers, []);
    assert.equal(await visit(good), 200);
  });

  it("answers a modal with the acknowledgement", async () => {
    const { slack, visit } = await signedStart();
    const view = {
      id: "V1",
      private_metadata: JSON.stringify({ type: "reason", id: "dec-7k3m9x2p4q" }),
      state: {},
    };
    const payload = { type: "view_submission", user: { id: "U0ANA" }, view };
    assert.equal(await visit(slack.signed("interactive", payload)), 200);
  });
});
