/** A Telegram bot: each decision is a message with buttons in the person's chat with it. Answered by button or in words. */
import path from "node:path";
import type { DecisionView } from "../../../api/api.ts";
import { isBinding, redacted } from "../../../channels/redacted.ts";
import type { Asked, TelegramMessage } from "../../../channels/telegram/message.ts";
import { sawAll, telegramMessage } from "../../../channels/telegram/message.ts";
import type { Came } from "../../../channels/telegram/update.ts";
import { readUpdate } from "../../../channels/telegram/update.ts";
import { chosen } from "../../../channels/text/chosen.ts";
import { cut } from "../../../channels/text/matter.ts";
import { answerIn } from "../../../channels/text/reply.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { isOpen } from "../../../core/model/face.ts";
import { mendText } from "../../../core/text/safe-text.ts";
import { describe } from "../../../inbox/card/describe.ts";
import { wordsNeededBy } from "../../../inbox/card/needs.ts";
import type { Answered, Channel, Given, MakeChannel, Outgoing, Sent } from "../channel.ts";
import { ChannelError } from "../channel.ts";
import type { TelegramFailure } from "../telegram/api.ts";
import { telegramApi } from "../telegram/api.ts";
import type { Poll } from "../telegram/poll.ts";
import { startPolling } from "../telegram/poll.ts";
import { rememberingIn } from "../telegram/remember.ts";

const PUBLIC = "https://api.telegram.org";
/** What `answerCallbackQuery` shows. */
const LONGEST_ALERT = 200;
const KNOWN = ["bot_token_file", "api_url", "undo"];

