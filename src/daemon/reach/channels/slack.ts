/** Slack: cards with buttons in a room or in direct messages, answered there through Socket Mode or the Events API. */
import type { SlackConnection } from "../../../channel-ports.ts";
import type { CardInput } from "../../../channels/slack/card.ts";
import { listMessage } from "../../../channels/slack/list.ts";
import { text } from "../../../channels/slack/place.ts";
import { slackSettings } from "../../../channels/slack/settings.ts";
import { happened, isStillSo } from "../../../channels/slack/standing.ts";
import type { Channel, Given, Outgoing, Sent } from "../channel.ts";
import { ChannelError } from "../channel.ts";
import { slackAnswers } from "../slack/answers.ts";
import { eventsDoor } from "../slack/events.ts";
import { changeError, failureWords, isGone, sendError, silenceWords } from "../slack/failures.ts";
import { refIn, slackMemory } from "../slack/memory.ts";
import { pacedPosts } from "../slack/posts.ts";
import type { Written } from "../slack/screen.ts";
import { faceOf, QUIET, slackScreen, wordsMessage } from "../slack/screen.ts";

export async function make(given: Given): Promise<Channel> {
  const { config, door, ports, secret, doors } = given;
  const read = slackSettings(config.name, config.settings);
  if ("problems" in read) throw new ChannelError(read.problems.join("; "), { isFinal: true });
  const { botTokenFile, appTokenFile, signingSecretFile, room, apiUrl } = read.settings;
  const service = await ports.channels.slack({
    apiUrl,
    botToken: () => secret(botTokenFile),
    appToken: () => secret(appTokenFile ?? ""),
  });
  const memory = slackMemory();
  const urlOf = (id: string) => `${given.base()}/#/decision/${id}`;
  const screen = slackScreen({ service, apiUrl, memory, ports, urlOf });
  const posts = pacedPosts(service.call, threadMessage, ports);
  const heard = slackAnswers({ service, door, screen, memory, ports });
  const closers: (() => void)[] = [() => posts.close()];
  let connection: SlackConnection | null = null;

  async function send(message: Outgoing): Promise<Sent> {
    const input = await inputOf(message);
    const face = messageOf(input, message);
    const posted = await posts
      .post(message.address, { ...face, ...QUIET }, message.stands)
      .catch((error: Error) => {
        throw sendError(error);
      });
    const at = { channel: text(posted.channel) ?? message.address, ts: text(posted.ts) ?? "" };
    memory.recorded(message.decision.id, at, input);
    return { ref: JSON.stringify({ ...at, stage: null }) };
  }

  async function change(message: Outgoing, sent: string): Promise<Sent> {
    const { id } = message.decision;
    const { at, stage } = refIn(sent);
    const input = await inputOf(message);
    memory.recorded(id, at, input);
    const isList = message.others.length > 0;
    try {
      if (isList) await service.call("chat.update", { ...at, ...messageOf(input, message), ...QUIET });
      else await Promise.all([at, ...memory.copies(id, at.channel)].map((it) => screen.rewrite(it, id)));
    } catch (error) {
      if (isGone(error as Error)) return { ref: sent };
      throw changeError(error as Error);
    }
    const news = isList ? null : happened(input.decision, stage);
    if (news) posts.tell(at, { text: news.line, stands: () => isTold(message) });
    return { ref: JSON.stringify({ ...at, stage: news?.stage ?? stage }) };
  }

  /** Whether it is still so, and whoever has the message is still here. */
  async function isTold({ decision, person }: Outgoing): Promise<boolean> {
    const found = await door.decision(decision.id, person?.name);
    return found !== null && isStillSo(decision, found.decision);
  }

  /** From now on, this is what is known of the decision; the link that answers in somebody's name is for them alone. */
  async function inputOf(message: Outgoing): Promise<CardInput> {
    const { decision, card, isWhole, reason, names } = message;
    const input = { decision, card, isWhole, reason, names, url: message.url };
    memory.keep(input);
    return { ...input, url: (await message.link(null)) ?? message.url };
  }

  return {
    kind: "slack",
    name: config.name,
    room,
    addressOf: ({ addresses: { slack } }) =>
      slack !== undefined && /^[UW][A-Z0-9]+$/.test(slack) ? slack : null,
    send,
    change,
    /** A card that nobody knows the place of can't be rewritten; the newer one below it says what became of it. */
    retract: send,
    async check() {
      const trouble = connection?.trouble() ?? null;
      const bot = await service.call("auth.test", {}).then(
        () => null,
        (error: Error) => failureWords(error),
      );
      if (bot !== null) return bot;
      if (trouble !== null) return silenceWords(trouble);
      return appTokenFile === null && signingSecretFile === null ? DEAF : null;
    },
    async listen() {
      if (signingSecretFile !== null)
        closers.push(
          doors.open(eventsDoor({ secret: () => secret(signingSecretFile), heard, clock: ports.clock })),
        );
      if (appTokenFile === null) return;
      const made = service.connect(heard);
      connection = made;
      closers.push(() => made.close());
    },
    async close() {
      for (const it of closers) it();
    },
  };
}

const DEAF = "cards are sent, but no click is heard: set app_token_file or signing_secret_file";

function messageOf(input: CardInput, { decision, others, now }: Outgoing): Written {
  if (others.length === 0) return faceOf(input);
  return listMessage([decision, ...others.map((it) => it.decision)], { now, title: null });
}

function threadMessage(lines: readonly string[]): object {
  return { ...wordsMessage(lines.join("\n")), ...QUIET };
}
