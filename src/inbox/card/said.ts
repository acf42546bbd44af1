/** What people have said so far, where it takes several of them: in lists, on cards, after an answer. */
import type { DecisionBrief, DecisionView } from "../../api/api.ts";
import { soFar } from "../../core/rights/rule.ts";
import { safeLine } from "../../text/safe.ts";

/** "1 of 2: ann said Ship it"; null if one person is enough, or nobody has said anything. */
export function saidWords(
  decision: Partial<Pick<DecisionView, "rule" | "said"> & Pick<DecisionBrief, "min">>,
): string | null {
  const { said = [], rule, min = rule?.min ?? 1 } = decision;
  const words = min < 2 ? null : soFar(min, said);
  return words === null ? null : safeLine(words);
}
