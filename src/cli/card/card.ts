/**
 * A decision in full, in the order that every surface has: what is asked, the exact thing it is about, why, the options,
 * who and since when. What changed and the agent's screen are folded.
 */
import type { DecisionView } from "../../api/api.ts";
import { describe } from "../../inbox/card/describe.ts";
import type { Style } from "../../text/style.ts";
import { optionList } from "./options.ts";
import { namedOptions, severalQuestions } from "./questions.ts";
import type { Look } from "./sections.ts";
import { cardSections, factLines, joined } from "./sections.ts";

/** With `full`, nothing is folded. */
export function card(decision: DecisionView, look: Look, full = false): string {
  const { title, matter, why, facts, changes, screen } = cardSections(decision, look);
  const several = decision.questions.length > 1;
  const options = several
    ? [severalQuestions(decision, look), namedOptions(decision, look)]
    : [optionList(decision, look)];
  const about = several ? [why] : [matter, why]; // the questions are below, each with its options
  const folded = full ? [] : factLines(foldedFacts(decision), look);
  return joined([
    title,
    ...about,
    ...options,
    [...facts, ...folded],
    ...(full ? [changes, screen] : []),
  ]).join("\n");
}

/** What is folded, how long it is, and the command that shows it. */
function foldedFacts(decision: DecisionView): { name: string; text: string }[] {
  const { changes, screen } = describe(decision, decision.created_at_ms);
  const command = `oj decision show ${decision.id} --full`;
  const lines = changes.reduce((sum, it) => sum + (it.type === "diff" ? it.lines.length : 1), 0);
  const shown = screen?.type === "printed" ? screen.text.split("\n").length : 0;
  const rows = [
    { name: "changes", lines },
    { name: "screen", lines: shown },
  ];
  return rows
    .filter((it) => it.lines > 0)
    .map((it) => ({ name: it.name, text: `${it.lines} ${it.lines === 1 ? "line" : "lines"}: ${command}` }));
}

export function urgencyColour(urgency: DecisionView["urgency"], style: Style): (text: string) => string {
  return urgency === "high" ? style.red : urgency === "medium" ? style.yellow : style.dim;
}
