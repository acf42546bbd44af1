/** What one answer is about to go to: each decision with its own action, in full, before Enter sends it. */
import type { DecisionView } from "../../api/api.ts";
import { read } from "../../inbox/answer.ts";
import { count, who } from "../../inbox/card/words.ts";
import { isFailure } from "../../inbox/failed.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf } from "../../inbox/model.ts";
import { hang, truncate, wrap } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { matterLines } from "./body.ts";
import type { Area, Look, Pane } from "./pane.ts";
import { clip, scrolled } from "./pane.ts";

const DISMISSED = "Nothing is approved; whoever asked is told that it was dismissed.";
const DROPPED = "It leaves the inbox. The job stays failed, and can still be resumed.";

export function confirmPane(
  inbox: Inbox,
  { what, ids }: { what: "dismiss" | "together"; ids: readonly string[] },
  { width, height }: Area,
  scroll: number,
  look: Look,
): Pane {
  const { style } = look;
  const isDrop = ids.every(isFailure);
  const answer = what === "together" ? answerOf(inbox) : isDrop ? "Drop" : "Dismiss";
  const head = ids.length === 1 ? `${answer}?` : `${answer}: ${count(ids.length, "decision")}?`;
  const note = what === "dismiss" ? [`  ${isDrop ? DROPPED : DISMISSED}`] : [];
  const details = ids.map((id) => inbox.details.get(id));
  let before = "";
  const members = details.flatMap((decision, at) => {
    if (!decision) return [style.dim(`${at + 1}  ${ids[at]} …`)];
    const about = aboutLines(decision, width, look);
    const isSame = at > 0 && about.join("\n") === before;
    before = about.join("\n");
    return [
      "",
      ...memberHead(decision, at, width, look),
      ...(isSame ? [sameLine(about, width, look)] : about),
    ];
  });
  const lines = [...wrap(safeLine(head), width).map(style.bold), ...note, ...members];
  const { shown, from, most, step } = scrolled(lines, height - 1, scroll);
  const loaded = ids.filter((id) => inbox.details.has(id));
  const sight = { ids: loaded, lines, from, to: from + height - 1, isCut: false };
  const below = Math.ceil((most - from) / step);
  const last = style.dim(below > 0 ? `  ↓ ${count(below, "more screen")}: J` : "");
  while (shown.length < height - 1) shown.push("");
  return { lines: [...shown, last], most, step, sight: loaded.length === ids.length ? sight : null };
}

function answerOf(inbox: Inbox): string {
  const decision = inbox.selected === null ? undefined : inbox.details.get(inbox.selected);
  const reading = decision && read(decision, formOf(inbox, decision.id));
  return reading?.type === "ready" ? reading.words : "";
}

/** What it asks, and the exact thing that it is about. */
function aboutLines(decision: DecisionView, width: number, look: Look): string[] {
  const title = hang("   ", safeLine(decision.title), width);
  return [...title, ...matterLines(decision, width - 2, look).map((it) => clip(`  ${it}`, width))];
}

/** The number, who asks, where, the id. */
function memberHead(decision: DecisionView, at: number, width: number, { style }: Look): string[] {
  const words = `${at + 1}  ${who(decision)}  ${safeLine(decision.project)}  ${decision.id}`;
  return [style.bold(truncate(words, width))];
}

/** Identical to the one above it, letter for letter: its beginning is enough. */
function sameLine(about: readonly string[], width: number, { style }: Look): string {
  return style.dim(truncate(`   the same: ${about[0]?.trim() ?? ""}`, width));
}
