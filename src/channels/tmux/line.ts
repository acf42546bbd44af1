/** A decision as one line in a person's own tmux. tmux reads `#` and `%` in a message as formats, so both are doubled. */
import type { DecisionView } from "../../api/api.ts";
import type { NoticeReason } from "../../core/model/reach-types.ts";
import { who } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { waitingWords } from "../text/digest.ts";
import { cut } from "../text/matter.ts";

const LONGEST_TITLE = 120;

export function tmuxLine(
  decision: DecisionView,
  { reason, others }: { reason: NoticeReason; others: readonly unknown[] },
): string {
  if (others.length > 0) return literal(`oj: ${waitingWords(1 + others.length)} · oj decision watch`);
  const again = { reminder: "reminder: ", promoted: "blocks work now: " }[reason as string] ?? "";
  const title = cut(safeLine(decision.title), LONGEST_TITLE);
  return literal(`oj: ${again}${title} · ${cut(who(decision), 40)} · oj decision show ${decision.id}`);
}

function literal(text: string): string {
  return text.replaceAll("#", "##").replaceAll("%", "%%");
}
