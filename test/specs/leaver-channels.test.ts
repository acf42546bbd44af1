/**
 * Somebody who left, on every channel on which people answer: each way that the messages there offered is gone again
 * after it was shut, and once more after the daemon was killed, and after somebody else has the name.
 */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { ntfyServer } from "../fakes/servers/ntfy.ts";
import { pushService } from "../fakes/servers/push.ts";
import { fakeSlack, textOf } from "../fakes/servers/slack.ts";
import { telegramServer } from "../fakes/servers/telegram.ts";
import type { Chat, Way, Who } from "./support/chats.ts";
import {
  CHATS,
  ntfyChat,
  openModals,
  pushChat,
  SLACK_IDS,
  slackChat,
  TOPICS,
  telegramChat,
} from "./support/chats.ts";
import { call, killDaemon, question } from "./support/http.ts";
import { reachProject } from "./support/reach.ts";
import { phoneOf } from "./support/rule-doors.ts";

const RUNBOOK = `
decision_template "two" {
  approvers = ["ana", "ben", "cy"]
  min       = 2
  option "ship" {}
  option "stop" { action = "cancel" }
}
escalation "prod" {
  level {
    notify = ["@primary"]
    via    = ["ntfy"]
    next   = "15s"
  }
  level {
    notify = ["ben"]
    via    = ["ntfy"]
  }
  claim_for = "5h"
}
`;

interface Shown {
  state: string;
  answer: { by: string; via: string; labels: string[] } | null;
  claimed: { by: string } | null;
  said?: { who: string }[];
  notices: { channel: string; to: string; state: string; error: string | null }[];
  not_notified: string | null;
}

/** Each channel has a project of its own, in which it alone is used. */
async function world({ room = null }: { room?: string | null } = {}) {
  const [slack, telegram, ntfy, push] = await Promise.all([
    fakeSlack(),
    telegramServer(),
    ntfyServer(),
    pushService(),
  ]);
  onTestFinished(async () => void (await Promise.all([slack, telegram, ntfy, push].map((it) => it.close()))));
  const person = (who: Who) =>
    `[person.${who}]\nslack = "${SLACK_IDS[who]}"\ntelegram = "${CHATS[who]}"\nntfy = "${TOPICS[who]}"\n`;
  const route = (via: string) => `[[route]]\nproject = "${via}"\nnotify = ["ana", "ben"]\nvia = ["${via}"]\n`;
  const config = `${person("ana")}${person("ben")}
[rota.primary]
people = ["ana", "ben"]
turn   = "999w"
from   = "2020-01-06 09:00 Europe/Berlin"
[channel.slack]
bot_token_file = "bot"
app_token_file = "app"
api_url = "${slack.apiUrl}"
${room === null ? "" : `channel = "${room}"`}
[channel.telegram]
api_url = "${telegram.url}"
bot_token_file = "telegram"
[channel.ntfy]
url = "${ntfy.url}"
[channel.push]
subject = "mailto:ana@example.com"
${["slack", "telegram", "ntfy", "push"].map(route).join("")}`;
  const secrets = { bot: slack.tokens.bot, app: slack.tokens.app, telegram: telegram.token };
  const files = { ".oj/runbooks/chain.hcl": RUNBOOK };
  const project = await reachProject(config, secrets, files, { env: { OJ_USER: "chief" } });
  await project.run("daemon", "start");

  const titles = new Map<string, string>();
  async function ask(chat: string, more: object = {}): Promise<string> {
    const title = `Ship ${chat} ${titles.size + 1}?`;
    const body = { ...question(project, title), project: chat, as: title, ...more };
    const reply = await call(project, "POST", "/decisions", { body });
    assert.equal(reply.status, 200, reply.text);
    const { id } = reply.json<{ id: string }>();
    titles.set(id, title);
    return id;
  }
  const show = async (id: string) => (await call(project, "GET", `/decisions/${id}`)).json<Shown>();
  return { project, slack, telegram, ntfy, push, ask, show, titleOf: (id: string) => titles.get(id) ?? "" };
}

/** More than a message of Telegram or of a browser shows, so that there is a link to all of it. */
const LONG = { context: "because ".repeat(800) };

