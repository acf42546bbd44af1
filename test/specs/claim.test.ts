/** "I'm on it" from every surface that can say it: each message then says who is, and strangers are refused. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { fakeMailServer, linksOf, textOf as mailText } from "../fakes/servers/mail.ts";
import { ntfyServer } from "../fakes/servers/ntfy.ts";
import { buttonsOf, fakeSlack, textOf as slackText } from "../fakes/servers/slack.ts";
import type { Message as TelegramMessage } from "../fakes/servers/telegram.ts";
import { telegramServer } from "../fakes/servers/telegram.ts";
import { call, visit } from "./support/http.ts";
import { reachProject } from "./support/reach.ts";

const [ANA, BEN, STRANGER] = [11, 22, 33];
const ON_IT = "I'm on it";

/** What Telegram sends back when the button is pressed. */
function dataOf(message: TelegramMessage | undefined): string {
  return message?.buttons.find((it) => it.text === ON_IT)?.callback_data ?? "";
}

async function start() {
  const slack = await fakeSlack({ everyMs: 1 });
  const telegram = await telegramServer();
  const ntfy = await ntfyServer();
  const mail = await fakeMailServer();
  for (const it of [slack, telegram, ntfy, mail]) onTestFinished(() => it.close());
  const person = (name: string, number: number) => `
[person.${name}]
slack = "U0${name.toUpperCase()}"
telegram = "${number}"
ntfy = "topic-${name}"
mail = "${name}@example.com"
`;
  const config = `${person("ana", ANA)}${person("ben", BEN)}${person("mallory", 44)}
[channel.slack]
bot_token_file = "bot"
app_token_file = "app"
api_url = "${slack.apiUrl}"
channel = "C0ROOM"
[channel.telegram]
api_url = "${telegram.url}"
bot_token_file = "telegram"
[channel.ntfy]
url = "${ntfy.url}"
[channel.mail]
smtp = "${mail.url}"
from = "Oddjobs <oj@example.com>"
[[route]]
notify = ["ana", "ben"]
via = ["slack", "telegram", "ntfy", "mail"]
`;
  const secrets = { bot: slack.tokens.bot, app: slack.tokens.app, telegram: telegram.token };
  const project = await reachProject(config, secrets);
  const { until } = project;

  /** What ben sees of it, by channel: the messages that ask, as they are now, and the mails that came. */
  const seen = (title: string) => ({
    slack: slack.cards().filter((it) => slackText(it).includes(title)),
    telegram: telegram.messages.filter((it) => it.chat === String(BEN) && it.text.includes(title)),
    ntfy: ntfy.shown("topic-ben").filter((it) => it.title.includes(title)),
    mail: mail.mails.filter((it) => it.to[0] === "ben@example.com" && mailText(it).includes(title)),
  });
  /** Where ana answers by a message of her own. */
  const hasAna = (title: string) =>
    ntfy.shown("topic-ana").some((it) => it.title.includes(title)) &&
    mail.mails.some((it) => it.to[0] === "ana@example.com" && mailText(it).includes(title));
  const texts = (title: string) => {
    const { slack, telegram, ntfy, mail } = seen(title);
    return {
      slack: slack.map(slackText),
      telegram: telegram.map((it) => it.text),
      ntfy: ntfy.map((it) => it.message),
      mail: mail.map(mailText),
    };
  };

  return {
    project,
    servers: { slack, telegram, ntfy, mail },
    seen,
    async ask(title: string): Promise<string> {
      const id = await project.ask(title);
      await until(
        () =>
          slack.connected() > 0 && hasAna(title) && Object.values(seen(title)).every((it) => it.length > 0),
        "every channel has it",
      );
      return id;
    },
    /** Waits until the message on every channel says who is on it; by mail, that so often. */
    claimed(title: string, by: string, times = 1): Promise<unknown> {
      const says = new RegExp(`${by} is on it`);
      const isSaid = () => {
        const { mail, ...others } = texts(title);
        const isShown = Object.values(others).every((it) => says.test(it.join("\n")));
        return isShown && mail.filter((it) => says.test(it)).length === times;
      };
      return until(isSaid, `"${by} is on it" on every channel: ${JSON.stringify(texts(title))}`);
    },
    /** Waits until every message that can be rewritten offers it again. */
    offered(title: string): Promise<unknown> {
      return until(() => {
        const { slack, telegram, ntfy } = seen(title);
        return (
          slack.every((it) => buttonsOf(it).includes(ON_IT)) &&
          telegram.every((it) => it.buttons.some(({ text }) => text === ON_IT)) &&
          ntfy.every((it) => it.actions.some(({ label }) => label === ON_IT))
        );
      }, "everybody is asked again");
    },
  };
}

