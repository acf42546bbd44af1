/** The pages behind a link: what is asked, with a form; what became of it; and what can't be shown. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import type { Card } from "../../inbox/card/card.ts";
import { claimWords } from "../../inbox/card/waits.ts";
import { deliveryWords, standing, who } from "../../inbox/card/words.ts";
import { matterHtml, restHtml } from "../html/card.ts";
import { Html, html } from "../html/html.ts";
import { STYLE } from "../html/style.ts";
import type { ShownRule } from "../text/rule.ts";
import { noRuleWords } from "../text/rule.ts";
import type { Form } from "./form.ts";
import { formHtml } from "./form.ts";

export interface Asked {
  decision: DecisionView;
  card: Card;
  /** Nothing was taken out that might act: otherwise what acts is answered in the inbox alone. */
  showsAll: boolean;
  person: string;
  now: number;
}

/** The rule that approving may become. */
export interface PageRule {
  shown: ShownRule;
  /** Where its button goes. */
  action: string;
}

/** What came of what the visitor sent. */
export interface Note {
  isGood: boolean;
  text: string;
}

/** The whole decision and its form. The page of all options also has "I'm on it", as long as nobody is. */
export function askPage(
  { decision, card, person, showsAll, now }: Asked,
  how: {
    option: OptionView | null;
    action: string;
    given: Form;
    claim: string;
    rule: PageRule | null;
    note: Note | null;
  },
): string {
  const { option, note, claim, rule } = how;
  const claimed = claimWords(decision, now);
  return page(
    option ? `${option.label}: ${card.title}` : card.title,
    html`<p class="quiet">${who(decision)} asks ${person}</p>
<h1>${card.title}</h1>
${matterHtml(card)}
${note === null ? null : noteHtml(note)}
${claimed === null ? null : html`<p><strong>${claimed}</strong></p>`}
${showsAll ? null : html`<div class="note"><p>${HIDDEN}</p></div>`}
${formHtml(decision, option, how)}
${rule === null ? null : ruleHtml(rule)}
${option === null && decision.claimed === null ? claimHtml(claim) : null}
${restHtml(card)}`,
  );
}

const HIDDEN =
  "Some of it was taken out here because it looks secret. What lets somebody act on it can be chosen in the inbox alone.";

function claimHtml(action: string): Html {
  return html`<form method="post" action="${action}"><button type="submit">I'm on it</button></form>`;
}

/** The whole rule is above its button, and nothing is chosen until somebody does. Once is what the other form is for. */
function ruleHtml({ shown, action }: PageRule): Html {
  const title = html`<h2 id="remember">Remember this</h2>`;
  if (shown.type !== "whole") return html`${title}<p class="quiet">${noRuleWords(shown)}</p>`;
  const choices = shown.choices.filter((it) => it.scope !== "once");
  return html`<form method="post" action="${action}">
${title}
<p>Approve it, and let this rule approve the very same again:</p>
<pre><code>${shown.text}</code></pre>
${shown.lines.map((it) => html`<p class="quiet">${it}</p>`)}
<fieldset>
${choices.map(
  ({
    scope,
    label,
    effect,
  }) => html`<label class="option"><input type="radio" name="scope" value="${scope}" required>
<span>${label}<br><span class="quiet">${effect}</span></span></label>
`,
)}</fieldset>
<button type="submit">Approve, and remember it</button>
</form>`;
}

function noteHtml({ isGood, text }: Note): Html {
  return isGood
    ? html`<div class="note good" role="status"><p>${text}</p></div>`
    : html`<div class="note bad" role="alert"><p>${text}</p></div>`;
}

/** Who answered, when and what. */
export function settledPage({ decision, card, now }: Asked, note: Note | null): string {
  const delivery = decision.answer ? deliveryWords(decision) : null;
  return page(
    `${decision.state}: ${card.title}`,
    html`<p class="quiet">${who(decision)} asked</p>
<h1>${card.title}</h1>
${note === null ? null : noteHtml(note)}
<p><strong>${standing(decision, now)}</strong></p>
${delivery === null ? null : html`<p>${delivery}</p>`}
${restHtml(card)}`,
  );
}

export function sorryPage(title: string, text: string): string {
  return page(title, html`<h1>${title}</h1><p>${text}</p>`);
}

/** Nobody was logged in: why, and what to do. */
export function notLoggedInPage(why: string, todo: string): string {
  return page(
    "Not logged in",
    html`<h1>Not logged in</h1><p>${why}</p>
<p>${todo}</p>
<p><a href="/">To the inbox</a></p>`,
  );
}

export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title.slice(0, 120)} · Oddjobs</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
}
