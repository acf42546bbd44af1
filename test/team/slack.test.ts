/** Slack with two machines that share a log: it hands what people click to the one that did not ask. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import type { FakeSlack, Message } from "../fakes/servers/slack.ts";
import { buttonsOf, fakeSlack, textOf } from "../fakes/servers/slack.ts";
import type { ReachProject } from "../specs/support/reach.ts";
import { reachProject } from "../specs/support/reach.ts";
import { doorOf } from "../specs/support/web.ts";
import { approval, sharedServer, up, whyNot } from "./support.ts";

const server = sharedServer();

/** Where the buttons of a message lead, at every moment of its life. */
type Urls = Map<string, Set<string>>;

async function team(): Promise<{ slack: FakeSlack; urls: Urls; join(name: string): Promise<ReachProject> }> {
  const urls: Urls = new Map();
  const wrote = ({ ts, blocks }: Message) => {
    const found = [...JSON.stringify(blocks).matchAll(/"url":"(http:\/\/[^/"]+)/g)].map(([, it = ""]) => it);
    urls.set(ts, new Set([...(urls.get(ts) ?? []), ...found]));
  };
  const slack = await fakeSlack({ everyMs: 0, wrote });
  onTestFinished(() => slack.close());
  const url = await server().database();
  const config = `
[person.ana]
slack = "U0ANA"
[person.ben]
slack = "U0BEN"
[channel.slack]
bot_token_file = "bot"
app_token_file = "app"
api_url = "${slack.apiUrl}"
[[route]]
notify = ["ana", "ben"]
via = ["slack"]
`;
  return {
    slack,
    urls,
    async join(name) {
      const before = slack.connected();
      const secrets = { bot: slack.tokens.bot, app: slack.tokens.app };
      const env = { OJ_STORE_URL: url, OJ_MACHINE: name };
      const project = await reachProject(config, secrets, {}, { env });
      await up(project);
      await project.until(() => slack.connected() > before, `${name} listens`);
      return project;
    },
  };
}

const about = (slack: FakeSlack, id: string, channel?: string) =>
  slack.cards(channel).filter((it) => textOf(it).includes(id));
const cardOf = (project: ReachProject, slack: FakeSlack, id: string, channel: string) =>
  project.until(() => about(slack, id, channel)[0], `the card of ${id}`);

describe.skipIf(whyNot !== null)("Slack with two machines", () => {
  it("has one card for each person, also of a machine that has just joined", async () => {
    const { slack, join } = await team();
    const bellows = await join("bellows");
    const anvil = await join("anvil"); // and bellows looks who is there every five seconds
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await anvil.ask(`Number ${n}?`));
    for (const id of ids) await anvil.told(id, "slack");
    await bellows.until(async () => (await bellows.json<object[]>("decision", "list")).length === 3);
    const last = await bellows.ask("Of bellows?"); // by then, bellows has done what it took for its own
    await bellows.told(last, "slack");
    for (const id of [...ids, last]) assert.equal(about(slack, id).length, 2, id);
  });

  it("leaves a card to the machine that sent it, whoever hears the click, and its link", async () => {
    const { slack, urls, join } = await team();
    const bellows = await join("bellows"); // was there first, so that Slack hands it every click
    const anvil = await join("anvil");
    const id = await anvil.ask("Ship it?");
    const cards = [await cardOf(anvil, slack, id, "D0ANA"), await cardOf(anvil, slack, id, "D0BEN")] as const;
    await anvil.told(id, "slack");
    const isKnown = async () =>
      (await bellows.show(id).catch(() => null))?.notices.every((it) => it.state === "sent");
    await bellows.until(isKnown, "what anvil sent");
    await slack.click(cards[0], "I'm on it", "U0ANA");
    await anvil.until(() => cards.every((it) => /ana is on it/.test(textOf(it))), "cards that say so");
    await slack.click(cards[1], "No", "U0BEN");
    await anvil.until(() => cards.every((it) => /ben answered/.test(textOf(it))), "cards that say so");
    assert.equal((await anvil.show(id)).answer?.by, "ben");
    const { origin } = doorOf(anvil);
    assert.notEqual(origin, doorOf(bellows).origin);
    for (const { ts } of cards) assert.deepEqual([...(urls.get(ts) ?? [])], [origin]);
    assert.equal(about(slack, id).length, 2);
  });

  it("says where a call can be remembered: on the machine where it was asked", async () => {
    const { slack, join } = await team();
    const bellows = await join("bellows");
    const anvil = await join("anvil");
    const id = await approval(anvil);
    const card = await cardOf(anvil, slack, id, "D0ANA");
    await bellows.until(async () => (await bellows.run("decision", "show", id)).code === 0, "it on bellows");
    assert.ok(buttonsOf(card).includes("Remember…"));
    await slack.click(card, "Remember…", "U0ANA");
    const view = await anvil.until(
      () => slack.openViews().find((it) => /asked on/.test(JSON.stringify(it.view))),
      "the modal",
    );
    assert.match(
      textOf({ blocks: view.view.blocks }),
      new RegExp(`asked on anvil, and only anvil can remember it \\(oj policy remember ${id}\\)`),
    );
    const { stdout } = await bellows.run("policy", "remember", id);
    assert.match(stdout, /only anvil can remember it/);
    assert.equal((await anvil.run("policy", "remember", id)).code, 0);
    assert.equal((await anvil.run("decision", "resolve", id, "1")).code, 0);
  });
});
