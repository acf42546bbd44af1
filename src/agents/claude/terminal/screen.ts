/**
 * What a screen of Claude Code shows. A dialog is live only at the bottom of the screen, where the composer would be.
 * The same words further up are something that was printed.
 */

import type { Look } from "../../client.ts";
import type { ShownDialog, ShownOption } from "./dialog.ts";
import { bodyAbove, FOOTER, isWelcome, linesOf, RULE } from "./lines.ts";
import { menuOn } from "./menu.ts";

export function lookAt(screen: string): Look {
  const dialog = dialogOn(screen);
  if (dialog) {
    const options = dialog.options.map(({ number, label, selected }, n) => ({
      number: number ?? n + 1,
      label,
      selected,
    }));
    const kind = dialog.kind === "review" ? "question" : dialog.kind;
    return { state: "dialog", kind, options, text: JSON.stringify(dialog), body: dialog.body };
  }
  const lines = linesOf(screen);
  const composer = composerIn(lines);
  if (composer < 0) return { state: "unknown" };
  const around = lines.slice(Math.max(0, composer - 5)).join("\n");
  return { state: BUSY.test(around) || BEHIND.test(around) ? "working" : "idle" };
}

export function dialogOn(screen: string): ShownDialog | null {
  const lines = linesOf(screen);
  if (composerIn(lines) >= 0) return null;
  return numbered(lines) ?? menuOn(lines);
}

/**
 * The lines above the footer, if the screen ends with one. Of a dialog that is taller than the screen, this is all that
 * is left.
 */
export function aboveFooter(screen: string): string[] | null {
  const lines = linesOf(screen);
  let end = lines.length;
  while (end > 0 && (lines[end - 1]?.trim() === "" || FOOTER.test(lines[end - 1] ?? ""))) end--;
  return end === lines.length || composerIn(lines) >= 0 ? null : lines.slice(0, end);
}

/** The composer: its text, and what is above it. Null while there is none. */
export function composerOn(screen: string): { text: string; above: string[] } | null {
  const lines = linesOf(screen);
  const at = composerIn(lines);
  if (at < 0) return null;
  const end = lines.findIndex((line, n) => n > at && RULE.test(line));
  const text = lines
    .slice(at, end)
    .join("\n")
    .replace(/^[❯!>]\s*/, "");
  return { text: text.trim(), above: lines.slice(0, at - 1) };
}

