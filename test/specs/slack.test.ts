/** Slack through the real daemon, against the fake of Slack: asked, answered there, rewritten, refused, revoked. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import type { FakeSlack, FakeSlackGiven, Message } from "../fakes/servers/slack.ts";
import { buttonsOf, fakeSlack, textOf } from "../fakes/servers/slack.ts";
import { until } from "./support/project.ts";
import type { ReachProject } from "./support/reach.ts";
import { reachProject } from "./support/reach.ts";

const PEOPLE = `
[person.ana]
slack = "U0ANA"
[person.ben]
slack = "U0BEN"
[person.carla]
slack = "U0CARLA"
`;

interface Given extends FakeSlackGiven {
  settings?: string;
  notify?: string;
  files?: Record<string, string>;
}

async function start(given: Given = {}): Promise<{ slack: FakeSlack; project: ReachProject }> {
  const slack = await fakeSlack(given);
  onTestFinished(() => slack.close());
  const { settings = `app_token_file = "app"\nchannel = "C0ROOM"`, notify = `["ana", "ben"]` } = given;
  const config = `${PEOPLE}
[channel.slack]
bot_token_file = "bot"
api_url = "${slack.apiUrl}"
${settings}
[[route]]
notify = ${notify}
via = ["slack"]
`;
  const secrets = { bot: `${slack.tokens.bot}\n`, app: slack.tokens.app, signing: "shh" };
  const project = await reachProject(config, secrets, given.files);
  return { slack, project };
}

const cardOf = (slack: FakeSlack, title: string) =>
  until(() => slack.cards().find((it) => textOf(it).includes(title)), `a card about ${title}`);

describe("slack", () => {
  it("asks in the room, takes the answer of whom it is for, and says that it arrived", async () => {
    const { slack, project } = await start();
    const waiting = project.start(
      "decision",
      "request",
      "--prompt",
      "Ship it?",
      "--option",
      "Yes",
      "--option",
      "No",
      "--wait",
    );
    const card = await cardOf(slack, "Ship it?");
    assert.match(textOf(card), /For ana, ben/);
    assert.deepEqual(buttonsOf(card), ["Yes", "No", "Other…", "With a reason…", "I'm on it", "Open"]);
    await until(() => slack.connected() > 0);

    await slack.click(card, "Yes", "U0CARLA");
    await slack.click(card, "Yes", "U0EVE");
    await until(() => slack.ephemerals.length === 2);
    for (const it of slack.ephemerals) assert.match(textOf(it), /This one is for ana, ben\./);

    await slack.click(card, "No", "U0BEN");
    const { stdout, code } = await waiting.ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /No/);
    await until(() => /ben answered at .*: No/.test(textOf(card)) && /acknowledged/.test(textOf(card)));
    assert.deepEqual(buttonsOf(card), []);
    await until(() => slack.thread(card).some((it) => /ben answered/.test(textOf(it))));
    assert.deepEqual(slack.late, []);
  });

  it("rewrites the card when somebody answers elsewhere, and tells whoever clicks after that", async () => {
    const { slack, project } = await start();
    const id = await project.ask("Delete the branch?");
    const card = await cardOf(slack, "Delete the branch?");
    const old = structuredClone(card);
    await project.told(id, "slack");
    await project.run("decision", "resolve", id, "1");
    await until(() => buttonsOf(card).length === 0);
    assert.match(textOf(card), /ana answered at .*: Yes/);
    await until(() => slack.connected() > 0);
    await slack.click(old, "No", "U0BEN");
    const told = await until(() => slack.ephemerals[0]);
    assert.match(textOf(told), /ana answered/);
  });

  also("gives a doubled card back its meaning when a response was lost", async () => {
    const { slack, project } = await start({ everyMs: 0 });
    slack.dropNext("chat.postMessage");
    const id = await project.ask("Twice?");
    await project.told(id, "slack");
    const cards = slack.cards().filter((it) => textOf(it).includes("Twice?")) as [Message, Message];
    assert.equal(cards.length, 2);
    await until(() => slack.connected() > 0);
    await slack.click(cards[0], "Yes", "U0ANA");
    await until(() => cards.every((it) => buttonsOf(it).length === 0));
    assert.equal((await project.show(id)).answer?.via, "slack");
  });

  also("takes own words in a modal, in a direct message", async () => {
    const { slack, project } = await start({ settings: `app_token_file = "app"`, notify: `["ana"]` });
    const id = await project.ask("Which name?");
    const card = await cardOf(slack, "Which name?");
    assert.equal(card.channel, "D0ANA");
    await until(() => slack.connected() > 0);
    await slack.click(card, "Other…", "U0ANA");
    const view = await until(() => slack.openViews()[0]);
    await slack.submit(view, { words: "Call it oddjobs" });
    await until(async () => (await project.show(id)).state === "resolved");
    await until(() => /ana answered at .*: Call it oddjobs/.test(textOf(card)));
  });

  also("hears clicks over the Events API, signed", async () => {
    const { slack, project } = await start({
      settings: `signing_secret_file = "signing"\nchannel = "C0ROOM"`,
    });
    const id = await project.ask("By HTTPS?");
    const card = await cardOf(slack, "By HTTPS?");
    await project.told(id, "slack");
    const { port } = await project.json<{ port: number }>("daemon", "status");
    const address = `http://127.0.0.1:${port}/slack/events`;
    const forged = await fetch(address, { method: "POST", body: "payload=%7B%7D" });
    assert.equal(forged.status, 401);
    slack.sendEventsTo(address);
    await slack.click(card, "Yes", "U0ANA");
    await until(async () => (await project.show(id)).answer?.by === "ana");
  });

  it("lives on with a revoked token, says so, and recovers with a new one", async () => {
    const { slack, project } = await start();
    await project.ask("Before?");
    await cardOf(slack, "Before?");
    await until(() => slack.connected() > 0);
    slack.revoke(slack.tokens.bot);
    const id = await project.ask("Without a token?");
    await until(async () => /revoked/.test((await project.show(id)).notices[0]?.error ?? ""));
    const { stdout } = await project.run("channel", "list");
    assert.match(stdout, /slack: Slack: the bot token was revoked or is wrong \(token_revoked\)/);
    slack.tokens.bot = "xoxb-new";
    fs.writeFileSync(path.join(project.home, ".config/oj/bot"), "xoxb-new", { mode: 0o600 });
    await project.ask("After?");
    await cardOf(slack, "After?");
  });
});
