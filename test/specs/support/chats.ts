/**
 * Channels on which people answer, as each of them meets the messages there: every way that a message offers, to be gone
 * whenever, and as often as, a test wants.
 */

import type { NtfyServer } from "../../fakes/servers/ntfy.ts";
import type { PretendedBrowser } from "../../fakes/servers/push-browser.ts";
import type { FakeSlack } from "../../fakes/servers/slack.ts";
import { buttonsOf, textOf } from "../../fakes/servers/slack.ts";
import type { TelegramServer } from "../../fakes/servers/telegram.ts";
import { visit } from "./http.ts";
import type { Project } from "./project.ts";
import { until } from "./project.ts";
import { doorOf } from "./web.ts";

/** Does it; then says what the person has been told of it by now, "" at first. */
export type Way = () => Promise<() => string>;

export interface Chat {
  name: string;
  /** Every way of answering, or of saying that they are on it, in the newest message to them about this decision. */
  ways(who: Who, id: string): Promise<Record<string, Way>>;
  /** How many messages about this decision went to them, or were rewritten. */
  sent(who: Who, id: string): number;
  /** What somebody is told who is nobody there. */
  refuses: RegExp;
}

export type Who = "ana" | "ben";

export const SLACK_IDS = { ana: "U0ANA", ben: "U0BEN" };
export const CHATS = { ana: 101, ben: 102 };
export const TOPICS = { ana: "oj-ana-7f3k", ben: "oj-ben-7f3k" };

const NOWHERE = /^404 .*This link leads nowhere/s;

/** A page's buttons, and looking at it; at the port that the daemon has by then. */
function page(project: Project, url: string, method: "GET" | "POST", accept = "text/html"): Way {
  return async () => {
    const { pathname } = new URL(url);
    const { origin } = doorOf(project);
    const form = method === "POST" ? { form: { choice: "1", words: "" } } : {};
    const { status, text } = await visit(`${origin}${pathname}`, {
      method,
      headers: { accept, origin },
      ...form,
    });
    return () => `${status} ${text}`;
  };
}

export function slackChat(project: Project, slack: FakeSlack, room: string | null = null): Chat {
  const placeOf = (who: Who) => room ?? SLACK_IDS[who].replace(/^U/, "D");
  const viewOf = (user: string, before: readonly string[]) =>
    slack.openViews().find((it) => it.user === user && !before.includes(it.id));
  return {
    name: "slack",
    refuses: /This one is for ben\.|oj does not know your Slack account|^404 /,
    async ways(who, id) {
      const user = SLACK_IDS[who];
      const card = structuredClone(
        await until(
          () =>
            slack.cards(placeOf(who)).findLast((it) => textOf(it).includes(id) && buttonsOf(it).length > 0),
          `a card for ${who}`,
        ),
      );
      const whispers = () => slack.ephemerals.filter((it) => it.user === user).map((it) => textOf(it));
      const click =
        (label: string): Way =>
        async () => {
          await until(() => slack.connected() > 0, "the socket");
          const told = whispers().length;
          await slack.click(card, label, user);
          return () => whispers().slice(told).join("\n");
        };
      const modal = (label: string, values: Record<string, string>): Way => {
        return async () => {
          const open = slack.openViews().map((it) => it.id);
          const told = await click(label)();
          const view = await until(
            () => viewOf(user, open) ?? (told() || null),
            "a modal, or why there is none",
          );
          if (typeof view === "string") return () => view;
          return submitted(await slack.submit(view, values));
        };
      };
      const submitted = (ack: { view?: { blocks: object[] } } | undefined) => () =>
        ack?.view ? textOf({ blocks: ack.view.blocks }) : "";
      const open = card.blocks.flatMap((it) => it.elements ?? []).find((it) => it.text?.text === "Open");
      return {
        ...Object.fromEntries(
          buttonsOf(card)
            .filter((it) => !/…$|^Open$/.test(it))
            .map((it) => [it, click(it)]),
        ),
        "Other…": modal("Other…", { words: "as I said" }),
        "With a reason…": modal("With a reason…", { choice: "1", words: "because" }),
        ...(/\/a\//.test(open.url)
          ? { "look at the page": page(project, open.url, "GET"), page: page(project, open.url, "POST") }
          : {}),
        "/oj": async () => {
          const told = whispers().length;
          await slack.command("", user, placeOf(who));
          return () => whispers().slice(told).join("\n");
        },
      };
    },
    sent: (who, id) =>
      slack.calls.filter(
        ({ method, args, isRefused }) =>
          !isRefused &&
          /^chat\.(postMessage|update)$/.test(method) &&
          JSON.stringify(args).includes(id) &&
          [placeOf(who), SLACK_IDS[who]].includes(args.channel),
      ).length,
  };
}

