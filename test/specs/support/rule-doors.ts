/** The doors through which people answer a decision under a rule: how each person says something, and what they read back. */
import assert from "node:assert/strict";
import { onTestFinished } from "vitest";
import { fakeMailServer, linksOf, textOf as mailText, replyTo } from "../../fakes/servers/mail.ts";
import { ntfyServer } from "../../fakes/servers/ntfy.ts";
import { pushService } from "../../fakes/servers/push.ts";
import type { PretendedBrowser } from "../../fakes/servers/push-browser.ts";
import { fakeSlack, textOf as slackText } from "../../fakes/servers/slack.ts";
import { telegramServer } from "../../fakes/servers/telegram.ts";
import { visit } from "./http.ts";
import { piped } from "./piped.ts";
import type { Project } from "./project.ts";
import { startOj, until } from "./project.ts";
import type { ReachProject } from "./reach.ts";
import { reachProject } from "./reach.ts";
import { doorOf, enter } from "./web.ts";

export const PEOPLE = ["ana", "ben", "cy", "dee"] as const;
export type Who = (typeof PEOPLE)[number];

/** Two of ana, ben and dee, but not whose work it is; cy may do everything else. */
export const RUNBOOK = {
  ".oj/runbooks/rules.hcl": `
decision_template "ruled" {
  approvers = ["ana", "ben", "dee"]
  min       = 2
  self      = "deny"
  option "ship" {}
  option "stop" { action = "cancel" }
}
`,
};
export const WHO_MAY = /Who may: 2 of ana, ben, dee; not dee, whose work it is; one no is enough/;

export interface RuleDoor {
  /** The route by this name goes to this door alone; decisions are asked in a project of that name. */
  name: string;
  /** Returns what the person can read of it, then and later: messages are rewritten. */
  say(who: Who, id: string, option: "ship" | "stop"): Promise<() => string>;
}

const CHAT = { ana: 101, ben: 102, cy: 103, dee: 104 };
const userOf = (who: Who) => `U0${who.toUpperCase()}`;
const topicOf = (who: Who) => `oj-${who}-7f3k`;
const addressOf = (who: Who) => `${who}@example.com`;

