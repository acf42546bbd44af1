/** A decision that is settled: who, what, whether it arrived. No button is left. */
import type { DecisionView } from "../../api/api.ts";
import type { Card } from "../../inbox/card/card.ts";
import { safeLine } from "../../text/safe.ts";
import { matterText, shown } from "../text/matter.ts";
import type { SlackBlock } from "./blocks.ts";
import { context, escaped, section, sections } from "./blocks.ts";
import { titleBlocks } from "./card.ts";
import { afterWords, settledWords } from "./standing.ts";

/** Enough to recognise it; the inbox has the rest. */
const MOST_MATTER = 1500;

export function settledMessage({ decision, card }: { decision: DecisionView; card: Card }): {
  text: string;
  blocks: SlackBlock[];
} {
  const words = settledWords(decision);
  const matter = shown(matterText(card), MOST_MATTER, decision.action).text;
  return {
    text: escaped(`${words} (${safeLine(card.title)})`),
    blocks: [
      ...titleBlocks(card),
      ...sections(matter),
      section(words),
      ...afterWords(decision).map((it) => context(it)),
      context(decision.id),
    ],
  };
}
