/** A card as HTML for pages and mails: no scripts, no pictures, no links, and readable without its style. */
import { never } from "../../core/model/errors.ts";
import { fieldsText } from "../../core/text/fields-text.ts";
import type { Block, Card, Fact } from "../../inbox/card/card.ts";
import type { Html } from "./html.ts";
import { html } from "./html.ts";

/** What is decided about, and why: everything above the options. */
export function matterHtml({ matter, why }: Card): Html {
  return html`${section("matter", matter)}${section("why", why)}`;
}

/** What surfaces fold, then who and where. */
export function restHtml({ facts, changes, screen }: Card): Html {
  const fold = (name: string, blocks: readonly Block[]) =>
    blocks.length === 0 ? null : html`<details><summary>${name}</summary>${blocksHtml(blocks)}</details>`;
  return html`${fold("What it changed", changes)}${fold("Its screen", screen === null ? [] : [screen])}
${factsHtml(facts)}`;
}

export function factsHtml(facts: readonly Fact[]): Html {
  const rows = facts.map(({ name, text }) => html`<tr><th scope="row">${name}</th><td>${text}</td></tr>`);
  return html`<table class="facts">${rows}</table>`;
}

export function blocksHtml(blocks: readonly Block[]): Html {
  return html`${blocks.map(blockHtml)}`;
}

function section(name: string, blocks: readonly Block[]): Html | null {
  return blocks.length === 0 ? null : html`<section class="${name}">${blocksHtml(blocks)}</section>`;
}

function blockHtml(block: Block): Html {
  switch (block.type) {
    case "ours":
      return html`<p>${block.text}</p>`;
    case "said":
      return html`${label(block.by)}<blockquote>${block.text}</blockquote>`;
    case "printed":
      return html`${label(block.label)}<pre>${block.text}</pre>`;
    case "code":
      return html`${label(block.label)}<pre><code>${block.text}</code></pre>`;
    case "diff":
      return html`${label(block.path)}<pre class="diff">${block.lines.map(lineHtml)}</pre>`;
    case "fields":
      return html`${label(block.by)}<pre>${fieldsText({ ...block.fields })}</pre>`;
    default:
      return never(block);
  }
}

function label(text: string | null): Html | null {
  return text === null ? null : html`<p class="label">${text}</p>`;
}

type Line = Extract<Block, { type: "diff" }>["lines"][number];

const SIGNS = { added: "+", removed: "-", kept: " ", gap: "… " } as const;

function lineHtml({ kind, text }: Line): Html {
  const shown = `${SIGNS[kind]}${text}\n`;
  if (kind === "added") return html`<ins>${shown}</ins>`;
  return kind === "removed" ? html`<del>${shown}</del>` : html`${shown}`;
}
