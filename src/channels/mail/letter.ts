/**
 * A mail as text and as HTML, from the same parts. What comes from outside stands behind a bar or in a box: nothing in it
 * can pass for an option, a link or a sentence of ours.
 */
import { never } from "../../core/model/errors.ts";
import type { Block, Fact } from "../../inbox/card/card.ts";
import { wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { blocksHtml, factsHtml } from "../html/card.ts";
import { Html, html } from "../html/html.ts";
import { STYLE } from "../html/style.ts";

export type Part =
  /** Our own sentence. */
  | { type: "say"; text: string }
  | { type: "title"; text: string }
  | { type: "link"; words: string; url: string }
  | { type: "blocks"; blocks: readonly Block[] }
  | { type: "choices"; name: string; choices: readonly Choice[] }
  | { type: "facts"; facts: readonly Fact[] };

export interface Choice {
  number: number;
  label: string;
  about: readonly string[];
  link: { words: string; url: string } | null;
}

export interface Letter {
  subject: string;
  text: string;
  html: string;
}

const WIDTH = 76;
const MAX_SUBJECT = 150;

export function letter(subject: string, parts: readonly Part[]): Letter {
  const line = safeLine(subject);
  return {
    subject: line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 1)}…` : line,
    text: `${parts.map((it) => textOf(it).join("\n")).join("\n\n")}\n`,
    html: page(line, parts),
  };
}

function textOf(part: Part): string[] {
  switch (part.type) {
    case "say":
      return wrap(safe(part.text), WIDTH);
    case "link":
      return [`${part.words}: ${part.url}`]; // never broken into lines
    case "title":
      return wrap(safeLine(part.text), WIDTH);
    case "blocks":
      return part.blocks.flatMap((it, at) => [...(at === 0 ? [] : [""]), ...blockText(it)]);
    case "choices":
      return [safeLine(part.name), ...part.choices.flatMap(choiceText)];
    case "facts":
      return part.facts.map(({ name, text }) => `${name}: ${safeLine(text)}`);
    default:
      return never(part);
  }
}

function choiceText({ number, label, about, link }: Choice): string[] {
  return [
    `  ${number}  ${safeLine(label)}`,
    ...about.flatMap((it) => wrap(safeLine(it), WIDTH - 5).map((line) => `     ${line}`)),
    ...(link ? [`     ${link.words === "" ? "" : `${link.words}: `}${link.url}`] : []),
  ];
}

const SIGNS = { added: "+", removed: "-", kept: " ", gap: "… " } as const;

function blockText(block: Block): string[] {
  const bar = (text: string) =>
    safe(text)
      .split("\n")
      .map((line) => `  | ${line}`.trimEnd());
  const label = (text: string | null) => (text === null ? [] : [`${safeLine(text)}:`]);
  switch (block.type) {
    case "ours":
      return wrap(safe(block.text), WIDTH);
    case "said":
      return [...label(block.by), ...bar(block.text)];
    case "printed":
    case "code":
      return [...label(block.label), ...bar(block.text)];
    case "diff":
      return [...label(block.path), ...block.lines.flatMap(({ kind, text }) => bar(`${SIGNS[kind]}${text}`))];
    case "fields":
      return [];
    default:
      return never(block);
  }
}

function page(subject: string, parts: readonly Part[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${new Html(STYLE)}</style>
</head>
<body><main>
${parts.map(htmlOf)}
</main></body>
</html>
`.text;
}

function htmlOf(part: Part): Html {
  switch (part.type) {
    case "say":
      return html`<p>${part.text}</p>\n`;
    case "link":
      return html`<p>${part.words}: <a href="${part.url}">${part.url}</a></p>\n`;
    case "title":
      return html`<h1>${safeLine(part.text)}</h1>\n`;
    case "blocks":
      return blocksHtml(part.blocks);
    case "choices":
      return html`<h2>${part.name}</h2>\n<table class="facts">${part.choices.map(choiceHtml)}</table>\n`;
    case "facts":
      return factsHtml(part.facts);
    default:
      return never(part);
  }
}

function choiceHtml({ number, label, about, link }: Choice): Html {
  const name = link?.words === "" ? html`<a href="${link.url}">${label}</a>` : html`${label}`;
  const open = link && link.words !== "" ? html`<br><a href="${link.url}">${link.words}</a>` : null;
  const more = about.map((it) => html`<br><span class="quiet">${it}</span>`);
  return html`<tr><th scope="row">${number}</th><td>${name}${more}${open}</td></tr>\n`;
}
