/** The conversation on a screen of Claude Code, above the composer. */

/** One sign marks a person's words, another the model's. */
export function heardOn(screen: string): "nothing" | "words" | "words and reply" {
  const above = conversationOn(screen);
  if (/^❯ \S[\s\S]*^● /m.test(above)) return "words and reply";
  return /^❯ \S/m.test(above) ? "words" : "nothing";
}

export function timesSaid(screen: string, text: string): number {
  const part = bare(text);
  return part === "" ? 0 : bare(conversationOn(screen)).split(part).length - 1;
}

/** The composer is between the last two rules. */
function conversationOn(screen: string): string {
  const lines = screen.split("\n");
  const rules = lines.flatMap((line, n) => (/^\s*[─▔]{8,}/.test(line) ? [n] : []));
  return lines.slice(0, rules.at(-2) ?? lines.length).join("\n");
}

function bare(text: string): string {
  return text.replace(/[\s│❯⎿●]+/g, "");
}
