/** The decision in focus: its text, which scrolls, and below it the options, which stay in place. */
import type { DecisionView } from "../../api/api.ts";
import { count, standing } from "../../inbox/card/words.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, isOpen } from "../../inbox/model.ts";
import { haveSeen } from "../../inbox/sight.ts";
import { wrap } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { joined } from "../card/sections.ts";
import { bodyOf, draftLines } from "./body.ts";
import type { Answering } from "./options.ts";
import { answering, FORMS } from "./options.ts";
import type { Area, Look, Pane, View } from "./pane.ts";
import { rule, scrolled, still } from "./pane.ts";

/** So many lines of the text are in sight above the options, or the window is too small. */
const LEAST_TEXT = 3;

export function cardPane(inbox: Inbox, area: Area, view: View, look: Look): Pane {
  const { selected } = inbox;
  const decision = selected === null ? undefined : inbox.details.get(selected);
  if (selected === null) return still([]);
  if (!decision) return still([look.style.dim(`${selected} …`)]);
  const { width, height } = area;
  const { first: matter, rest, isCut } = bodyOf(decision, width, look, view.isUnfolded);
  const first = joined([draftOf(inbox, decision, width, look), matter]);
  const { lines: foot, asked } = isOpen(inbox, selected)
    ? fitting(inbox, decision, area, first.length, look)
    : { lines: ended(decision, width, look), asked: null };
  const room = height - foot.length - 1;
  const least = Math.min(LEAST_TEXT, first.length);
  if (room < least) {
    const needs = { columns: 0, rows: least - room };
    return { ...still([]), needs };
  }
  const body = [...first, ...(rest.length > 0 ? ["", ...rest] : [])];
  const { shown, from, most, step } = scrolled(body, room, view.scroll);
  while (shown.length < room) shown.push("");
  const isClosed = (asked ? asked.isCut : isCut) && !view.opened.has(selected);
  const sight = {
    ids: [selected],
    ...(asked ?? { lines: first, from, to: from + room }),
    isCut: isClosed,
  };
  const unseen = haveSeen(inbox, [selected]) ? 0 : Math.ceil((first.length - from - room) / step);
  const words =
    unseen > 0 && !asked
      ? `${count(unseen + (isClosed ? 1 : 0), "more screen")}: J`
      : isClosed
        ? "cut: e opens all of it"
        : from < most
          ? "more: J"
          : "";
  const paint = unseen > 0 || isClosed ? look.style.yellow : look.style.dim;
  return { lines: [...shown, rule(words, width, paint), ...foot], most, step, sight };
}

/** What the person made of it, until it is sent. */
function draftOf(inbox: Inbox, decision: DecisionView, width: number, look: Look): string[] {
  const { id } = decision;
  return isOpen(inbox, id) ? draftLines(decision, formOf(inbox, id), width, look) : [];
}

/** The most that is said about the options while all that must be seen is in sight; with long texts, a line for each. */
function fitting(
  inbox: Inbox,
  decision: DecisionView,
  { width, height }: Area,
  text: number,
  look: Look,
): Answering {
  const form = formOf(inbox, decision.id);
  const room = Math.max(2, Math.floor(height / 3));
  const all = FORMS.map((how) => answering(decision, form, { width, room, how }, look));
  const fits = all.find(({ lines }) => lines.length + 1 + text <= height);
  const [full, lines, labels] = all as [Answering, Answering, Answering];
  if (fits) return fits;
  if (full.lines.length <= height / 3) return full;
  return lines.lines.length + 1 + LEAST_TEXT <= height ? lines : labels;
}

function ended(decision: DecisionView, width: number, { style, now }: Look): string[] {
  const lines = wrap(safeLine(standing(decision, now)), width);
  return lines.slice(0, 3).map((it) => style.bold(style.yellow(it)));
}
