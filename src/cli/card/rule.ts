/** A rule that an approval would become, in lines: the same in the terminal's inbox, in `review` and in `oj policy remember`. */
import type { Rememberable } from "../../api/api.ts";
import type { ScopeChoice } from "../../inbox/remember.ts";
import { triedWords } from "../../inbox/remember.ts";
import { hang, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Fence } from "./fence.ts";

/** The rule as it would be written, and what it would have answered; or why there is none. */
export function ruleLines({ rule, why, tried }: Rememberable, { style, width }: Fence): string[] {
  if (rule === null) return hang("  ", safeLine(`It can't become a rule: ${why ?? ""}.`), width);
  const text = safe(rule.text).trimEnd().split("\n");
  return [
    ...wrap("The rule, as it would be written:", width),
    ...text.flatMap((it) => hang("  │ ", it, width)).map(style.cyan),
    ...(tried ? ["", ...triedWords(tried).flatMap((it) => wrap(safeLine(it), width))] : []),
  ];
}

export function scopeLines(
  choices: readonly ScopeChoice[],
  chosen: ScopeChoice["scope"] | null,
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
