/**
 * The parts of a card. Ours is plain text on the page; what others said stands behind a bar with their name; what
 * programs printed and what would run is in boxes of its own, word for word.
 */
import type { ComponentChildren } from "preact";
import { never } from "../../core/model/errors.ts";
import type { Block, Fact } from "../../inbox/card/card.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { decisionPath, jobPath } from "../base/route.ts";
import { Code } from "./code.tsx";
import { Diff, looksLikeDiff } from "./diff.tsx";
import { Markdown } from "./markdown.tsx";

interface Given {
  blocks: readonly Block[];
  sha256?: string | null;
}

export function Blocks({ blocks, sha256 = null }: Given) {
  return (
    <>
      {blocks.map((it, at) => (
        <Drawn key={at} block={it} sha256={sha256} />
      ))}
    </>
  );
}

function Drawn({ block, sha256 }: { block: Block; sha256: string | null }) {
  switch (block.type) {
    case "ours":
      return <p class="ours">{safe(block.text)}</p>;
    case "said":
      return (
        <Said by={block.by}>
          <Words text={block.text} />
        </Said>
      );
    case "printed":
      return (
        <Code
          text={block.text}
          label={block.label}
          language={looksLikeDiff(block.text) ? "diff" : "text"}
          whole
        />
      );
    case "code":
      return isShort(block) ? (
        <p class="value">
          <span class="code-label">{safeLine(block.label ?? "")}</span> <code>{safeLine(block.text)}</code>
        </p>
      ) : (
        <Code text={block.text} label={block.label} language={block.language} sha256={sha256} whole />
      );
    case "diff":
      return <Diff path={block.path} lines={block.lines} />;
    case "fields":
      return (
        <Said by={block.by}>
          <Fields fields={block.fields} />
        </Said>
      );
    default:
      return never(block);
  }
}

/** A named value of a few words needs no box. */
function isShort({ label, language, text }: Extract<Block, { type: "code" }>): boolean {
  return label !== null && language !== "shell" && text.length <= SHORT && !text.includes("\n");
}

const SHORT = 100;

function Said({ by, children }: { by: string; children: ComponentChildren }) {
  return (
    <figure class="said">
      <figcaption>{safeLine(by)}</figcaption>
      {children}
    </figure>
  );
}

/** Markdown, or a diff that came without its fence. */
function Words({ text }: { text: string }) {
  return looksLikeDiff(text) && !text.includes("```") ? (
    <Code text={text} language="diff" whole />
  ) : (
    <Markdown text={text} />
  );
}

function Fields({ fields }: { fields: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="fields">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{safeLine(name)}</dt>
          <dd>
            <Field value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Field({ value }: { value: unknown }) {
  if (typeof value === "string") return <Words text={value} />;
  if (Array.isArray(value) && value.every((it) => typeof it === "string"))
    return (
      <ul>
        {value.map((it, at) => (
          <li key={at}>
            <Markdown text={it} />
          </li>
        ))}
      </ul>
    );
  return <Code text={JSON.stringify(value, null, 2) ?? "undefined"} language="json" whole />;
}

/** Who, where, since when; what can be opened is a link. */
export function Facts({ facts, of }: { facts: readonly Fact[]; of: string }) {
  return (
    <dl class="facts">
      {facts.map(({ name, text, id }) => (
        <div key={name}>
          <dt>{safeLine(name)}</dt>
          <dd>{id === null || id === of ? safeLine(text) : <a href={pathOf(id)}>{safeLine(text)}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}

function pathOf(id: string): string {
  return id.startsWith("dec-") ? decisionPath(id) : jobPath(id);
}

/** What the agent changed since the last attempt, folded: the numbers are above. */
export function Changes({ changes }: { changes: readonly Block[] }) {
  if (changes.length === 0) return null;
  return (
    <details class="fold">
      <summary>What it changed since the last attempt</summary>
      <Blocks blocks={changes} />
    </details>
  );
}

/** The agent's screen as it was, folded: it repeats what is above. */
export function Screen({ screen }: { screen: Block | null }) {
  if (screen === null || !("text" in screen)) return null;
  return (
    <details class="fold">
      <summary>{screen.type === "printed" ? safeLine(screen.label) : "The agent's screen"}</summary>
      <Code text={screen.text} label={null} language="text" printed />
    </details>
  );
}
