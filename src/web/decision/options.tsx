/**
 * The options as large buttons, or several questions as a form. Native radios and checkboxes, so that assistive
 * technology knows them.
 */

import type { DecisionView } from "../../api/api.ts";
import type { Choice, ChoiceOption } from "../../inbox/answer.ts";
import { choicesOf } from "../../inbox/answer.ts";
import { isOurs } from "../../inbox/card/words.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf } from "../../inbox/model.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";
import { Words } from "./words.tsx";

interface Given {
  inbox: Inbox;
  decision: DecisionView;
  disabled: boolean;
}

export function Options({ inbox, decision, disabled }: Given) {
  const places = choicesOf(decision);
  const common = commonEffect(decision);
  return (
    <div class="places">
      {places.map((place, at) => (
        <Place
          key={at}
          place={
            common === "" ? place : { ...place, options: place.options.map((it) => ({ ...it, effect: "" })) }
          }
          at={at}
          inbox={inbox}
          decision={decision}
          disabled={disabled}
          several={places.length > 1}
        />
      ))}
      {common !== "" && <p class="common-effect">→ {safe(common)}</p>}
    </div>
  );
}

function Place({
  place,
  at,
  inbox,
  decision,
  disabled,
  several,
}: Given & { place: Choice; at: number; several: boolean }) {
  const { id } = decision;
  const form = formOf(inbox, id);
  const chosen = form.choices[at] ?? [];
  const other = several && place.options.find((it) => it.needs === "text" && chosen.includes(it.number));
  const isHere = several && form.at === at;
  return (
    <fieldset class={`place${isHere ? " here" : ""}`} disabled={disabled}>
      <legend>
        <Legend place={place} several={several} />
        {place.multiple && <span class="hint"> You can choose several.</span>}
      </legend>
      {place.options.map((option) => (
        <Option
          key={option.number}
          option={option}
          name={`${id}-${at}`}
          kind={place.multiple && isOwn(decision, at, option) ? "checkbox" : "radio"}
          checked={chosen.includes(option.number)}
          onChoose={() => dispatch({ type: "chose", id, at, number: option.number })}
        />
      ))}
      {other && (
        <Words
          inbox={inbox}
          id={id}
          field="text"
          at={at}
          label={`In your own words: ${safeLine(place.header ?? place.title ?? "")}`}
          hint="t"
          disabled={disabled}
        />
      )}
    </fieldset>
  );
}

/** What it is about stands above; of several questions, each is named here. */
function Legend({ place, several }: { place: Choice; several: boolean }) {
  const title = safeLine(place.title ?? (several ? "Send the answers" : "Your answer"));
  const isNamed = several && place.title !== null && place.header;
  return (
    <>
      {isNamed && safeLine(place.header ?? "")}
      {several && !isNamed ? title : <span class="unseen">{title}</span>}
    </>
  );
}

interface OptionGiven {
  option: ChoiceOption;
  name: string;
  kind: "radio" | "checkbox";
  checked: boolean;
  onChoose(): void;
}

function Option({ option, name, kind, checked, onChoose }: OptionGiven) {
  const { number, label, description, effect, recommended } = option;
  return (
    <label class={`option${checked ? " chosen" : ""}`}>
      <input
        type={kind}
        name={name}
        value={number}
        data-number={number}
        checked={checked}
        onChange={onChoose}
      />
      <Key>{number}</Key>
      <span class="option-text">
        <span class="option-label">
          {safeLine(label)}
          {recommended && <span class="tag recommended">recommended</span>}
        </span>
        {description !== null && description !== "" && <span class="option-about">{safe(description)}</span>}
        {effect !== "" && <span class="option-effect">→ {safe(effect)}</span>}
      </span>
    </label>
  );
}

/** Whether the option belongs to the question itself; Other, Cancel and the like are set apart. */
function isOwn({ questions }: DecisionView, at: number, { number }: ChoiceOption): boolean {
  return number <= (questions[at]?.options.length ?? 0);
}

/** An effect that all options share is shown once, below them. */
function commonEffect(decision: DecisionView): string {
  if (isOurs(decision)) return "";
  const effects = new Set(decision.options.map((it) => it.effect));
  const [one = ""] = effects;
  return effects.size === 1 && decision.options.length > 1 ? one : "";
}
