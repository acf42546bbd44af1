/** What a screen of Claude Code shows. Only its lower part counts: what scrolled by is no dialog. */
import type { Look } from "./client.ts";

const OPTION = /^[\s│|]*(❯|>)?\s*(\d)[.)]\s+(?:[[(☐☑☒✔✓ xX\]]*\s)?(.*?)\s*[│|]?\s*$/;
const FOOTER = /Esc to cancel|Enter to confirm|Enter to select|ctrl-g to edit|Esc to exit/i;

export function lookAt(screen: string): Look {
  const lines = screen.trimEnd().split("\n");
  const dialog = dialogIn(lines);
  if (dialog) return dialog;
  const lower = lines.slice(-8).join("\n");
  if (/esc to interrupt/i.test(lower)) return { state: "working" };
  if (/^\s*[│|]?\s*[❯>]/m.test(lower)) return { state: "idle" };
  return { state: "unknown" };
}

/** The last run of numbered lines near the bottom, with the footer that only a live dialog has. */
function dialogIn(lines: string[]): Extract<Look, { state: "dialog" }> | null {
  const foot = lines.findLastIndex((line) => FOOTER.test(line));
  const options: { number: number; label: string; selected: boolean }[] = [];
  let first = -1;
  for (let i = (foot < 0 ? lines.length : foot) - 1; i >= 0 && i > lines.length - 40; i--) {
    const match = OPTION.exec(lines[i] ?? "");
    if (!match) continue;
    const number = Number(match[2]);
    const before = options[0];
    if (before && number !== before.number - 1) break;
    options.unshift({ number, label: match[3] ?? "", selected: match[1] !== undefined });
    first = i;
    if (number === 1) break;
  }
  const isLive = foot >= 0 || options.some((it) => it.selected);
  if (options[0]?.number !== 1 || options.length < 2 || !isLive) return null;
  const above = lines.slice(Math.max(0, first - 30), first + options.length).join("\n");
  return { state: "dialog", kind: kindOf(above, options.map((it) => it.label).join("\n")), options };
}

function kindOf(above: string, labels: string): Extract<Look, { state: "dialog" }>["kind"] {
  if (/trust (this|the files)|Do you trust/i.test(above)) return "trust";
  if (/Type something|Chat about this|Submit answers/i.test(labels)) return "question";
  if (/manually approve edits|Tell Claude what to change|keep planning/i.test(labels)) return "plan";
  if (/^Yes/m.test(labels) && /^No/m.test(labels)) return "approval";
  return "other";
}
