/** The rule that an approval would become: the call, the rule, what it would have answered, and how long it lasts. */
import type { DecisionView, Rememberable } from "../../api/api.ts";
import { describe } from "../../inbox/card/describe.ts";
import type { Scope } from "../../inbox/card/rule.ts";
import { scopeChoices } from "../../inbox/card/rule.ts";
import { safeLine } from "../../text/safe.ts";
import { Matter } from "./matter.tsx";
import { Rule, RuleChoices } from "./rule.tsx";

interface Given {
  decision: DecisionView;
  found: Rememberable;
  scope: Scope | null;
}

export function Remember({ decision, found, scope }: Given) {
  const card = describe(decision, Date.now());
  const { rule, tried, why } = found;
  return (
    <>
      <Matter decision={decision} card={card}>
        <p class="given-title">{safeLine(card.title)}</p>
      </Matter>
      <Rule id={found.decision} text={rule?.text ?? null} tried={tried}>
        {rule === null && <p class="ours">It can't become a rule: {safeLine(why ?? "")}.</p>}
      </Rule>
      <RuleChoices legend="How long" choices={scopeChoices(found)} chosen={scope} />
    </>
  );
}
