/** The pages behind a link: what is asked, with a form; what became of it; and what can't be shown. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import type { Card } from "../../inbox/card/card.ts";
import { claimWords } from "../../inbox/card/waits.ts";
import { deliveryWords, standing, who } from "../../inbox/card/words.ts";
import { matterHtml, restHtml } from "../html/card.ts";
import { Html, html } from "../html/html.ts";
import { STYLE } from "../html/style.ts";
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

/** What came of what the visitor sent. */
export interface Note {
  isGood: boolean;
  text: string;
}

/** The whole decision and its form. The page of all options also has "I'm on it", as long as nobody is. */
export function askPage(
  { decision, card, person, showsAll, now }: Asked,
  how: { option: OptionView | null; action: string; given: Form; claim: string; note: Note | null },
): string {
  const { option, note, claim } = how;
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
${option === null && decision.claimed === null ? claimHtml(claim) : null}
${restHtml(card)}`,
  );
}

const HIDDEN =
  "Some of it was taken out here because it looks secret. What lets somebody act on it can be chosen in the inbox alone.";

function claimHtml(action: string): Html {
  return html`<form method="post" action="${action}"><button type="submit">I'm on it</button></form>`;
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

function page(title: string, content: Html): string {
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
