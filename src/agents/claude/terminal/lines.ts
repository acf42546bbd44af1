/** The lines of a screen of Claude Code, and what every dialog on it has: a rule above it, a footer below. */

export function linesOf(screen: string): string[] {
  return screen.trimEnd().split("\n");
}

export const RULE = /^[\s]*[─▔]{8,}/;
/** The dashed lines above and below what a dialog is about. */
export const DASHES = /^\s*╌{8,}/;
export const FOOTER =
  /\bEsc to (cancel|exit)|Enter to (confirm|select)|ctrl\+g to edit|shift\+tab to approve/i;
/** What `FOOTER` looks for, and words of dialogs that have none. */
export const DIALOG_MARKS = [
  ...["Esc to cancel", "Esc to exit", "Enter to confirm", "Enter to select"],
  ...["ctrl+g to edit", "shift+tab to approve", "No, and tell Claude"],
  ...["Ready to submit your answers", "Press Enter to continue", "Syntax theme"],
];

/** The client has never run here. It asks for one thing after another, each on a page with a picture on top. */
export function isWelcome(lines: readonly string[]): boolean {
  return lines.slice(0, 2).some((line) => /^\s*Welcome to Claude Code\b/.test(line));
}

/**
 * The lines up to the top of the dialog, which is a rule across the screen. A plan's own rules are dashed or indented
 * further.
 */
export function bodyAbove(lines: string[], first: number): string[] {
  const isPlan = /would you like to( proceed)?|^\s*proceed\?/i.test(
    lines.slice(Math.max(0, first - 4), first).join("\n"),
  );
  const tops = lines.map((line, n) => (n < first && RULE.test(line) ? n : -1)).filter((n) => n >= 0);
  const top = isPlan ? (tops.at(-2) ?? tops.at(-1) ?? -1) : (tops.at(-1) ?? -1);
  return lines.slice(top + 1, first);
}
