/** The buttons of a card. What lets somebody act is a button only if the card shows all that it is about. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import { areWordsAnswer, wordsNeededBy } from "../../inbox/card/needs.ts";
import { isRememberable } from "../../inbox/card/rule.ts";
import { safeLine } from "../../text/safe.ts";
import type { Button, SlackBlock } from "./blocks.ts";
import { LIMITS, plain } from "./blocks.ts";
import type { Click } from "./clicks.ts";
import { buttonOf } from "./clicks.ts";

interface Given {
  sawAll: boolean;
  /** Where the decision can be opened. */
  url: string;
  isClaimed: boolean;
}

/** The answers in the first row; what else can be done in the second. */
export function buttonRows(decision: DecisionView, { sawAll, url, isClaimed }: Given): SlackBlock[] {
  const { id } = decision;
  const answers = answerButtons(decision, sawAll);
  const hasWords = decision.options.some((it) => wordsNeededBy(it, decision) !== null);
  const isPlain = !isForm(decision);
  const more = [
    ...(isPlain && !hasWords && areWordsAnswer(decision)
      ? [button("Other…", { type: "words", id, number: null, sawAll })]
      : []),
    ...(isPlain && withReason(decision, sawAll).length > 0
      ? [button("With a reason…", { type: "reason", id, sawAll })]
      : []),
    ...(sawAll && isRememberable(decision) ? [button("Remember…", { type: "remember", id, sawAll })] : []),
    ...(isClaimed ? [] : [button("I'm on it", { type: "claim", id })]),
    linkButton("Open", url),
  ];
  return [
    ...(answers.length > 0 ? [{ type: "actions" as const, elements: answers.slice(0, LIMITS.buttons) }] : []),
    { type: "actions", elements: more },
  ];
}

/** Several questions, or several answers to one, are chosen in a modal. */
function isForm({ questions }: DecisionView): boolean {
  return questions.length > 1 || questions[0]?.multi_select === true;
}

/** The options that may be chosen together with a reason: those that need no words by themselves. */
export function withReason(decision: DecisionView, sawAll: boolean): OptionView[] {
  return decision.options.filter((it) => isOffered(it, sawAll) && wordsNeededBy(it, decision) === null);
}

/** What was not shown can't be approved. */
function isOffered({ acts }: OptionView, sawAll: boolean): boolean {
  return sawAll || !acts;
}

function answerButtons(decision: DecisionView, sawAll: boolean): Button[] {
  const { id, questions, options } = decision;
  if (!isForm(decision))
    return options.filter((it) => isOffered(it, sawAll)).map((it) => optionButton(decision, it, sawAll));
  // an answer to questions lets the agent go on, too
  const form = sawAll
    ? [{ ...button("Answer…", { type: "form", id, sawAll }), style: "primary" as const }]
    : [];
  const own = questions.length === 1 ? (questions[0]?.options.length ?? 0) : 0;
  const rest = options.slice(own).filter((it) => it.key !== "other");
  return [
    ...form,
    ...rest
      .filter((it) => isOffered(it, sawAll))
      .map((it) => button(it.label, { type: "key", id, key: it.key, sawAll })),
  ];
}

function optionButton(decision: DecisionView, option: OptionView, sawAll: boolean): Button {
  const { id } = decision;
  const { number, label, key, recommended } = option;
  const needsWords = wordsNeededBy(option, decision) !== null;
  const made = needsWords
    ? button(`${label}…`, { type: "words", id, number, sawAll })
    : button(label, { type: "option", id, number, sawAll });
  const style = recommended || key === "approve" ? "primary" : key === "cancel" ? "danger" : null;
  return style === null ? made : { ...made, style };
}

export function button(label: string, click: Click): Button {
  return { type: "button", text: plain(safeLine(label), LIMITS.button), ...buttonOf(click) };
}

export function linkButton(label: string, url: string): Button {
  return { type: "button", text: plain(label, LIMITS.button), action_id: "oj:open", url };
}
