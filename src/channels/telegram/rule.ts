/**
 * The rule that approving would become, as a message of its own below the question: all of it, with a button for each
 * way to remember it. It does not end with the decision's id, so no reply to it is taken for an answer.
 */
import type { DecisionView } from "../../api/api.ts";
import type { Card } from "../../inbox/card/card.ts";
import { heading } from "../text/ask.ts";
import { cut } from "../text/matter.ts";
import type { ShownRule } from "../text/rule.ts";
import { noRuleWords, RULE_LEAD } from "../text/rule.ts";
import type { TelegramMessage } from "./message.ts";
import { canBeButton, message } from "./message.ts";
import { acceptData } from "./update.ts";

interface About {
  decision: DecisionView;
  card: Card;
}

/** So many characters of a rule, with room for what is said about it. */
export const LONGEST_RULE = 2500;
const LONGEST_ABOUT = 600;

/** `open` is the page that shows the rule where a message can't; null: there is none. */
export function ruleMessage(
  { decision: { id }, card }: About,
  shown: ShownRule,
  open: string | null,
): TelegramMessage {
  const title = { text: heading(card, "asked") };
  if (shown.type !== "whole") return elsewhere(title, shown, open);
  const choices = shown.choices.flatMap((it) => (it.scope === "once" ? [] : [{ ...it, scope: it.scope }]));
  return message({
    parts: [
      { text: "Remember this?", type: "bold" },
      title,
      { text: RULE_LEAD },
      { text: shown.text, type: "pre" },
      { text: cut(shown.lines.join("\n"), LONGEST_ABOUT) },
      { text: cut(choices.map(({ label, effect }) => `${label}: ${effect}`).join("\n"), LONGEST_ABOUT) },
    ],
    rows: choices.map(({ label, scope }) => [
      { text: label, callback_data: acceptData(id, { scope, hash: shown.hash }) },
    ]),
    isSilent: true,
  });
}

/** What came of it, in its place. */
export function ruledMessage({ card }: About, words: string): TelegramMessage {
  return message({
    parts: [{ text: heading(card, "asked") }, { text: cut(words, LONGEST_ABOUT) }],
    rows: [],
    isSilent: true,
  });
}

function elsewhere(
  title: { text: string },
  shown: Exclude<ShownRule, { type: "whole" }>,
  page: string | null,
): TelegramMessage {
  const open = shown.type === "hidden" ? page : null;
  const isButton = open !== null && canBeButton(open);
  return message({
    parts: [
      title,
      { text: cut(noRuleWords(shown), LONGEST_ABOUT) },
      ...(open === null || isButton ? [] : [{ text: `Open: ${open}` }]),
    ],
    rows: isButton ? [[{ text: "Open", url: open }]] : [],
    isSilent: true,
  });
}
