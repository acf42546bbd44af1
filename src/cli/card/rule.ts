/** A rule that an approval would become, in lines: the same in the terminal's inbox, in `review` and in `oj policy remember`. */
import type { Rememberable, SuggestionView } from "../../api/api.ts";
import type { ScopeChoice } from "../../inbox/card/rule.ts";
import { triedWords } from "../../inbox/card/rule.ts";
import { evidenceWords } from "../../inbox/suggestion.ts";
import { hang, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Fence } from "./fence.ts";

/** The rule as it would be written, and what it would have answered; or why there is none. */
export function ruleLines({ rule, why, tried }: Rememberable, { style, width }: Fence): string[] {
  if (rule === null) return hang("  ", safeLine(`It can't become a rule: ${why ?? ""}.`), width);
  return [
    ...textLines(rule.text, { style, width }),
    ...(tried ? ["", ...triedWords(tried).flatMap((it) => wrap(safeLine(it), width))] : []),
  ];
}

function textLines(rule: string, { style, width }: Fence): string[] {
  const text = safe(rule).trimEnd().split("\n");
  return [
    ...wrap("The rule, as it would be written:", width),
    ...text.flatMap((it) => hang("  │ ", it, width)).map(style.cyan),
  ];
}

/** A rule that is suggested: what it rests on, the rule, and what it would have answered. */
export function suggestionLines(one: SuggestionView, { style, width }: Fence): string[] {
  const left = one.answers - one.decisions.length;
  const evidence = one.decisions.map((it) => `${it.id}  ${safeLine(it.title)}  ${safeLine(it.by)}`);
  return [
    ...wrap(safeLine(evidenceWords(one)), width),
    "",
    ...textLines(one.text, { style, width }),
    "",
    ...triedWords(one.tried).flatMap((it) => wrap(safeLine(it), width)),
    "",
    ...wrap("It rests on:", width),
    ...evidence.flatMap((it) => hang("  ", it, width)).map(style.dim),
    ...(left > 0 ? [style.dim(`  and ${left} older`)] : []),
  ];
}

export function scopeLines<S extends string>(
  choices: readonly ScopeChoice<S>[],
  chosen: S | null,
  { style, width }: Fence,
): string[] {
  return choices.flatMap(({ number, scope, label, effect, problem }) => {
    const isChosen = scope === chosen;
    const head = ` ${number} ${isChosen ? "●" : " "} `;
    const text = problem === null ? `${label}: ${effect}` : `${label}: not now, ${problem}`;
    const paint = isChosen
      ? (it: string) => style.bold(style.cyan(it))
      : problem === null
        ? String
        : style.dim;
    return hang(head, safeLine(text), width).map(paint);
  });
}
