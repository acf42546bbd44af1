/** The lines at the bottom when no dialog is open: what the agent is doing, the composer, the status line. Pure. */
import { style, widthOf, wrap } from "./text.ts";

export interface ComposerState {
  text: string;
  mode: string;
  busy: { what: string; seconds: number; canInterrupt: boolean } | null;
  /** A dialog waits until the person stops typing. */
  held: boolean;
  leaving: boolean;
  queued: number;
}

const MOST_LINES = 8;

const MODES: Readonly<Record<string, string>> = {
  default: "⏸ manual mode on",
  plan: "⏸ plan mode on (shift+tab to cycle)",
  acceptEdits: "⏵⏵ accept edits on (shift+tab to cycle)",
  auto: "⏵⏵ auto mode on (shift+tab to cycle)",
  bypassPermissions: "⏵⏵ bypass permissions on (shift+tab to cycle)",
};

export function composerView(
  state: ComposerState,
  columns: number,
): { lines: string[]; cursor: { row: number; column: number } } {
  const rule = style.dim("─".repeat(columns));
  const text = shown(state.text, columns);
  const above = [
    "",
    ...(state.busy ? [`✻ ${state.busy.what}… (${state.busy.seconds}s)`] : []),
    ...(state.held ? ["  Waiting for permission…"] : []),
    ...(state.queued > 0 ? [style.dim(`  ${state.queued} queued`)] : []),
    rule,
  ];
  const lines = [...above, ...text, rule, statusLine(state)];
  return {
    lines,
    cursor: {
      row: above.length + text.length - 1,
      column: Math.min(widthOf(text.at(-1) ?? ""), columns - 1),
    },
  };
}

/** Long text is only counted, as the real client does with a paste. */
function shown(text: string, columns: number): string[] {
  const lines = wrap(text, columns - 1, "❯ ");
  if (lines.length <= MOST_LINES) return lines;
  return [`❯ [Pasted text #1 +${text.split("\n").length - 1} lines]`];
}

function statusLine({ text, mode, busy, leaving }: ComposerState): string {
  if (leaving) return "  Press Ctrl-C again to exit";
  const hint = busy
    ? busy.canInterrupt
      ? ["esc to interrupt"]
      : []
    : text === ""
      ? ["? for shortcuts"]
      : [];
  return `  ${[MODES[mode] ?? mode, ...hint].join(" · ")}`;
}
