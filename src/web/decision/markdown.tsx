/**
 * Markdown as elements of the page. Text never becomes HTML: the parser returns a tree, and only known nodes of it are
 * drawn, with text as text. So there is nothing to sanitise; images and markup are shown as their source, links with
 * their target.
 */

import type { Token, Tokens } from "marked";
import { Lexer } from "marked";
import type { ComponentChild, ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { safe, safeLine } from "../../text/safe.ts";
import { Scrolls } from "../parts/scrolls.tsx";
import { Code } from "./code.tsx";

/** Text that is longer or nested deeper is shown as it is: what takes a parser long was not written for people. */
const LONGEST = 100_000;
const DEEPEST = 40;

export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => parse(text), [text]);
  if (tokens === null) return <pre class="plain">{safe(text)}</pre>;
  return <div class="markdown">{blocks(tokens, 0)}</div>;
}

function parse(text: string): Token[] | null {
  if (text.length > LONGEST || isStrange(text)) return null;
  try {
    return new Lexer({ gfm: true }).lex(safe(text));
  } catch {
    return null;
  }
}

/** Long runs of opening characters make parsers slow. */
function isStrange(text: string): boolean {
  return /[[\]()*_`~<>!#|\\]{200}|(?:^|\n)[ \t]*(?:[>*+-][ \t]*){40}/.test(text);
}

function blocks(tokens: readonly Token[], depth: number): ComponentChild[] {
  if (depth > DEEPEST) return tokens.map((it) => it.raw);
  return tokens.map((token, at) => block(token, depth, at));
}

function block(token: Token, depth: number, key: number): ComponentChild {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading": {
      const { depth: level, tokens } = token as Tokens.Heading;
      const Heading = `h${Math.min(level + 2, 6)}` as "h3";
      return (
        <Heading key={key} class={`heading heading-${Math.min(level, 4)}`}>
          {inlines(tokens, depth)}
        </Heading>
      );
    }
    case "paragraph":
      return <p key={key}>{inlines((token as Tokens.Paragraph).tokens, depth)}</p>;
    case "code": {
      const { text, lang } = token as Tokens.Code;
      return <Code key={key} text={text} language={lang ?? ""} />;
    }
    case "blockquote":
      return <blockquote key={key}>{blocks((token as Tokens.Blockquote).tokens, depth + 1)}</blockquote>;
    case "list":
      return <List key={key} list={token as Tokens.List} depth={depth} />;
    case "table":
      return <Table key={key} table={token as Tokens.Table} depth={depth} />;
    case "hr":
      return <hr key={key} />;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return <span key={key}>{tokens ? inlines(tokens, depth) : decoded(text)}</span>;
    }
    default:
      return <p key={key}>{token.raw}</p>; // HTML: shown as it was written
  }
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((it, at) => (
    <li key={at} class={it.task ? "task" : undefined}>
      {it.task && <span aria-hidden="true">{it.checked ? "☑ " : "☐ "}</span>}
      {it.task && <span class="unseen">{it.checked ? "done: " : "to do: "}</span>}
      {blocks(
        it.tokens.filter((one) => one.type !== "checkbox"),
        depth + 1,
      )}
    </li>
  ));
  return list.ordered ? <ol start={list.start === "" ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, depth }: { table: Tokens.Table; depth: number }) {
  return (
    <Scrolls kind="table" label="table">
      <table>
        <thead>
          <tr>
            {table.header.map((it) => (
              <th key={it.text} scope="col">
                {inlines(it.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((it, column) => (
                <td key={column}>{inlines(it.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}

function inlines(tokens: readonly Token[] | undefined, depth: number): ComponentChild[] {
  if (!tokens) return [];
  if (depth > DEEPEST) return tokens.map((it) => it.raw);
  return tokens.map((token, at) => inline(token, depth + 1, at));
}

function inline(token: Token, depth: number, key: number): ComponentChild {
  const children = () => inlines((token as Tokens.Generic).tokens, depth);
  switch (token.type) {
    case "strong":
      return <strong key={key}>{children()}</strong>;
    case "em":
      return <em key={key}>{children()}</em>;
    case "del":
      return <del key={key}>{children()}</del>;
    case "codespan":
      return <code key={key}>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br key={key} />;
    case "escape":
      return (token as Tokens.Escape).text;
    case "link":
      return (
        <Link key={key} href={(token as Tokens.Link).href}>
          {children()}
        </Link>
      );
    case "text":
      return decoded((token as Tokens.Text).text);
    default:
      return token.raw; // images and HTML
  }
}

/** Shows where it leads, and opens there in a window that knows nothing about this one. */
function Link({ href, children }: { href: string; children: ComponentChildren }) {
  const target = targetOf(href);
  if (target === null)
    return (
      <span>
        {children} <span class="target">({safeLine(href)})</span>
      </span>
    );
  return (
    <span>
      <a href={target} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>{" "}
      <span class="target">({safeLine(target)})</span>
    </span>
  );
}

function targetOf(href: string): string | null {
  try {
    const url = new URL(href);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Decodes the few entities that people write; the result is still plain text. */
function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? "'");
}
