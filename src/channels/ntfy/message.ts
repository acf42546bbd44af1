/**
 * A decision as a notification of ntfy, to be published as JSON: nothing in it can become a header. Up to three options
 * are answered by a tap; where one tap is no whole answer, or not all was shown, the page of the decision is opened.
 */
import type { OptionView } from "../../api/api.ts";
import { isOpen } from "../../core/model/face.ts";
import type { NoticeReason } from "../../core/model/reach-types.ts";
import { wordsNeededBy } from "../../inbox/card/needs.ts";
import { claimWords, loudnessOf } from "../../inbox/card/waits.ts";
import type { Listed, Told } from "../text/ask.ts";
import { heading, isTitleWhole, labelOf, origin, takesOne } from "../text/ask.ts";
import { digestHeading, digestLines } from "../text/digest.ts";
import { bytes, fitted } from "../text/fitted.ts";
import { cut, matterText } from "../text/matter.ts";
import { newsOf } from "../text/news.ts";

/** What the server takes at its root: https://docs.ntfy.sh/publish/#publish-as-json */
export interface NtfyMessage {
  topic: string;
  sequence_id: string;
  title: string;
  message: string;
  /** 1 to 5; 3 is the usual. */
  priority: number;
  tags: string[];
  click: string;
  actions: NtfyAction[];
}

export type NtfyAction =
  | { action: "http"; label: string; url: string; method: "POST"; clear: boolean }
  | { action: "view"; label: string; url: string; clear: boolean };

export interface Asked extends Told {
  reason: NoticeReason;
  others: readonly Listed[];
  topic: string;
  /** Messages with the same one replace each other. */
  sequence: string;
  /** Where the whole decision is, for this person. */
  open: string;
  /** The address that answers with an option, by its key; for those of `tappable` alone. */
  links: ReadonlyMap<string, string>;
  /** The address that says "I'm on it"; null if somebody is. */
  claim: string | null;
}

/** The server makes a longer one a file to download. */
const LONGEST_BYTES = 4096;
const RESERVE_BYTES = 600;
const LONGEST_CLAIM = 100;
const MOST_ACTIONS = 3;
const LONGEST_LABEL = 40;
const MOST_DIGEST_LINES = 20;
const PRIORITIES = { high: 5, medium: 3, low: 2 } as const;
/** Shows up without a sound. */
const QUIET = 1;

/** What takes the place of an earlier one makes no sound: whoever has that one was called already. */
export function ntfyChange(asked: Asked, now: number): NtfyMessage {
  const message = ntfyMessage(asked, now);
  return { ...message, priority: Math.min(message.priority, PRIORITIES.low) };
}

export function ntfyMessage(asked: Asked, now: number): NtfyMessage {
  const { decision, card, reason, others, open } = asked;
  if (others.length > 0) return digest(asked, now);
  if (!isOpen(decision)) return settled(asked, now);
  const { text } = shownMatter(asked);
  const onIt = cut(claimWords(decision, now) ?? "", LONGEST_CLAIM);
  return {
    ...base(asked),
    title: heading(card, reason),
    message: [text, onIt, origin(decision)].filter((it) => it !== "").join("\n\n"),
    priority: PRIORITIES[loudnessOf(decision)],
    tags: loudnessOf(decision) === "high" ? ["warning"] : [],
    click: open,
    actions: actionsOf(asked),
  };
}

/**
 * The options that a tap answers with: all of them or none, because to leave some out would be steering. None that acts
 * on what was not shown whole.
 */
export function tappable(told: Told): OptionView[] {
  const { decision } = told;
  if (!isOpen(decision) || !takesOne(decision)) return [];
  const plain = decision.options.filter((it) => it.key !== "dismiss" && wordsNeededBy(it, decision) === null);
  if (plain.length > MOST_ACTIONS) return [];
  const isWhole = shownMatter(told).isWhole;
  return plain.filter((it) => isWhole || !it.acts);
}

/** A tap on the message itself opens it, too: so "Open" makes way, unless it stands for what can't be approved here. */
function actionsOf(asked: Asked): NtfyAction[] {
  const taps = tappable(asked).flatMap((it): NtfyAction[] => {
    const url = asked.links.get(it.key);
    return url === undefined ? [] : [tap(cut(labelOf(it), LONGEST_LABEL), url, true)];
  });
  const open: NtfyAction = { action: "view", label: "Open", url: asked.open, clear: false };
  const claim = asked.claim === null ? [] : [tap("I'm on it", asked.claim, false)];
  const more = shownMatter(asked).isWhole ? [...claim, open] : [open, ...claim];
  return [...taps, ...more].slice(0, MOST_ACTIONS);
}

/** `clear`: the phone takes the message away at once. */
function tap(label: string, url: string, clear: boolean): NtfyAction {
  return { action: "http", label, url, method: "POST", clear };
}

function settled(asked: Asked, now: number): NtfyMessage {
  return {
    ...base(asked),
    title: heading(asked.card, "asked"),
    message: cut(newsOf(asked.decision, now), 1000),
    priority: QUIET,
    tags: ["white_check_mark"],
    click: asked.open,
    actions: [],
  };
}

function digest(asked: Asked, now: number): NtfyMessage {
  const all: readonly Listed[] = [asked, ...asked.others];
  const open = all.filter((it) => isOpen(it.decision));
  const lines = digestLines(all, { most: MOST_DIGEST_LINES, longest: 100, now });
  const isUrgent = open.some((it) => loudnessOf(it.decision) === "high");
  return {
    ...base(asked),
    title: digestHeading(all),
    message: fitted(lines.join("\n"), LONGEST_BYTES - RESERVE_BYTES, bytes, null).text,
    priority: open.length === 0 ? QUIET : isUrgent ? PRIORITIES.high : PRIORITIES.medium,
    tags: [],
    click: asked.open,
    actions: [{ action: "view", label: "Open", url: asked.open, clear: false }],
  };
}

function shownMatter(told: Told): { text: string; isWhole: boolean } {
  const { decision, card } = told;
  const room = LONGEST_BYTES - RESERVE_BYTES - bytes(origin(decision));
  const { text, isWhole } = fitted(matterText(card), room, bytes, decision.action);
  return { text, isWhole: isWhole && told.isWhole && isTitleWhole(card) };
}

function base({ topic, sequence }: Asked): Pick<NtfyMessage, "topic" | "sequence_id"> {
  return { topic, sequence_id: sequence };
}

/** A notice of something that is over is cleared from phones; what is open stays. */
export function isOver({ decision, others }: Pick<Asked, "decision" | "others">): boolean {
  return [decision, ...others.map((it) => it.decision)].every((it) => it.state !== "pending");
}
