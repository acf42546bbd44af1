/** Several decisions in one message: what `/oj` shows, and a digest. Each has a button that shows its card. */
import type { DecisionView } from "../../api/api.ts";
import { describeAge, ownerName } from "../../core/text/words.ts";
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { waitingWords } from "../text/digest.ts";
import { cut } from "../text/matter.ts";
import type { SlackBlock } from "./blocks.ts";
import { context, escaped, LIMITS, plain, section } from "./blocks.ts";
import { button } from "./buttons.ts";
import { isSettled, settledWords } from "./standing.ts";

/** Fifty blocks are the most, and a list of more is not read. */
const MOST_LISTED = 20;

export function listMessage(
  decisions: readonly DecisionView[],
  { now, title }: { now: number; title: string | null },
): { text: string; blocks: SlackBlock[] } {
  if (decisions.length === 0) return { text: NOTHING, blocks: [section(NOTHING)] };
  const waiting = decisions.filter((it) => !isSettled(it)).length;
  const lead = title ?? waitingWords(waiting);
  const listed = decisions.slice(0, MOST_LISTED);
  const rest = decisions.length - listed.length;
  return {
    text: escaped(`${lead}: ${safeLine(listed[0]?.title ?? "")}`),
    blocks: [
      { type: "header", text: plain(lead, LIMITS.header) },
      ...listed.map((it) => row(it, now)),
      ...(rest > 0 ? [context(`${count(rest, "more decision")} in the inbox: oj decision watch`)] : []),
    ],
  };
}

const NOTHING = "Nothing waits for you.";

function row(decision: DecisionView, now: number): SlackBlock {
  const { id, title, owner, project, urgency, created_at_ms } = decision;
  const name = cut(safeLine(title), 200);
  if (isSettled(decision)) return section(`${name}\n${cut(settledWords(decision), 200)}`);
  const about = [
    ...(urgency === "medium" ? [] : [`${urgency} urgency`]),
    cut(safeLine(ownerName(owner)), 80),
    cut(safeLine(project), 60),
    describeAge(now - created_at_ms),
  ];
  return {
    type: "section",
    text: plain(`${name}\n${about.join(" · ")}`, LIMITS.section),
    accessory: button("Show", { type: "show", id }),
  };
}