const BUSY = /esc to interrupt|^[·✢✳✶✻✽*] [^\n]+…(\s\(|$)/im;
/** It waits for input, and for work in the background that will wake it. */
const BEHIND = /^[·✢✳✶✻✽*] (.* still running|Waiting for \d+ background .*)$|^ .* · ↓ to manage\s*$/m;
const OPTION = /^([\s]*)(❯?)(\s*)(\d)\. (.*)$/;
const BOX = /^\[([ ✔])\] (.*)$/;
const NEXT_ROW = /^[❯ ] {4}(Submit|Next)\s*$/;
/** The last option of dialogs without a footer. It takes no words, whatever it says. */
export const BARE_NO = /^No\b.*\(esc\)$/;

/** The first line of the composer: `❯` between two rules, with nothing but the status below. -1 if there is none. */
function composerIn(lines: string[]): number {
  const below = lines.findLastIndex((line) => RULE.test(line));
  const above = lines.findLastIndex((line, n) => n < below && RULE.test(line));
  const first = above < 0 ? "" : (lines[above + 1] ?? "");
  const isComposer = /^[❯!>]( |\u00a0|$)/.test(first) && !OPTION.test(first) && lines.length - below <= 6;
  return isComposer ? above + 1 : -1;
}

/** Options are in one column. The rest of a wrapped option may look like an option further in. */
function numbered(lines: string[]): ShownDialog | null {
  const columns = new Set(lines.flatMap((line) => optionIn(line)?.column ?? []));
  for (const column of [...columns].sort((a, b) => a - b)) {
    const dialog = optionsAt(lines, column);
    if (dialog) return dialog;
  }
  return null;
}

/** Collects what belongs to the live dialog's options, from the bottom up to number 1. */
function optionsAt(lines: string[], column: number): ShownDialog | null {
  const rows: { at: number; option: ShownOption }[] = [];
  let next: ShownDialog["next"] = null;
  let end = lines.length;
  let maybeNext: number | null = null;
  for (let at = lines.length - 1; at >= 0 && rows[0]?.option.number !== 1; at--) {
    const line = lines[at] ?? "";
    const row = optionIn(line);
    const before = rows[0]?.option.number;
    if (row?.column === column && (before === undefined || row.option.number === (before ?? 0) - 1)) {
      if (before === undefined && !isLast(lines, at, column)) return null;
      // only boxes have such a row below them; elsewhere it is a word on its own line
      const isNext: boolean = maybeNext !== null && row.option.ticked !== null;
      if (isNext) next = { selected: lines[maybeNext ?? 0]?.startsWith("❯") === true };
      const own = [
        row.option.text,
        ...lines.slice(at + 1, isNext ? (maybeNext ?? end) : end).map((it) => it.trim()),
      ];
      maybeNext = null;
      rows.unshift({ at, option: { ...row.option, text: own.join("\n").trimEnd() } });
      end = at;
      continue;
    }
    if (NEXT_ROW.test(line) && RULE.test(lines[at + 1] ?? "")) maybeNext = at;
    else if (RULE.test(line) || FOOTER.test(line)) end = at;
    else if (rows.length > 0 && line.trim() === "" && end === rows[0]?.at) return null; // no blank lines in between
  }
  const [first] = rows;
  if (first?.option.number !== 1 || rows.length < 2) return null;
  const options = rows.map((it) => it.option);
  const foot = lines.slice(-4).some((line) => FOOTER.test(line));
  if (!foot && !next?.selected && !options.some((it) => it.selected)) return null;
  const body = bodyAbove(lines, first.at);
  const kind = kindOf(body, options, next !== null);
  return {
    kind,
    body,
    options,
    next,
    amending: isAmending(kind, options),
    clipped: !foot && !isWelcome(lines) && kind !== "review" && !BARE_NO.test(options.at(-1)?.label ?? ""),
  };
}

/** Below the last option there is only the rest of its wrapped text, and the footer. */
function isLast(lines: string[], at: number, column: number): boolean {
  const below = lines.slice(at + 1);
  const foot = below.findIndex((line) => FOOTER.test(line));
  return (foot < 0 ? below : below.slice(0, foot)).every(
    (line) => line.search(/\S/) < 0 || line.search(/\S/) > column,
  );
}

function optionIn(line: string): { option: ShownOption; column: number } | null {
  const [, margin = "", cursor = "", gap = "", digit = "", rest = ""] = OPTION.exec(line) ?? [];
  if (digit === "" || margin.length + cursor.length + gap.length > 6) return null;
  const [, mark, label = rest] = BOX.exec(rest) ?? [];
  const option = {
    number: Number(digit),
    label: label.trim(),
    text: label.trim(),
    selected: cursor === "❯",
    ticked: mark === undefined ? null : mark !== " ",
  };
  return { option, column: margin.length + cursor.length + gap.length };
}

function kindOf(body: string[], options: ShownOption[], hasNext: boolean): ShownDialog["kind"] {
  const labels = options.map((it) => it.label);
  const has = (pattern: RegExp) => labels.some((it) => pattern.test(it));
  if (has(/^Submit answers$/)) return "review";
  if (hasNext || has(/^Chat about this$/)) return "question";
  if (has(/manually approve edits/i)) return "plan";
  if (has(/trust/i) && /trust/i.test(body.join("\n"))) return "trust";
  if (has(/^Yes/) && has(/^No\b/)) return "approval";
  return "other";
}

/** In an approval, words go beside the first Yes and the last No. Other dialogs have a row for them. */
function isAmending(kind: ShownDialog["kind"], options: ShownOption[]): boolean {
  const selected = options.findIndex((it) => it.selected);
  const label = options[selected]?.label ?? "";
  if (kind === "plan") return selected === options.length - 1;
  if (kind === "question") return selected === options.length - 2;
  if (kind !== "approval") return false;
  if (selected === 0) return /^Yes, /.test(label);
  return selected === options.length - 1 && /^No, /.test(label) && !BARE_NO.test(label);
}
