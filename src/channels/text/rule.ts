/** The rule that an approval would become, as a message may show it: all of its text, as it is, or not at all. */
import type { Rememberable } from "../../api/api.ts";
import { hasHidden } from "../../core/text/secrets/known.ts";
import { redactAll } from "../../core/text/secrets/redact.ts";
import type { ScopeChoice } from "../../inbox/card/rule.ts";
import { scopeChoices, triedWords } from "../../inbox/card/rule.ts";
import { safe } from "../../text/safe.ts";

export type ShownRule =
  /** Its whole text. `lines` says what it would have answered, and what can't be chosen now. */
  | { type: "whole"; text: string; hash: string; lines: string[]; choices: ScopeChoice[] }
  /** There is one, and this is not the place for it. */
  | { type: "hidden"; why: string }
  | { type: "none"; why: string };

/** Disagreements beyond these are counted. */
const MOST_LINES = 5;

/** `most` is how many characters of a rule there is room for. */
export function shownRule(found: Rememberable, most: number): ShownRule {
  const { rule, tried } = found;
  if (rule === null) return { type: "none", why: redactAll(found.why ?? "there is none").value };
  const text = rule.text.trimEnd();
  if (redactAll(text).value !== text || hasHidden(text))
    return { type: "hidden", why: "something in it looks secret" };
  if (safe(text) !== text) return { type: "hidden", why: "it has characters that can't be shown" };
  if (text.length > most) return { type: "hidden", why: "it is too long" };
  const all = scopeChoices({
    rule: { ...rule, ...redactAll({ asker: rule.asker, problem: rule.problem }).value },
  });
  const problems = all.flatMap(({ label, problem }) =>
    problem === null ? [] : [`${label}: not now, ${problem}`],
  );
  const words = tried ? triedWords(tried) : [];
  const left = words.length - MOST_LINES;
  const lines = [...words.slice(0, MOST_LINES), ...(left > 0 ? [`… and ${left} more.`] : []), ...problems];
  return { type: "whole", text, hash: rule.hash, lines, choices: all.filter((it) => it.problem === null) };
}

export const RULE_LEAD = "The rule, as it would be written:";

export function noRuleWords({ type, why }: Exclude<ShownRule, { type: "whole" }>): string {
  return type === "none" ? `It can't become a rule: ${why}.` : `This is not the place for its rule: ${why}.`;
}
