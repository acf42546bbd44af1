/** The decision in focus: its text, which scrolls, and below it the options, which stay in place. */
import type { DecisionView } from "../../api/api.ts";
import type { Choice, ChoiceOption } from "../../inbox/answer.ts";
import { choicesOf } from "../../inbox/answer.ts";
import type { AnswerForm, Inbox } from "../../inbox/model.ts";
import { formOf, isOpen, wordsIn } from "../../inbox/model.ts";
import { standing } from "../../inbox/words.ts";
import { hang, truncate, uncoloured, widthOf, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { cardBody } from "../card/card.ts";
import type { Area, Look } from "./list-pane.ts";
import type { Sight } from "./sight.ts";

export interface Card {
  lines: string[];
  /** How far the text can be scrolled. */
  most: number;
  sight: Sight | null;
}

export function cardPane(inbox: Inbox, area: Area, scroll: number, look: Look): Card {
  const { selected } = inbox;
  const decision = selected === null ? undefined : inbox.details.get(selected);
  if (selected === null) return { lines: [], most: 0, sight: null };
  if (!decision) return { lines: [look.style.dim(`${selected} …`)], most: 0, sight: null };
  const { style } = look;
  const foot = isOpen(inbox, selected)
    ? answering(decision, formOf(inbox, selected), area, look)
    : [style.bold(style.yellow(truncate(safeLine(standing(decision, look.now)), area.width)))];
  const room = Math.max(1, area.height - foot.length - 1);
  const body = cardBody(decision, { style, width: area.width, now: look.now })
    .split("\n")
    .map((line) => clip(line, area.width));
  const most = Math.max(0, body.length - room);
  const from = Math.min(scroll, most);
  const text = body.slice(from, from + room);
  if (from < most) text[text.length - 1] = style.dim(`  ↓ ${most - from + 1} more lines (J, K)`);
  while (text.length < room) text.push("");
  const to = from < most ? from + room - 1 : from + room;
  const still = cardBody(decision, { style, width: area.width, now: decision.created_at_ms }); // without a clock
  const sight = { ids: [selected], lines: still.split("\n"), from, to, step: Math.max(1, room - 2) };
  return { lines: [...text, style.dim("─".repeat(area.width)), ...foot], most, sight };
}

/** Cuts a line that is still too long; its colours go too, since cutting might leave them open. */
function clip(line: string, width: number): string {
  return widthOf(line) <= width ? line : truncate(uncoloured(line), width);
}

function answering(decision: DecisionView, form: AnswerForm, { width, height }: Area, look: Look): string[] {
  const places = choicesOf(decision);
  const place = places[form.at];
  if (!place) return [];
  const tabs = places.length > 1 ? [tabLine(places, form, width, look)] : [];
  const title =
    places.length > 1 && place.title !== null
      ? short(wrap(safe(place.title), width), Math.max(2, Math.floor(height / 4)), decision.id).map((it) =>
          look.style.bold(truncate(it, width)),
        )
      : [];
  const text = wordsIn(form, "text");
  const words = [
    ...(text === "" ? [] : [`  words: ${truncate(safeLine(text), width - 10)}`]),
    ...(form.message === "" ? [] : [`  why: ${truncate(safeLine(form.message), width - 8)}`]),
  ];
  const long = place.options.flatMap((it) => optionLines(it, place, form, width, look, true));
  const brief = place.options.flatMap((it) => optionLines(it, place, form, width, look, false));
  const fits = long.length + tabs.length + title.length + words.length <= Math.floor(height / 2);
  return [...tabs, ...title, ...(fits ? long : brief), ...words];
}

/** Cuts a long question so that its options stay on the screen, and says where to read the rest. */
function short(lines: readonly string[], most: number, id: string): string[] {
  if (lines.length <= most) return [...lines];
  const kept = lines.slice(0, most - 1);
  return [...kept, `… ${lines.length - kept.length} more lines: oj decision show ${id}`];
}

function tabLine(places: readonly Choice[], form: AnswerForm, width: number, { style }: Look): string {
  const names = places.map((it, at) => {
    const done = (form.choices[at] ?? []).length > 0 ? "✓" : " ";
    const name = `${done}${safeLine(it.header ?? it.title ?? String(at + 1)).slice(0, 16)}`;
    return at === form.at ? style.bold(style.cyan(`[${name}]`)) : ` ${name} `;
  });
  return names.length * 18 > width ? `question ${form.at + 1} of ${places.length}` : names.join(" ");
}

function optionLines(
  option: ChoiceOption,
  place: Choice,
  form: AnswerForm,
  width: number,
  { style }: Look,
  long: boolean,
): string[] {
  const chosen = (form.choices[form.at] ?? []).includes(option.number);
  const box = place.multiple ? (chosen ? "[✓]" : "[ ]") : chosen ? " ● " : "   ";
  const star = option.recommended ? " ★" : "";
  const focus = form.cursor === option.number - 1 ? "›" : " ";
  const head = `${focus}${option.number} ${box}`;
  const label = `${safeLine(option.label)}${star}`;
  const alike = place.options.every((it) => it.effect === option.effect); // then the effect says nothing
  const effect = alike || option.description !== null ? "" : option.effect;
  const rest = option.description ?? effect;
  const says = rest === "" ? "" : `  ${safeLine(rest)}`;
  if (long && label.length + says.length > width - 8) {
    const [first = "", ...more] = hang(`${head} `, label, width);
    return [
      chosen ? style.bold(style.cyan(first)) : style.bold(first),
      ...more,
      ...wrap(says.trim(), width - 8).map((it) => style.dim(`       ${it}`)),
    ];
  }
  const line = truncate(`${head} ${label}${says}`, width);
  const cut = Math.min(line.length, head.length + 1 + label.length);
  const [bold, dim] = [line.slice(0, cut), line.slice(cut)];
  return [`${chosen ? style.bold(style.cyan(bold)) : style.bold(bold)}${style.dim(dim)}`];
}