/** Modals that were opened, to be submitted later. */
export async function openModals(slack: FakeSlack, who: Who, id: string): Promise<Way> {
  const user = SLACK_IDS[who];
  const card = await until(() => slack.cards().find((it) => textOf(it).includes(id)), "a card");
  const before = slack.openViews().length;
  await slack.click(card, "Other…", user);
  const view = structuredClone(await until(() => slack.openViews()[before], "a modal"));
  return async () => {
    const ack = await slack.submit(view, { words: "typed before" });
    return () => (ack?.view ? textOf({ blocks: ack.view.blocks }) : "");
  };
}

export function telegramChat(project: Project, telegram: TelegramServer): Chat {
  const REFUSED = /You are not in the list of people here/;
  return {
    name: "telegram",
    refuses: new RegExp(`${REFUSED.source}|^404 `),
    async ways(who, id) {
      const chat = String(CHATS[who]);
      const message = structuredClone(
        await until(
          () => telegram.messages.findLast((it) => it.chat === chat && it.text.includes(id)),
          `a message to ${who}`,
        ),
      );
      const press =
        (data: string): Way =>
        async () => {
          const pressed = telegram.press(CHATS[who], data, message);
          return () => telegram.alerts.get(pressed) ?? "";
        };
      const write =
        (words: string, replyTo?: typeof message): Way =>
        async () => {
          const got = () => telegram.messages.filter((it) => it.chat === chat);
          const before = got().length;
          telegram.write(CHATS[who], words, replyTo);
          return () => {
            const told = got()
              .slice(before)
              .filter((it) => REFUSED.test(it.text));
            return told.map((it) => it.text).join("\n");
          };
        };
      const pressed = message.buttons.flatMap(({ text, callback_data, url = "" }): [string, Way][] =>
        callback_data === undefined
          ? [
              [`look at ${text}`, page(project, url, "GET")],
              [text, page(project, url, "POST")],
            ]
          : [[text, press(callback_data)]],
      );
      return {
        ...Object.fromEntries(pressed),
        "a reply": write("1", message),
        "a reply in words": write("as I said", message),
      };
    },
    sent: (who, id) =>
      telegram.calls.filter(
        ({ method, params }) =>
          /^(sendMessage|editMessageText)$/.test(method) &&
          params.chat_id === String(CHATS[who]) &&
          String(params.text).includes(id),
      ).length,
  };
}

export function ntfyChat(project: Project, ntfy: NtfyServer, titleOf: (id: string) => string): Chat {
  return {
    name: "ntfy",
    refuses: NOWHERE,
    async ways(who, id) {
      const { click, actions } = await until(
        () =>
          ntfy.published.findLast(
            (it) => it.topic === TOPICS[who] && it.title.includes(titleOf(id)) && it.actions.length > 1,
          ),
        `a message to ${who}`,
      );
      return {
        ...Object.fromEntries(
          actions.map(({ label, url }) => [label, page(project, url, "POST", "application/json")]),
        ),
        "look at the page": page(project, click, "GET"),
        page: page(project, click, "POST"),
      };
    },
    sent: (who, id) =>
      ntfy.published.filter((it) => it.topic === TOPICS[who] && it.title.includes(titleOf(id))).length,
  };
}

export function pushChat(project: Project, phones: Readonly<Record<Who, PretendedBrowser>>): Chat {
  return {
    name: "push",
    refuses: NOWHERE,
    async ways(who, id) {
      const { actions } = await until(
        () => phones[who].shown.findLast((it) => it.decision === id && it.actions.length > 0),
        `a message to ${who}`,
      );
      return Object.fromEntries(
        actions.flatMap(({ title, path }): [string, Way][] => {
          const url = `http://daemon${path}`;
          return [
            [title, page(project, url, "POST", "application/json")],
            [`look at ${title}`, page(project, url, "GET")],
          ];
        }),
      );
    },
    sent: (who, id) => phones[who].shown.filter((it) => it.decision === id).length,
  };
}