/** A machine whose owner is dee, whose people hear by every channel there is. */
export async function channelDoors(
  env: Record<string, string>,
): Promise<{ project: ReachProject; doors: RuleDoor[] }> {
  const [slack, telegram, ntfy, mail, push] = await Promise.all([
    fakeSlack({ everyMs: 0 }),
    telegramServer(),
    ntfyServer(),
    fakeMailServer(),
    pushService(),
  ]);
  onTestFinished(async () => {
    await Promise.all([slack, telegram, ntfy, mail, push].map((it) => it.close()));
  });
  const route = (name: string, via: string) =>
    `[[route]]\nproject = "${name}"\nnotify = ${JSON.stringify(PEOPLE)}\nvia = ["${via}"]`;
  const config = `
[machine]
owner = "dee"
${PEOPLE.map((who) =>
  [
    `[person.${who}]\nslack = "${userOf(who)}"\ntelegram = "${CHAT[who]}"`,
    `ntfy = "${topicOf(who)}"\nmail = "${addressOf(who)}"`,
  ].join("\n"),
).join("\n")}
[channel.slack]
bot_token_file = "slack-bot"
app_token_file = "slack-app"
api_url = "${slack.apiUrl}"
channel = "C0ROOM"
[channel.telegram]
api_url = "${telegram.url}"
bot_token_file = "telegram-bot"
[channel.ntfy]
url = "${ntfy.url}"
[channel.mail]
smtp     = "${mail.url}"
from     = "Oddjobs <oj@example.com>"
reply_to = "oj+{token}@example.com"
[channel.push]
subject = "mailto:ana@example.com"
${["slack", "telegram", "ntfy", "mail", "push"].map((it) => route(it, it)).join("\n")}
${route("link", "mail")}
`;
  const secrets = {
    "slack-bot": slack.tokens.bot,
    "slack-app": slack.tokens.app,
    "telegram-bot": telegram.token,
  };
  const project = await reachProject(config, secrets, RUNBOOK, { env });
  await project.json("status");
  const phones = new Map<Who, PretendedBrowser>();
  for (const who of PEOPLE) phones.set(who, await phoneOf(project, who, push));

  const mailTo = (who: Who, id: string) =>
    until(
      () => mail.mails.find((it) => it.to.includes(addressOf(who)) && mailText(it).includes(id)),
      `a mail to ${who} about ${id}`,
    );
  const json = { accept: "application/json" };

  const doors: RuleDoor[] = [
    {
      name: "slack",
      async say(who, id, option) {
        const card = await until(() => slack.cards().find((it) => slackText(it).includes(id)), "the card");
        await until(() => slack.connected() > 0);
        const whispers = slack.ephemerals.length;
        await slack.click(card, option, userOf(who));
        return () => {
          const told = slack.ephemerals.slice(whispers).filter((it) => it.user === userOf(who));
          return [card, ...told].map((it) => slackText(it as { blocks: object[] })).join("\n");
        };
      },
    },
    {
      name: "telegram",
      async say(who, id, option) {
        const chat = String(CHAT[who]);
        const message = await until(
          () => telegram.messages.find((it) => it.chat === chat && it.text.includes(id)),
          "the message",
        );
        const button = message.buttons.find((it) => it.text === option) ?? assert.fail(message.text);
        const press = telegram.press(CHAT[who], button.callback_data ?? "", message);
        return () => `${message.text}\n${telegram.alerts.get(press) ?? ""}`;
      },
    },
    {
      name: "ntfy",
      async say(who, id, option) {
        const { title } = await project.show(id);
        const message = await until(
          () => ntfy.published.find((it) => it.topic === topicOf(who) && JSON.stringify(it).includes(title)),
          `the message on ntfy to ${who}`,
        );
        const { url, method = "POST" } =
          message.actions.find((it) => it.label === option) ?? assert.fail(JSON.stringify(message));
        const { text } = await visit(url, { method, headers: json });
        return () => text;
      },
    },
    {
      name: "push",
      async say(who, id, option) {
        const shown = await until(() => phones.get(who)?.shown.find((it) => it.decision === id), "the push");
        const { path } = shown.actions.find((it) => it.title === option) ?? assert.fail(shown.body);
        const { origin } = doorOf(project);
        const { text } = await visit(`${origin}${path}`, { method: "POST", headers: { ...json, origin } });
        return () => text;
      },
    },
    {
      name: "link",
      async say(who, id, option) {
        const [ship = "", stop = ""] = linksOf(await mailTo(who, id));
        const to = option === "ship" ? ship : stop;
        assert.equal((await visit(to)).status, 200);
        const { text } = await visit(to, { method: "POST", headers: { accept: "text/html" }, form: {} });
        return () => text;
      },
    },
    {
      name: "mail",
      async say(who, id, option) {
        const asked = await mailTo(who, id);
        const { title } = await project.show(id);
        const got = () =>
          mail.mails.filter((it) => it.to.includes(addressOf(who)) && mailText(it).includes(title));
        const before = got().length;
        const from = { "Return-Path": `<${addressOf(who)}>`, From: addressOf(who) };
        const raw = replyTo(asked, option === "ship" ? "1" : "2", from);
        const { code, stderr } = await piped(project, raw, "mail", "receive");
        assert.equal(code, 0, stderr);
        return () => got().slice(before).map(mailText).join("\n");
      },
    },
  ];
  return { project, doors };
}

/** A browser that this person is logged in with, and that has notices on. */
export async function phoneOf(
  project: Project,
  who: string,
  service: Awaited<ReturnType<typeof pushService>>,
): Promise<PretendedBrowser> {
  const env = { ...project.env, OJ_USER: who };
  const { stdout } = await startOj(["web", "-o", "json"], project.dir, env).ended;
  const { url } = JSON.parse(stdout) as { url: string };
  const door = doorOf(project);
  const reply = await enter(door, new URLSearchParams(new URL(url).hash.slice(1)).get("login") ?? "");
  const cookie = String(reply.headers["set-cookie"]?.[0]).split(";")[0] ?? "";
  const { key } = JSON.parse(reply.text) as { key: string };
  const headers = { origin: door.origin, cookie, "x-oj-web-key": key, "sec-fetch-site": "same-origin" };
  const status = await door.ask("GET", "/api/push/subscriptions", { headers });
  const phone = service.browser((JSON.parse(status.text) as { public_key: string }).public_key);
  const body = JSON.stringify({ endpoint: phone.endpoint, keys: phone.keys });
  const typed = { ...headers, "content-type": "application/json" };
  const joined = await door.ask("POST", "/api/push/subscriptions", { headers: typed, body });
  assert.equal(joined.status, 200, joined.text);
  return phone;
}
