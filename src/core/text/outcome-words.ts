/** The outcome of a request, in words for a requester that isn't waiting for it. */
import type { Answer, Decision } from "../model/decision-types.ts";
import { successorOf } from "../model/decision-types.ts";
import type { DecisionId } from "../model/ids.ts";
import { followUp } from "./resolve-hint.ts";
import { clipped } from "./words.ts";

export type Outcome =
  | { state: "resolved" | "dismissed"; answer: Answer }
  | { state: "withdrawn"; reason: string; by: string }
  /** With an answer: a deadline chose this option by default. */
  | { state: "expired"; reason: string; by: string; default?: string; answer?: Answer };

const MAX_TITLE = 300;

/** `most`: how many characters of a person's own words there is room for. */
export function outcomeWords(
  { id, title, options }: Pick<Decision, "id" | "title" | "options">,
  outcome: Outcome,
  most = Number.POSITIVE_INFINITY,
): string {
  const whole = (words: string) => shortened(words, most, id);
  const what = `${id} (${clipped(title.replace(/\s+/g, " ").trim(), MAX_TITLE)})`;
  if ("reason" in outcome) {
    const ended = outcome.state === "expired" ? "expired" : `was withdrawn by ${outcome.by}`;
    const label = outcome.state === "expired" ? outcome.answer?.labels[0] : undefined;
    if (label !== undefined)
      return `${what} expired: ${outcome.reason}. By default: ${clipped(label, MAX_TITLE)}. No person has decided this.`;
    return `${what} ${ended}: ${whole(outcome.reason)}. There is no answer.`;
  }
  const { answer, state } = outcome;
  const said = [answer.text, answer.message].filter((it): it is string => it !== null);
  const added = said.length > 0 ? ` They say: ${whole(said.join("\n"))}` : "";
  if (state === "dismissed") return `${what} was dismissed by ${answer.by}. There is no answer.${added}`;
  if (isForWords(options)) return `${answer.by} replies to ${what}: ${whole(said.join("\n"))}`;
  const choice = answer.labels.length > 0 ? `: ${clipped(answer.labels.join(", "), MAX_TITLE)}.` : ".";
  const successor = successorOf({ answer, options });
  const next = successor === null ? "" : `\nThis must be followed by: ${followUp(id, successor)}`;
  return `${what} was answered by ${answer.by}${choice}${added}${next}`;
}

/** Whoever reads words that were cut off must know it, and where all of them are. */
export function shortened(words: string, most: number, id: DecisionId): string {
  if (words.length <= most) return words;
  const rest = ` (this is cut off; all of it: oj decision show ${id})`;
  return `${clipped(words, most - rest.length)}${rest}`;
}

/** Its only answer is a reply, with or without a number. */
function isForWords(options: Decision["options"]): boolean {
  return options.some((it) => it.action.type === "reply");
}
