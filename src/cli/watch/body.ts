/** The text of a decision in lines: what must be seen first, and then the rest. */
import type { DecisionView } from "../../api/api.ts";
import { sha256 } from "../../core/text/hash.ts";
import { draftBlocks } from "../../inbox/card/action.ts";
import { describe } from "../../inbox/card/describe.ts";
import { changeIn } from "../../inbox/edit.ts";
import type { AnswerForm } from "../../inbox/model.ts";
import { wrap } from "../../text/layout.ts";
import { blockLines } from "../card/blocks.ts";
import type { Sections } from "../card/sections.ts";
import { cardSections, factLines, joined } from "../card/sections.ts";
import type { Look } from "./pane.ts";
import { clip } from "./pane.ts";

export interface Body {
  /** What is asked, and what it is about: all of it must be seen before somebody may act. */
  first: string[];
  /** Why, who, since when, the agent's screen. */
  rest: string[];
  isCut: boolean;
}

/** A text with more lines is cut in its middle; the person can open it. */
const MOST_LINES = 200;
const HEAD = 140;
const TAIL = 40;

const known = new WeakMap<DecisionView, { width: number; style: Look["style"]; sections: Sections }>();

/** All its lines, wrapped once for each width: ages alone change with every second. */
function sectionsOf(decision: DecisionView, width: number, { style }: Look): Sections {
  const before = known.get(decision);
  if (before?.width === width && before.style === style) return before.sections;
  const sections = cardSections(decision, { style, width, now: decision.created_at_ms });
  known.set(decision, { width, style, sections });
  return sections;
}

/** With several questions, each is shown with its options, and not here. */
export function bodyOf(decision: DecisionView, width: number, look: Look, isUnfolded: boolean): Body {
  const { title, matter, why, changes, screen } = sectionsOf(decision, width, look);
  const cut = decision.questions.length > 1 ? [] : cutLines(matter, decision, look);
  const facts = factLines(describe(decision, look.now).facts, { ...look, width });
  const folded = [...changes, ...screen];
  const last = isUnfolded || folded.length === 0 ? folded : [look.style.dim(foldedWords(changes, screen))];
  return {
    first: joined([title, cut]).map((it) => clip(it, width)),
    rest: joined([why, facts, last]).map((it) => clip(it, width)),
    isCut: cut.length < matter.length && decision.questions.length <= 1,
  };
}

/** Nothing cut, nothing folded; all that must be seen comes first. */
export function wholeOf(
  decision: DecisionView,
  width: number,
  look: Look,
): { first: string[]; all: string[] } {
  const { title, matter, why, changes, screen } = sectionsOf(decision, width, look);
  const facts = factLines(describe(decision, look.now).facts, { ...look, width });
  const first = joined([title, matter]).map((it) => clip(it, width));
  const rest = joined([why, facts, changes, screen]).map((it) => clip(it, width));
  return { first, all: joined([first, rest]) };
}

const drafts = new WeakMap<AnswerForm, { width: number; style: Look["style"]; lines: string[] }>();

/** What the person made of it, as it goes with the answer: before anything else, so that nobody takes it for the original. */
export function draftLines(
  decision: DecisionView,
  form: AnswerForm,
  width: number,
  { style }: Look,
): string[] {
  const before = drafts.get(form);
  if (before?.width === width && before.style === style) return before.lines;
  const change = changeIn(decision, form);
  const lines =
    change === null
      ? []
      : "problem" in change
        ? wrap(`Your change can't be sent: ${change.problem}.`, width - 2).map((it) => `  ${it}`)
        : blockLines(draftBlocks(decision, change.input), { style, width }).map((it) => clip(it, width));
  drafts.set(form, { width, style, lines });
  return lines;
}

/** What a decision is about, without a cut. */
export function matterLines(decision: DecisionView, width: number, look: Look): string[] {
  return sectionsOf(decision, width, look).matter.map((it) => clip(it, width));
}

function cutLines(lines: readonly string[], decision: DecisionView, { style }: Look): string[] {
  if (lines.length <= MOST_LINES) return [...lines];
  const gone = lines.length - HEAD - TAIL;
  const { size, hash } = measured(decision);
  const words = [
    `  ✂ ${gone} lines are left out; e opens all of it`,
    `    ${size} characters, sha256 ${hash.slice(0, 16)}`,
  ];
  return [...lines.slice(0, HEAD), ...words.map(style.bold), ...lines.slice(-TAIL)];
}

const sizes = new WeakMap<DecisionView, { size: number; hash: string }>();

/** How long it is, and its hash: that of the action, to which an approval is bound. */
function measured(decision: DecisionView): { size: number; hash: string } {
  const before = sizes.get(decision);
  if (before) return before;
  const { action, context } = decision;
  const text = action ? JSON.stringify(action.input) : context;
  const found = { size: text.length, hash: action?.sha256 ?? sha256(text) };
  sizes.set(decision, found);
  return found;
}

function foldedWords(changes: readonly string[], screen: readonly string[]): string {
  const parts = [
    ...(changes.length > 0 ? [`what changed, ${changes.length} lines`] : []),
    ...(screen.length > 0 ? [`its screen, ${screen.length} lines`] : []),
  ];
  return `  ▸ ${parts.join("; ")} (s)`;
}
