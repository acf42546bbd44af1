/** Diffs: lines with a sign and a colour, from a card or from text that is one. */
import type { DiffLine } from "../../core/text/diff.ts";
import { safeLine } from "../../text/safe.ts";

const SIGNS = { kept: " ", removed: "-", added: "+", gap: "" } as const;

/** The changed lines with what is around them. */
export function Diff({ path, lines }: { path: string | null; lines: readonly DiffLine[] }) {
  return (
    <div class="code-box">
      {path !== null && <span class="code-label">{safeLine(path)}</span>}
      <div class="code diff">
        <pre>
          <code>
            {lines.map(({ kind, text }, at) => (
              <span key={at} class={`line ${kind}`}>
                {SIGNS[kind]}
                {safeLine(text)}
                {"\n"}
              </span>
            ))}
          </code>
        </pre>
      </div>
    </div>
  );
}

/** Text that has been made safe already. */
export function TextDiff({ text }: { text: string }) {
  return (
    <code>
      {text
        .replace(/\n$/, "")
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
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line)) return "file";
  if (line.startsWith("@@")) return "gap";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "kept";
}

export function looksLikeDiff(text: string): boolean {
  return /^(diff --git |--- [^\n]+\n\+\+\+ )/m.test(text) || /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m.test(text);
}