describe("I'm on it", () => {
  it("is said on any surface, and shown on all of them", async () => {
    const { project, servers, seen, ask, claimed, offered } = await start();
    const { slack, telegram, ntfy, mail } = servers;
    const title = "Ship it?";
    const id = await ask(title);
    const run = async (...args: string[]) => assert.equal((await project.run("decision", ...args)).code, 0);
    const surfaces: Record<string, () => unknown> = {
      slack: () => slack.click(seen(title).slack[0] as never, ON_IT, "U0ANA"),
      telegram: () => telegram.press(ANA, dataOf(seen(title).telegram[0])),
      ntfy: async () => {
        const theirs = ntfy.shown("topic-ana").find((it) => it.title.includes(title));
        assert.ok(theirs);
        assert.equal(await ntfy.tap(theirs, ON_IT), 200);
      },
      mail: async () => {
        const theirs = mail.mails.find((it) => it.to[0] === "ana@example.com");
        const url = /I'm on it: (\S+)/.exec(theirs ? mailText(theirs) : "")?.[1] ?? "";
        const page = (await visit(url)).text;
        assert.equal((await project.show(id)).claimed, null, "looking changes nothing");
        const [, action = ""] = /action="([^"]+)"><button type="submit">I&#39;m on it/.exec(page) ?? [];
        const reply = await visit(new URL(action, url), { method: "POST", headers: { accept: "text/html" } });
        assert.equal(reply.status, 200);
        assert.match(reply.text, /You are on it/);
      },
      cli: () => run("claim", id),
      web: async () => {
        const headers = { "x-oj-user": "ana" };
        assert.equal(
          (await call(project, "POST", `/decisions/${id}/claim`, { body: {}, headers })).status,
          200,
        );
      },
    };
    let times = 0;
    for (const [name, claim] of Object.entries(surfaces)) {
      if (times > 0) await run("release", id);
      await offered(title);
      await claim();
      const { by } = await project.until(async () => (await project.show(id)).claimed, name);
      assert.equal(by, "ana", name);
      await claimed(title, by, ++times);
    }
  });

  also("is refused for strangers, for whom it is not, and while somebody else is", async () => {
    const { project, servers, seen, ask, claimed } = await start();
    const { slack, telegram } = servers;
    const id = await ask("Ship it?");
    const [message] = seen("Ship it?").telegram;
    const data = dataOf(message);
    const alert = async (from: number) => {
      const press = telegram.press(from, data);
      return project.until(() => telegram.alerts.get(press));
    };
    assert.match(await alert(STRANGER), /not in the list/);
    assert.match(await alert(44), /for ana, ben/);
    await slack.click(seen("Ship it?").slack[0] as never, ON_IT, "U0MALLORY");
    assert.equal((await project.show(id)).claimed, null);
    telegram.press(ANA, data);
    await claimed("Ship it?", "ana");
    assert.match(await alert(BEN), /ana is on dec-/);
    const [card] = seen("Ship it?").slack;
    assert.ok(card && !buttonsOf(card).includes(ON_IT));
    const [first] = seen("Ship it?").mail;
    assert.ok(first && linksOf(first).length > 0);
  });
});
