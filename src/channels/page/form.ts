/** The form of a decision's page, without scripts: what it asks for, and the answer in what a browser sends. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import { isOther, withOther } from "../../core/text/resolve-hint.ts";
import { wordsNeededBy } from "../../inbox/card/needs.ts";
import type { Html } from "../html/html.ts";
import { html } from "../html/html.ts";
import type { Chosen } from "../text/chosen.ts";
import { chosen } from "../text/chosen.ts";

/** An answer as it was given on the page. */
export interface FormAnswer extends Chosen {
  /** One for each of several questions. */
  texts: (string | null)[];
}

export type Form = ReadonlyMap<string, readonly string[]>;

/** What somebody typed is never longer than this. */
const MAX_WORDS = 20_000;

/** With `option`: that one alone. `given` is what was sent before, if it has to be asked again. */
export function formHtml(
  decision: DecisionView,
  option: OptionView | null,
  { action, given }: { action: string; given: Form },
): Html {
  const fields = option
    ? html`<p><strong>${option.label}</strong>${about(option)}</p>`
    : decision.questions.length > 1
      ? severalHtml(decision, given)
      : choiceHtml(decision, given);
  const words = !option
    ? "Your words, if you want to add some"
    : wordsNeededBy(option, decision) !== null
      ? "Your words"
      : "A message (optional)";
  return html`<form method="post" action="${action}">
${fields}
${wordsHtml("words", words, given)}
<button type="submit">${option?.label ?? "Send the answer"}</button>
</form>`;
}

function choiceHtml({ questions, options }: DecisionView, given: Form): Html {
  const multiple = questions[0]?.multi_select ?? false;
  const rows = options.map((it) =>
    pickHtml({ name: "choice", value: String(it.number), multiple }, it.label, about(it), given),
  );
  const legend = multiple ? "Your answer: one or several" : "Your answer";
  return html`<fieldset><legend>${legend}</legend>${rows}</fieldset>`;
}

function severalHtml({ questions, options }: DecisionView, given: Form): Html {
  const asked = questions.map((asked, at) => {
    const { question, multi_select, options: own, closed } = asked;
    const rows = withOther(asked, own, { label: "Other", description: "in your own words" }).map(
      (it, index) =>
        pickHtml(
          { name: `choice${at}`, value: String(index + 1), multiple: multi_select },
          it.label,
          it.description === null ? null : html`<br><span class="quiet">${it.description}</span>`,
          given,
        ),
    );
    return html`<fieldset><legend>${question}</legend>${rows}
${closed ? null : wordsHtml(`words${at}`, "Other, in your own words", given)}</fieldset>`;
  });
  const instead = options.map((it) =>
    pickHtml({ name: "instead", value: it.key, multiple: false }, it.label, about(it), given),
  );
  const send = pickHtml(
    { name: "instead", value: "", multiple: false },
    "Send these answers",
    null,
    given.has("instead") ? given : new Map([["instead", [""]]]),
  );
  return html`${asked}<fieldset><legend>Then</legend>${send}${instead}</fieldset>`;
}

function pickHtml(
  { name, value, multiple }: { name: string; value: string; multiple: boolean },
  label: string,
  more: Html | null,
  given: Form,
): Html {
  const type = html`type="${multiple ? "checkbox" : "radio"}" name="${name}" value="${value}"`;
  const checked = given.get(name)?.includes(value) ? html` checked` : null;
  return html`<label class="option"><input ${type}${checked}><span>${label}${more}</span></label>\n`;
}

function about({ description, effect, recommended }: OptionView): Html {
  const words = [recommended ? "recommended" : "", description ?? "", effect].filter((it) => it !== "");
  return html`${words.map((it) => html`<br><span class="quiet">${it}</span>`)}`;
}

function wordsHtml(name: string, label: string, given: Form): Html {
  // a browser drops one line break after the tag
  return html`<label class="words">${label}<textarea name="${name}" maxlength="${MAX_WORDS}" rows="3">
${given.get(name)?.[0] ?? ""}</textarea></label>`;
}

/** What the form says, for the option that the link is bound to, or any. */
export function readForm(decision: DecisionView, option: OptionView | null, form: Form): FormAnswer {
  const words = said(form, "words");
  const none = { choices: [], option: null, text: null, texts: [], message: words };
  const several = decision.questions.length > 1;
  if (option && several) return { ...none, option: option.key };
  if (!several) {
    const numbers = option ? [option.number] : numbersIn(form, "choice");
    return { ...chosen(decision, numbers, words), texts: [] };
  }
  const instead = form.get("instead")?.[0] ?? "";
  if (instead !== "") return { ...none, option: instead };
  const choices = decision.questions.map((_, at) => numbersIn(form, `choice${at}`));
  const texts = decision.questions.map((it, at) =>
    isOther(it, choices[at] ?? []) ? said(form, `words${at}`) : null,
  );
  return { ...none, choices, texts: texts.some((it) => it !== null) ? texts : [] };
}

function numbersIn(form: Form, name: string): number[] {
  return (form.get(name) ?? []).filter((it) => /^\d{1,3}$/.test(it)).map(Number);
}

function said(form: Form, name: string): string | null {
  const text = (form.get(name)?.[0] ?? "").slice(0, MAX_WORDS).replaceAll("\r\n", "\n").trim();
  return text === "" ? null : text;
}
