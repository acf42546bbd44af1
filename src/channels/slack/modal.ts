/** Modals: words, a choice with a reason, several questions. What was typed is never lost with them. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import { withOther } from "../../core/text/resolve-hint.ts";
import type { Card } from "../../inbox/card/card.ts";
import { wordsNeededBy } from "../../inbox/card/needs.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { cut } from "../text/matter.ts";
import type { ShownRule } from "../text/rule.ts";
import { noRuleWords, RULE_LEAD } from "../text/rule.ts";
import type { Element, SlackBlock, View } from "./blocks.ts";
import { context, LIMITS, plain, section, sections } from "./blocks.ts";
import { linkButton, withReason } from "./buttons.ts";
import type { Place } from "./place.ts";
import type { Asked } from "./submission.ts";

interface Given {
  decision: DecisionView;
  card: Pick<Card, "title">;
  sawAll: boolean;
  /** Where the button was clicked, for what has to be said to the person there. */
  place: Place;
}

/** Words with an option, or alone. */
export function wordsModal({ decision, card, sawAll, place }: Given, number: number | null): View {
  const option = decision.options.find((it) => it.number === number) ?? null;
  const field =
    (option && wordsNeededBy(option, decision)) ?? (decision.source === "request" ? "text" : "message");
  const asked: Asked = { type: "words", id: decision.id, number, field, sawAll, place };
  const label = option === null || field === "text" ? "Your answer" : "Your message";
  return modal(option?.label ?? "Answer", asked, [
    section(safeLine(cut(card.title, LIMITS.section))),
    words("words", label, false),
  ]);
}

/** One of the options, and why. */
export function reasonModal({ decision, card, sawAll, place }: Given): View {
  const asked: Asked = { type: "reason", id: decision.id, sawAll, place };
  return modal("Answer with a reason", asked, [
    section(safeLine(cut(card.title, LIMITS.section))),
    choice("choice", "Your answer", false, withReason(decision, sawAll).map(optionOf)),
    words("words", "Why (sent with the answer)", true),
  ]);
}

/** Every question with its choices, and own words for each. */
export function formModal({ decision, card, sawAll, place }: Given): View {
  const counts = decision.questions.map((it) => it.options.length);
  const asked: Asked = { type: "form", id: decision.id, counts, sawAll, place };
  const several = decision.questions.length > 1;
  const blocks = decision.questions.flatMap((it, at) => {
    const other = { label: "Other", description: "In your own words, below" };
    const options = withOther(it, it.options, other);
    const choices = options.map(({ label, description }, index) => ({
      number: index + 1,
      label,
      description,
    }));
    return [
      ...longOptions(it.options),
      choice(`choice${at}`, safe(it.question), it.multi_select, choices),
      ...(it.closed ? [] : [words(`words${at}`, several ? `Other, for question ${at + 1}` : "Other", true)]),
    ];
  });
  return modal("Answer", asked, [section(safeLine(cut(card.title, LIMITS.section))), ...blocks]);
}

/** The whole rule that approving would become, over the three ways to approve; or why there is none to accept here. */
export function rememberModal({ decision, card, sawAll, place }: Given, shown: ShownRule, url: string): View {
  const title = section(safeLine(cut(card.title, LIMITS.section)));
  if (shown.type !== "whole") return modal("Remember this", null, [title, ...elsewhere(shown, url)]);
  const { text, hash, lines, choices } = shown;
  const offered = choices.map(({ number, label, effect }) => ({ number, label, description: effect }));
  return modal("Remember this", { type: "remember", id: decision.id, hash, sawAll, place }, [
    title,
    context(RULE_LEAD),
    ...sections(text),
    ...(lines.length > 0 ? [context(lines.join("\n"))] : []),
    ...longOptions(offered),
    choice("choice", "How long?", false, offered),
  ]);
}

/** So many characters of a rule: more than anybody would read in a modal. */
export const LONGEST_RULE = 9000;

function elsewhere(shown: Exclude<ShownRule, { type: "whole" }>, url: string): SlackBlock[] {
  const words = section(noRuleWords(shown));
  const open: SlackBlock = { type: "actions", elements: [linkButton("Open", url)] };
  return shown.type === "hidden" ? [words, open] : [words];
}

/** While the decision is being looked up. */
export function waitingModal(): View {
  return { ...modal("One moment", null, [section("Looking up the decision…")]), close: plain("Close", 24) };
}

/** Somebody else was first, or it was refused: `kept` is what the person had typed. */
export function refusedModal(why: string, kept: readonly string[]): View {
  const typed = kept.filter((it) => it.trim() !== "");
  return modal("Not sent", null, [
    ...sections(why),
    ...(typed.length > 0 ? [section("What you typed, so that it is not lost:")] : []),
    ...typed.flatMap((it) => sections(it)),
  ]);
}

/** The answer takes longer than Slack waits. */
export function sendingModal(): View {
  return modal("Sending", null, [section("Your answer is on its way. You can close this.")]);
}

export function sentModal(): View {
  return modal("Sent", null, [section("Your answer was sent.")]);
}

function modal(title: string, asked: Asked | null, blocks: SlackBlock[]): View {
  return {
    type: "modal",
    title: plain(safeLine(title), LIMITS.title),
    ...(asked === null ? {} : { submit: plain("Send", LIMITS.title) }),
    close: plain(asked === null ? "Close" : "Cancel", LIMITS.title),
    private_metadata: asked === null ? "" : JSON.stringify(asked),
    blocks,
  };
}

function words(block_id: string, label: string, optional: boolean): SlackBlock {
  return {
    type: "input",
    block_id,
    label: plain(label, LIMITS.label),
    optional,
    element: { type: "plain_text_input", action_id: "text", multiline: true, max_length: LIMITS.words },
  };
}

interface Offered {
  number: number;
  label: string;
  description: string | null;
}

function optionOf({ number, label, description }: OptionView): Offered {
  return { number, label, description };
}

/** Optional for Slack: what is missing is told by us, because own words can stand in for a choice. */
function choice(block_id: string, label: string, multiple: boolean, offered: readonly Offered[]): SlackBlock {
  const isShort = offered.length <= LIMITS.radios;
  const type: Exclude<Element["type"], "plain_text_input"> = multiple
    ? isShort
      ? "checkboxes"
      : "multi_static_select"
    : isShort
      ? "radio_buttons"
      : "static_select";
  const options = offered.slice(0, LIMITS.select).map((it) => ({
    text: plain(safeLine(cut(it.label, LIMITS.choice + 1)), LIMITS.choice),
    value: String(it.number),
    ...(it.description === null || it.description.trim() === ""
      ? {}
      : { description: plain(safeLine(cut(it.description, LIMITS.choice + 1)), LIMITS.choice) }),
  }));
  return {
    type: "input",
    block_id,
    label: plain(label, LIMITS.label),
    optional: true,
    element: { type, action_id: "choice", options },
  };
}

/** Labels and descriptions that are cut below are read here in full. */
function longOptions(options: readonly { label: string; description: string | null }[]): SlackBlock[] {
  const isLong = (text: string | null) => (text ?? "").length > LIMITS.choice;
  if (!options.some((it) => isLong(it.label) || isLong(it.description))) return [];
  const lines = options.map((it, at) => {
    return `${at + 1}. ${it.label}${it.description === null ? "" : `: ${it.description}`}`;
  });
  return sections(safe(cut(lines.join("\n"), 2 * LIMITS.section)));
}
