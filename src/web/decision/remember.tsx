/** The rule that an approval would become: the call, the rule, what it would have answered, and how long it lasts. */
import { useRef } from "preact/hooks";
import type { DecisionView, Rememberable } from "../../api/api.ts";
import { describe } from "../../inbox/card/describe.ts";
import type { Scope } from "../../inbox/remember.ts";
import { scopeChoices, triedWords } from "../../inbox/remember.ts";
import { safeLine } from "../../text/safe.ts";
import { useSight } from "../base/sight.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";
import { Code } from "./code.tsx";
import { Matter } from "./matter.tsx";

interface Given {
  decision: DecisionView;
  found: Rememberable;
  scope: Scope | null;
}

export function Remember({ decision, found, scope }: Given) {
  const card = describe(decision, Date.now());
  return (
    <>
      <Matter decision={decision} card={card}>
        <p class="given-title">{safeLine(card.title)}</p>
      </Matter>
      <Rule found={found} />
      <fieldset class="place scopes">
        <legend>How long</legend>
        {scopeChoices(found).map((it) => (
          <label key={it.scope} class={`option${scope === it.scope ? " chosen" : ""}`}>
            <input
              type="radio"
              name="scope"
              checked={scope === it.scope}
              disabled={it.problem !== null}
              onChange={() => dispatch({ type: "key", key: { choose: it.number } })}
            />
            <Key>{it.number}</Key>
            <span class="option-text">
              <span class="option-label">{it.label}</span>
              <span class="option-effect">
                {it.problem === null ? "→" : "not now:"} {safeLine(it.problem ?? it.effect)}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

function Rule({ found }: { found: Rememberable }) {
  const box = useRef<HTMLDivElement>(null);
  const { rule, tried, why, decision } = found;
  useSight(box, decision, JSON.stringify(found), "saw-rule");
  return (
    <div ref={box} class="rule">
      {rule === null ? (
        <p class="ours">It can't become a rule: {safeLine(why ?? "")}.</p>
      ) : (
        <Code text={rule.text} language="" label="The rule, as it would be written" whole />
      )}
      {tried && triedWords(tried).map((it) => <p key={it}>{safeLine(it)}</p>)}
    </div>
  );
}
