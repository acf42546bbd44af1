/** The conversation on a screen of Codex, above the composer. */
import { composerOn, linesOf } from "./screen.ts";

/** One sign marks a person's words, another the model's. */
export function heardOn(screen: string): "nothing" | "words" | "words and reply" {
  const above = conversationOn(screen);
  if (/^› \S[\s\S]*^• /m.test(above)) return "words and reply";
  return /^› \S/m.test(above) ? "words" : "nothing";
}

export function timesSaid(screen: string, text: string): number {
  const part = bare(text);
  return part === "" ? 0 : bare(conversationOn(screen)).split(part).length - 1;
}

function conversationOn(screen: string): string {
  return (composerOn(screen)?.above ?? linesOf(screen)).join("\n");
}

function bare(text: string): string {
  return text.replace(/[\s›]+/g, "");
}
