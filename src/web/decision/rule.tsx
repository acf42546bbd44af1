/** A rule in a page: its text, what it would have answered, and what can be done with it. The same for all rules. */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { TriedPolicies } from "../../api/api.ts";
import type { ScopeChoice } from "../../inbox/card/rule.ts";
import { triedWords } from "../../inbox/card/rule.ts";
import { safeLine } from "../../text/safe.ts";
import { useSight } from "../base/sight.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";
import { Code } from "./code.tsx";

interface RuleGiven {
  /** The decision, or the key of the suggestion, that this is the rule of. */
  id: string;
  /** Null if there is none; the children say why. */
  text: string | null;
  tried: TriedPolicies | null;
  children?: ComponentChildren;
}

/** It counts as seen once all of this has been in view. */
export function Rule({ id, text, tried, children }: RuleGiven) {
  const box = useRef<HTMLDivElement>(null);
  useSight(box, id, JSON.stringify([id, text, tried]), "saw-rule");
  return (
    <div ref={box} class="rule">
      {text !== null && <Code text={text} language="" label="The rule, as it would be written" whole />}
      {tried && triedWords(tried).map((it) => <p key={it}>{safeLine(it)}</p>)}
      {children}
    </div>
  );
}

interface ChoicesGiven<S extends string> {
  legend: string;
  choices: readonly ScopeChoice<S>[];
  chosen: S | null;
}

export function RuleChoices<S extends string>({ legend, choices, chosen }: ChoicesGiven<S>) {
  return (
    <fieldset class="place scopes">
      <legend>{legend}</legend>
      {choices.map((it) => (
        <label key={it.scope} class={`option${chosen === it.scope ? " chosen" : ""}`}>
          <input
            type="radio"
            name="scope"
            checked={chosen === it.scope}
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
  );
}
