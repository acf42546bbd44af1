/** The rule that an approval would become: the call itself, the rule, what it would have answered, and how long it lasts. */

import { scopeChoices } from "../../inbox/card/rule.ts";
import type { Inbox, Mode } from "../../inbox/model.ts";
import { openOne, suggestionChoices } from "../../inbox/suggestion.ts";
import { wrap } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { ruleLines, scopeLines, suggestionLines } from "../card/rule.ts";
import { matterLines } from "./body.ts";
import type { Area, Look, Pane } from "./pane.ts";
import { clip, scrolled, still } from "./pane.ts";

export function rememberPane(
  inbox: Inbox,
  { id, found, scope }: Extract<Mode, { type: "remember" }>,
  { width, height }: Area,
  scroll: number,
  look: Look,
): Pane {
  const { style } = look;
  const decision = inbox.details.get(id);
  if (!decision || found === null) return still([style.dim(`${id} …`)]);
  const title = wrap(safeLine(`Remember: ${decision.title}`), width).map(style.bold);
  const about = matterLines(decision, width - 2, look).map((it) => clip(`  ${it}`, width));
  const lines = [...title, ...about, "", ...ruleLines(found, { style, width })].map((it) => clip(it, width));
  const choices = scopeLines(scopeChoices(found), scope, { style, width });
  return rulePane(id, lines, choices, { width, height }, scroll, look);
}

/** A rule that is suggested. */
export function suggestionPane(
  inbox: Inbox,
  mode: Extract<Mode, { type: "suggestion" }>,
  { width, height }: Area,
  scroll: number,
  look: Look,
): Pane {
  const { style } = look;
  const { suggestions } = inbox;
  const one = openOne(inbox, mode);
  if (!one) return still([]);
  const place =
    suggestions.length > 1 ? ` (${suggestions.indexOf(one) + 1} of ${suggestions.length}: j/k)` : "";
  const title = wrap(safeLine(`Your answers suggest a rule: ${one.what}${place}`), width).map(style.bold);
  const lines = [...title, "", ...suggestionLines(one, { style, width })].map((it) => clip(it, width));
  const choices = scopeLines(suggestionChoices(one), mode.scope, { style, width });
  return rulePane(one.key, lines, choices, { width, height }, scroll, look);
}

/** The text of a rule that scrolls, over what can be done with it. */
function rulePane(
  id: string,
  lines: readonly string[],
  choices: readonly string[],
  { height }: Area,
  scroll: number,
  { style }: Look,
): Pane {
  const room = height - choices.length - 1;
  if (room < LEAST_TEXT) return { ...still([]), needs: { columns: 0, rows: LEAST_TEXT - room } };
  const { shown, from, most, step } = scrolled(lines, room, scroll);
  while (shown.length < room) shown.push("");
  const more = style.yellow(from < most ? `  ↓ ${Math.ceil((most - from) / step)} more: J` : "");
  const sight = { ids: [id], lines, from, to: from + room, isCut: false, isRule: true as const };
  return { lines: [...shown, more, ...choices], most, step, sight };
}

const LEAST_TEXT = 3;