describe("a person who is removed", () => {
  it("answers on no channel what it offered before, and hears nothing more there", async () => {
    const { project, slack, telegram, ntfy, push, ask, show, titleOf } = await world();
    const phones = { ana: await phoneOf(project, "ana", push), ben: await phoneOf(project, "ben", push) };
    const chats: Chat[] = [
      slackChat(project, slack),
      telegramChat(project, telegram),
      ntfyChat(project, ntfy, titleOf),
      pushChat(project, phones),
    ];
    const becomes = (id: string, isSo: (it: Shown) => unknown, what: string) =>
      project.until(async () => isSo(await show(id)), what);

    /** She can: says that she is on it, where that is offered, and answers. */
    async function can(chat: Chat, name: string): Promise<void> {
      const id = await ask(chat.name);
      const { "I'm on it": claim, [name]: answer = assert.fail(name) } = await chat.ways("ana", id);
      if (claim) {
        await claim();
        await becomes(id, (it) => it.claimed?.by === "ana", `${chat.name}: on it`);
        if (chat.name === "slack") await hasOwnPages(chat, id);
      }
      await answer();
      await becomes(
        id,
        (it) => it.answer?.by === "ana" && it.answer.via === chat.name,
        `${chat.name}: ${name}`,
      );
    }
    /** Also once the messages were rewritten: the link in each answers in the name of whoever got it. */
    async function hasOwnPages(chat: Chat, id: string): Promise<void> {
      const cards = () => slack.cards().filter((it) => textOf(it).includes(id));
      const saySo = () => cards().length === 2 && cards().every((it) => /ana is on it/.test(textOf(it)));
      await project.until(saySo, "both cards say who is on it");
      for (const who of ["ana", "ben"] as const) {
        const { "look at the page": look = assert.fail("no page") } = await chat.ways(who, id);
        assert.match((await look())(), new RegExp(`^200 .*asks ${who}`, "s"));
      }
    }
    const ANSWERS: Record<string, string[]> = {
      slack: ["yes", "Other…"],
      telegram: ["a reply in words"],
      ntfy: ["no", "page"],
      push: ["yes"],
    };
    await Promise.all(
      chats.map(async (chat) => {
        for (const name of ANSWERS[chat.name] ?? []) await can(chat, name);
      }),
    );

    // what she is offered for decisions that wait, and what she began
    const waiting = await Promise.all(
      chats.map(async (chat) => {
        const ids = [
          await ask(chat.name),
          ...(/telegram|push/.test(chat.name) ? [await ask(chat.name, LONG)] : []),
        ];
        const anas = await Promise.all(ids.map((id) => chat.ways("ana", id)));
        const bens = await Promise.all(ids.map((id) => chat.ways("ben", id)));
        return { chat, ids, anas: anas.flatMap((it) => Object.entries(it)), bens };
      }),
    );
    const [slacks] = waiting;
    slacks?.anas.push(["a modal from before", await openModals(slack, "ana", slacks.ids[0] ?? "")]);
    const pages = waiting.flatMap(({ anas }) => anas.filter(([name]) => /^look/.test(name)));
    assert.ok(pages.length >= 5, String(pages.length));
    for (const [name, look] of pages) assert.match((await look())(), /^200 /, name);

    // of two yeses hers is one; and the clock of her turn stands still while she is on it
    const vote = await ask("telegram", { template: "two", options: [] });
    await (await telegramChat(project, telegram).ways("ana", vote)).ship?.();
    await becomes(vote, (it) => it.said?.some(({ who }) => who === "ana"), "her yes");
    const chain = await ask("elsewhere", { escalation: "prod" });
    await (await ntfyChat(project, ntfy, titleOf).ways("ana", chain))["I'm on it"]?.();
    await becomes(chain, (it) => it.claimed?.by === "ana", "her claim");

    const removed = await project.json<{ votes: string[]; claims: string[] }>("person", "remove", "ana");
    assert.deepEqual([removed.votes, removed.claims], [[vote], [chain]]);
    assert.deepEqual([(await show(vote)).said ?? [], (await show(chain)).claimed], [[], null]);
    const sent = () =>
      waiting.flatMap(({ chat, ids }) => ids.map((id) => `${chat.name}: ${chat.sent("ana", id)}`));
    const before = sent();
    assert.deepEqual(
      before,
      before.map((it) => it.replace(/\d+$/, "1")),
    );

    const shut = async (when: string) => {
      for (const { chat, ids, anas } of waiting) {
        for (const [name, way] of anas) await isRefused(way, chat, `${chat.name}, ${when}: ${name}`);
        for (const id of ids) {
          const { state, claimed, answer } = await show(id);
          assert.deepEqual([state, claimed, answer], ["pending", null, null], `${chat.name}, ${when}`);
        }
      }
      assert.deepEqual(sent(), before, when);
      assert.deepEqual(slack.late, []);
    };
    async function isRefused(way: Way, { refuses }: Chat, what: string): Promise<void> {
      const read = await way();
      const told = await project.until(() => read() || null, what);
      assert.match(told, refuses, what);
      assert.doesNotMatch(told, /recorded|taken|Thank you|answered at/, what);
    }
    /** Something new goes to ben alone. */
    const anew = async (when: string) => {
      for (const chat of chats) {
        const id = await ask(chat.name);
        await chat.ways("ben", id);
        await becomes(id, (it) => it.notices.length > 0, `${chat.name}, ${when}`);
        assert.deepEqual(
          (await show(id)).notices.map((it) => it.to),
          ["ben"],
        );
        assert.equal(chat.sent("ana", id), 0, `${chat.name}, ${when}`);
        assert.ok(chat.sent("ben", id) > 0, `${chat.name}, ${when}`);
      }
    };

    await shut("after");
    await anew("after");
    // her turn came to an end with her claim
    await project.until(
      () => ntfy.published.some((it) => it.topic === TOPICS.ben && it.title.includes(titleOf(chain))),
      "the next level",
    );
    await killDaemon(project);
    await project.json("status");
    await shut("after a restart");
    // a turn of hers is passed over at once
    const next = await ask("elsewhere", { escalation: "prod" });
    await ntfyChat(project, ntfy, titleOf).ways("ben", next);
    assert.deepEqual(
      (await show(next)).notices.map((it) => it.to),
      ["ben"],
    );
    await project.json("invite", "ana");
    await project.json("role", "grant", "ana", "approver");
    await shut("after somebody else was invited under the name");
    await anew("after somebody else was invited under the name");

    // ben answers what both were asked, by what he was offered then; she isn't told of it
    for (const { chat, ids, bens } of waiting)
      for (const [at, id] of ids.entries()) {
        const { yes, "look at the page": look, page = yes ?? bens[at]?.["I'm on it"] } = bens[at] ?? {};
        if (look) assert.match((await look())(), /^200 .*asks ben/s, `${chat.name}: ben's own page`);
        await page?.();
        await becomes(id, (it) => it.answer?.by === "ben" || it.claimed?.by === "ben", `${chat.name}: ben`);
      }
    await (await telegramChat(project, telegram).ways("ben", vote)).ship?.();
    await becomes(vote, (it) => it.said?.length === 1, "ben's yes, which is not enough");
    assert.equal((await show(vote)).state, "pending");
    for (const { chat, ids } of waiting)
      for (const id of ids)
        await becomes(
          id,
          (it) =>
            it.notices.every(({ to, state, error }) =>
              to === "ana" ? /left/.test(error ?? "") : state === "changed",
            ),
          `${chat.name}: what ben was sent says it, what ana was sent stays`,
        );
    assert.deepEqual(sent(), before);
  });

  also("answers nothing in a room that all share, where the card stays for the others", async () => {
    const { project, slack, ask, show } = await world({ room: "C0ROOM" });
    const chat = slackChat(project, slack, "C0ROOM");
    const first = await ask("slack");
    await (await chat.ways("ana", first))["Other…"]?.();
    await project.until(async () => (await show(first)).answer?.by === "ana", "her words");
    const id = await ask("slack");
    const anas = Object.entries(await chat.ways("ana", id));
    anas.push(["a modal from before", await openModals(slack, "ana", id)]);
    const [card] = slack.cards("C0ROOM").slice(-1);
    await project.json("person", "remove", "ana");
    const shut = async (when: string) => {
      for (const [name, way] of anas) {
        const read = await way();
        assert.match(await project.until(() => read() || null, name), chat.refuses, `${when}: ${name}`);
      }
      const { state, claimed } = await show(id);
      assert.deepEqual([state, claimed], ["pending", null], when);
    };
    await shut("after");
    await killDaemon(project);
    await project.json("status");
    await shut("after a restart");
    await project.json("invite", "ana");
    await shut("after somebody else was invited under the name");

    const next = await ask("slack");
    const anew = await project.until(() => slack.cards("C0ROOM").find((it) => textOf(it).includes(next)));
    assert.match(textOf(anew), /For ben ·/);
    await (await chat.ways("ben", id))["With a reason…"]?.();
    await project.until(async () => (await show(id)).answer?.by === "ben", "ben's answer");
    await project.until(() => card && /ben answered at/.test(textOf(card)), "the card that says so");
  });
});