export const make: MakeChannel = async ({
  config,
  secret,
  door,
  link,
  ports: { clock, journal },
  dir,
}: Given) => {
  const { apiUrl, tokenFile } = readSettings(config.name, config.settings);
  const api = telegramApi({ apiUrl, token: () => secret(tokenFile) });
  const rules = rememberingIn({ door, send: below, edit, page });
  let poll: Poll | null = null;

  function page(decision: string, person: string): string | null {
    return link({ decision, person, kind: "telegram", option: "approve" });
  }

  async function call(method: string, params: object): Promise<unknown> {
    return api.call(method, params).catch((error: TelegramFailure) => {
      throw errorOf(error);
    });
  }

  async function hear(update: unknown): Promise<void> {
    const came = readUpdate(update);
    if (!came) return;
    const person = door.personBy("telegram", came.from);
    if (!person) return refuse(came);
    if (came.type === "hello")
      return say(came.chat, `Hello ${person.name}. Decisions for you will come here.`);
    const words = await doing(came, person.name);
    if (came.type !== "words") await alert(came.query, words);
    else if (words !== null) await say(came.chat, words, came.message);
  }

  /** Returns what the person is told; null: the message itself will say it. */
  function doing(came: Exclude<Came, { type: "hello" }>, person: string): Promise<string | null> {
    if (came.type === "claim") return claimed(came, person);
    if (came.type === "remember") return rules.show(came, person);
    return came.type === "accept" ? rules.accept(came, person) : answered(came, person);
  }

  /** A stranger learns nothing but their own id, which they need to be let in. */
  async function refuse(came: Came): Promise<void> {
    const words = `You are not in the list of people here. Your id is ${came.from}.`;
    return "query" in came ? alert(came.query, words) : say(came.chat, words);
  }

  /** The message itself says who is on it. */
  async function claimed({ decision: id }: Extract<Came, { type: "claim" }>, person: string) {
    const result = await door.claim({ id, person, via: "telegram" });
    return result.type === "refused" ? result.words : null;
  }

  async function answered(
    came: Extract<Came, { type: "press" | "words" }>,
    person: string,
  ): Promise<string | null> {
    const found = await door.decision(came.decision);
    if (!found) return "This decision no longer exists.";
    const { decision } = found;
    const option =
      came.type === "press" ? decision.options.find((it) => it.number === came.option) : undefined;
    if (came.type === "press" && !option) return "This option no longer exists.";
    if (option && wordsNeededBy(option, decision) !== null && isOpen(decision))
      return "Reply to this message with your words.";
    const given =
      came.type === "press" ? chosen(decision, [came.option], null) : answerIn(decision, mendText(came.text));
    const shown = redacted(found);
    // a button was there because the message showed it all; words may be a reply to what another machine sent
    const mayHideMore = came.type === "words" && found.isElsewhere && isBinding(decision);
    const result: Answered = await door.answer({
      id: decision.id,
      person,
      via: "telegram",
      ...given,
      texts: given.texts ?? [],
      sawAll: sawAll({ ...shown, isWhole: shown.showsAll }) && !mayHideMore,
    });
    if (came.type === "press" && result.decision) await rewrite(came, result.decision);
    return result.type === "refused" ? result.words : null;
  }

  /** The message that was pressed: it may be a second one, sent because nobody knew whether the first had arrived. */
  async function rewrite(
    { from, message }: Extract<Came, { type: "press" }>,
    decision: DecisionView,
  ): Promise<void> {
    if (message === null || isOpen(decision)) return;
    const now = clock.now();
    const { showsAll: isWhole, ...shown } = redacted({ decision, card: describe(decision, now) });
    const asked: Asked = { ...shown, isWhole, reason: "asked", others: [], open: "" };
    await edit(from, message, telegramMessage(asked, now)).catch(() => {}); // what is owed is tried again elsewhere
  }

  async function edit(chat: string, message_id: number, message: TelegramMessage): Promise<void> {
    const { disable_notification: _, ...rest } = message;
    await call("editMessageText", { chat_id: chat, message_id, ...rest }).catch((error: Error) => {
      if (!/message is not modified/.test(error.message)) throw error;
    });
  }

  async function below(chat: string, message: TelegramMessage, replyTo: number | null): Promise<void> {
    const reply = replyTo === null ? {} : { reply_parameters: { message_id: replyTo } };
    await call("sendMessage", { chat_id: chat, ...message, ...reply });
  }

  async function alert(query: string, words: string | null): Promise<void> {
    const told = words === null ? {} : { text: cut(words, LONGEST_ALERT), show_alert: true };
    await call("answerCallbackQuery", { callback_query_id: query, ...told });
  }

  async function say(chat: string, text: string, replyTo?: number): Promise<void> {
    const reply = replyTo === undefined ? {} : { reply_parameters: { message_id: replyTo } };
    await call("sendMessage", { chat_id: chat, text: cut(text, 1000), ...reply });
  }

  const channel: Channel = {
    kind: "telegram",
    name: config.name,
    room: null,
    addressOf: ({ addresses }) => addresses.telegram ?? null,

    async send(outgoing): Promise<Sent> {
      const message = telegramMessage(await asked(outgoing), outgoing.now);
      const sent = await call("sendMessage", { chat_id: outgoing.address, ...message });
      const id = (sent as { message_id?: unknown } | null)?.message_id;
      return { ref: typeof id === "number" ? String(id) : null };
    },

    async change(outgoing, sent): Promise<Sent> {
      await edit(outgoing.address, Number(sent), telegramMessage(await asked(outgoing), outgoing.now));
      return { ref: sent };
    },

    /** The message that may be there can't be found; the newer one below it says what became of it. */
    retract: (outgoing) => channel.send(outgoing),

    async check() {
      const deaf = poll?.trouble() ?? null;
      if (deaf !== null) return deaf;
      return api.call("getMe", {}).then(
        () => null,
        (error: Error) => error.message,
      );
    },

    async listen() {
      poll ??= startPolling({ api, file: path.join(dir, "offset"), hear, clock, journal });
    },

    close: async () => poll?.close(),
  };
  return channel;
};

async function asked(outgoing: Outgoing): Promise<Asked> {
  const open = outgoing.others.length > 0 ? outgoing.url : ((await outgoing.link(null)) ?? outgoing.url);
  return { ...outgoing, open };
}

/** A chat that is not there, or that the bot was thrown out of, stays so. */
function errorOf({ message, code, retryAfterMs, isUnsure }: TelegramFailure): ChannelError {
  const isFinal = code === 400 || code === 403 || code === 404;
  const hint =
    code === 403 || /chat not found/.test(message) ? "; the person must write to the bot first" : "";
  return new ChannelError(`${message}${hint}`, { isFinal, retryAfterMs, isUnsure });
}

function readSettings(name: string, settings: Readonly<Record<string, unknown>>) {
  const other = Object.keys(settings).find((it) => !KNOWN.includes(it));
  if (other !== undefined) throw invalid(`Unknown setting "channel.${name}.${other}"`);
  const { bot_token_file: tokenFile, api_url: apiUrl = PUBLIC } = settings;
  if (typeof tokenFile !== "string") throw invalid(`channel.${name}.bot_token_file is missing`);
  if (typeof apiUrl !== "string" || !/^https?:\/\//.test(apiUrl) || !URL.canParse(apiUrl))
    throw invalid(`channel.${name}.api_url must be an address that begins with https://`);
  return { tokenFile, apiUrl };
}

function invalid(message: string): Refusal {
  return new Refusal("config.invalid", message, null);
}
