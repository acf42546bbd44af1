/** A decision that waits, as a message with buttons. The whole action is in it, or it can't be approved from it. */
import type { DecisionView } from "../../api/api.ts";
import type { NoticeReason } from "../../core/model/reach-types.ts";
import { ownerName } from "../../core/text/words.ts";
import type { Card } from "../../inbox/card/card.ts";
import { asideNote } from "../../inbox/card/waits.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Shown } from "../text/matter.ts";
import { cut, matterText, shown } from "../text/matter.ts";
import type { SlackBlock } from "./blocks.ts";
import { context, escaped, LIMITS, lengthOf, plain, section, sections } from "./blocks.ts";
import { buttonRows } from "./buttons.ts";
import { clockTime } from "./clock-time.ts";
import { claimOf, deadlineWords } from "./standing.ts";

export interface CardInput {
  decision: DecisionView;
  card: Card;
  /** Nothing that might act was redacted. */
  isWhole: boolean;
  reason: NoticeReason;
  /** Whom it is for. */
  names: readonly string[];
  url: string;
}

export interface SlackMessage {
  text: string;
  blocks: SlackBlock[];
  /** The whole action is in the message. */
  sawAll: boolean;
}

/** What comes first if not all of it fits: the action, then the options, then why. */
const MOST_WHY = 1200;
const MOST_OPTIONS = 1500;

export function cardMessage(input: CardInput): SlackMessage {
  const { decision, card, isWhole } = input;
  const above = [...titleBlocks(card), context(aboutWords(input))];
  const options = optionBlocks(decision);
  const below = (sawAll: boolean) => [
    ...options,
    ...buttonRows(decision, { sawAll, url: input.url, isClaimed: claimOf(decision) !== null }),
    context(footWords(decision)),
  ];
  // whichever rows of buttons there will be, there is room for them
  const taken = lengthOf([...above, ...below(true)]) + lengthOf(below(false)) - lengthOf(options);
  const matter = fitted(matterText(card), LIMITS.message - taken - 400, decision.action);
  const sawAll = matter.isWhole && isWhole;
  const redacted = matter.isWhole && !isWhole ? [section(REDACTED)] : [];
  const blocks = [...above, ...sections(matter.text), ...redacted];
  const why = whyBlocks(card, LIMITS.message - lengthOf([...blocks, ...below(sawAll)]) - 100);
  return { text: fallback(input), blocks: [...blocks, ...why, ...below(sawAll)], sawAll };
}

const REDACTED = "A part that might act is redacted here: open it to see what you approve.";

export function titleBlocks({ title }: Pick<Card, "title">): SlackBlock[] {
  const line = safeLine(title);
  const header: SlackBlock = { type: "header", text: plain(line, LIMITS.header) };
  return [...line].length > LIMITS.header ? [header, section(cut(line, 1500))] : [header];
}

/** As much of a text as fits, counted as it travels: line breaks and quotes take two characters there. */
function fitted(text: string, most: number, action: DecisionView["action"]): Shown {
  for (let length = most; ; ) {
    const found = shown(text, length, action);
    const long = lengthOf(sections(found.text));
    if (long <= most || length <= 0) return found;
    length = Math.floor((length * most) / long) - 60;
  }
}

/** "For ana, ben · asked by feature/login · build · shop · high urgency". */
function aboutWords({ decision, names, reason }: CardInput): string {
  const { owner, project, urgency, source } = decision;
  return [
    reason === "reminder" ? "Reminder" : "",
    names.length > 0 ? `For ${names.map((it) => safeLine(it)).join(", ")}` : "",
    `${source === "request" ? "asked by" : "from"} ${cut(safeLine(ownerName(owner)), 200)}`,
    cut(safeLine(project), 100),
    urgency === "medium" ? "" : `${urgency} urgency`,
    cut(asideNote(decision), 300),
  ]
    .filter((it) => it !== "")
    .join(" · ");
}

/** What each option means, where its label does not say it all. */
function optionBlocks({ questions, options }: DecisionView): SlackBlock[] {
  if (questions.length > 1) return [];
  const lines = options
    .filter((it) => it.key !== "dismiss" && (it.description !== null || it.recommended))
    .map(({ label, description, recommended }) => {
      const mark = recommended ? " (recommended)" : "";
      return `${safeLine(label)}${mark}${description === null ? "" : `: ${safeLine(description)}`}`;
    });
  return lines.length === 0 ? [] : [section(cut(lines.join("\n"), MOST_OPTIONS))];
}

function whyBlocks({ why }: Card, room: number): SlackBlock[] {
  const text = matterText({ matter: why });
  if (text.trim() === "" || room < 200) return [];
  for (let most = Math.min(MOST_WHY, room); most > 50; most = Math.floor(most * 0.7)) {
    const blocks = [section(cut(text, most))];
    if (lengthOf(blocks) <= room) return blocks;
  }
  return [];
}

function footWords(decision: DecisionView): string {
  const { id, action } = decision;
  const claim = claimOf(decision);
  return [
    claim === null ? "" : `${safeLine(claim.by)} is on it until ${clockTime(claim.until_ms)}`,
    deadlineWords(decision),
    id,
    action === null ? "" : `SHA-256 ${action.sha256.slice(0, 12)}`,
  ]
    .filter((it) => it !== "")
    .join(" · ");
}

/** What notifications and screen readers say. */
function fallback({ decision, card, names, reason }: CardInput): string {
  const whom = names.length > 0 ? ` for ${names.join(", ")}` : "";
  const lead = reason === "reminder" ? "Reminder: a decision still waits" : "A decision waits";
  return escaped(`${lead}${whom}: ${safeLine(card.title)} (${safe(decision.project)})`);
}
