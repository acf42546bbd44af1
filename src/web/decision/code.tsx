/**
 * Code and diffs: diff lines have colours and signs, and long text is visibly cut until the person asks for everything.
 */
import { useState } from "preact/hooks";
import { safe } from "../../text/safe.ts";
import { Scrolls } from "../parts/scrolls.tsx";

/** How many characters are shown at first. */
const FIRST = 20_000;

interface Given {
  text: string;
  language?: string;
  label?: string;
  /** Keeps its lines unwrapped: a screen, a log. */
  printed?: boolean;
  /** The hash of the whole text, if known. */
  sha256?: string;
}

export function Code({ text, language = "", label, sha256, printed = false }: Given) {
  const [whole, setWhole] = useState(false);
  const isCut = text.length > FIRST && !whole;
  const shown = isCut ? text.slice(0, FIRST) : text;
  const isDiff = language === "diff" || language === "patch" || (language === "" && looksLikeDiff(text));
  return (
    <div class="code-box">
      <Scrolls
        kind={`code${isDiff ? " diff" : ""}${printed ? " printed" : ""}`}
        label={label ?? nameOf(language, isDiff)}
      >
        <pre>{isDiff ? <Diff text={shown} /> : <code>{safe(shown)}</code>}</pre>
      </Scrolls>
      {isCut && (
        <p class="cut">
          <strong>Cut here</strong>: {FIRST.toLocaleString("en")} of {text.length.toLocaleString("en")}{" "}
          characters are shown{sha256 ? `; sha256 of all: ${sha256}` : ""}.{" "}
          <button type="button" class="plain-button" onClick={() => setWhole(true)}>
            Show everything
          </button>
        </p>
      )}
    </div>
  );
}

function nameOf(language: string, isDiff: boolean): string {
  return isDiff ? "diff" : language === "" ? "code" : `code: ${language}`;
}

function Diff({ text }: { text: string }) {
  return (
    <code>
      {safe(text.replace(/\n$/, ""))
        .split("\n")
        .map((line, at) => (
          <span key={at} class={`line ${kindOf(line)}`}>
            {line}
            {"\n"}
          </span>
        ))}
    </code>
  );
}

function kindOf(line: string): string {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line)) return "head";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "same";
}

export function looksLikeDiff(text: string): boolean {
  return /^(diff --git |--- [^\n]+\n\+\+\+ )/m.test(text) || /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m.test(text);
}
