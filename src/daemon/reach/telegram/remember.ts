/** "Remember this" in Telegram: the first tap shows the rule, the second accepts that very one. */
import { redacted } from "../../../channels/redacted.ts";
import type { TelegramMessage } from "../../../channels/telegram/message.ts";
import { sawAll } from "../../../channels/telegram/message.ts";
import { LONGEST_RULE, ruledMessage, ruleMessage } from "../../../channels/telegram/rule.ts";
import type { Came } from "../../../channels/telegram/update.ts";
import { shownRule } from "../../../channels/text/rule.ts";
import { isOpen } from "../../../core/model/face.ts";
import type { Door } from "../channel.ts";

interface Parts {
  door: Door;
  /** A message below the one that was pressed. */
  send(chat: string, message: TelegramMessage, replyTo: number | null): Promise<void>;
  edit(chat: string, id: number, message: TelegramMessage): Promise<void>;
  /** The page that has the rule, for this person. */
  page(decision: string, person: string): string | null;
}

/** Each returns what the person is told at once; null: a message says it. */
export interface Remembering {
  show(came: Extract<Came, { type: "remember" }>, person: string): Promise<string | null>;
  accept(came: Extract<Came, { type: "accept" }>, person: string): Promise<string | null>;
}

export function rememberingIn({ door, send, edit, page }: Parts): Remembering {
  /** The decision as the message showed it. */
  async function look(id: string) {
    const found = await door.decision(id);
    if (!found) return null;
    const shown = redacted(found);
    return { ...shown, isWhole: shown.showsAll };
  }

  return {
    async show({ decision: id, from, message }, person) {
      const told = await look(id);
      if (!told) return GONE;
      const offer = await door.rule({ id, person });
      if (offer.type === "refused") return offer.words;
      if (!sawAll(told)) return UNSEEN;
      const shown = shownRule(offer.found, LONGEST_RULE);
      await send(from, ruleMessage(told, shown, page(id, person)), message);
      return null;
    },
    async accept({ decision: id, from, message, scope, hash }, person) {
      const told = await look(id);
      if (!told) return GONE;
      const given = { id, person, via: "telegram" as const, scope, hash, sawAll: sawAll(told) };
      const answered = await door.remember(given);
      const words = answered.type === "taken" ? REMEMBERED[scope] : answered.words;
      const isOver = answered.decision !== null && !isOpen(answered.decision);
      if (message !== null && isOver) await edit(from, message, ruledMessage(told, words)).catch(() => {}); // the question itself says it too
      return answered.type === "taken" ? null : words;
    },
  };
}

const GONE = "This decision no longer exists.";
const UNSEEN = "This message does not show all of it. Open the decision to see what you approve.";
const REMEMBERED = {
  job: "Approved, and the rule approves the same again until whoever asked has ended.",
  project: "Approved, and the rule approves the same again in this project.",
};
