/**
 * The text that came with a decision: ours as it is; what others said or printed is fenced and says whose words it is.
 */
import type { DecisionView } from "../../api/api.ts";
import { pieces } from "../../core/text/quote.ts";
import { contextOrigin, isOurs } from "../../inbox/words.ts";
import { Code, looksLikeDiff } from "./code.tsx";
import { Markdown } from "./markdown.tsx";

export function Context({ decision }: { decision: DecisionView }) {
  const { context, fields } = decision;
  const hasFields = Object.keys(fields).length > 0 && context === JSON.stringify(fields, null, 2);
  if (context.trim() === "") return null;
  if (!isOurs(decision))
    return (
      <Fenced label={contextOrigin(decision)}>
        {hasFields ? <Fields fields={fields} /> : <Words text={context} />}
      </Fenced>
    );
  const parts = pieces(context).filter((it) => it.text !== "");
  return (
    <>
      {parts.map((it, at) =>
        it.quoted ? (
          <Fenced key={at} label={labelOf(parts[at - 1]?.text ?? "", decision)}>
            <Quoted text={it.text} label={parts[at - 1]?.text ?? ""} />
          </Fenced>
        ) : (
          <p key={at} class="ours">
            {parts[at + 1]?.quoted ? withoutLabel(it.text) : it.text}
          </p>
        ),
      )}
    </>
  );
}

/** Our last line before a quote names it: "Last lines of its screen:". */
function labelOf(before: string, { owner }: DecisionView): string {
  const last = before.split("\n").at(-1) ?? "";
  const label = last.endsWith(":") ? last.slice(0, -1) : `in the words of ${owner.name}`;
  return label;
}

function withoutLabel(text: string): string {
  const lines = text.split("\n");
  return lines.at(-1)?.endsWith(":") ? lines.slice(0, -1).join("\n").trimEnd() : text;
}

function Fenced({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <figure class="fenced">
      <figcaption>
        <span class="fence-mark" aria-hidden="true">
          ❝
        </span>
        {label} <span class="unchecked">not checked by Oddjobs</span>
      </figcaption>
      <div class="fenced-text">{children}</div>
    </figure>
  );
}

/** What a program printed keeps its columns; what somebody said is Markdown. */
function Quoted({ text, label }: { text: string; label: string }) {
  const isPrinted = /screen|output|printed|lines|log|stderr|stdout|exit/i.test(
    label.split("\n").at(-1) ?? "",
  );
  if (isPrinted || looksLikeDiff(text)) return <Code text={text} label="printed" printed />;
  return <Markdown text={text} />;
}

function Words({ text }: { text: string }) {
  return looksLikeDiff(text) && !text.includes("```") ? (
    <Code text={text} label="context" />
  ) : (
    <Markdown text={text} />
  );
}

function Fields({ fields }: { fields: Record<string, unknown> }) {
  return (
    <dl class="fields">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
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
        {value.map((it) => (
          <li key={it}>
            <Markdown text={it} />
          </li>
        ))}
      </ul>
    );
  return <Code text={JSON.stringify(value, null, 2)} label="value" language="json" />;
}
