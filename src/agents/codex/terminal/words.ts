/** Words for Codex, so that none of them can become a command or open a list to choose from. */
import * as common from "../../guarded-words.ts";

/** A name at the end opens a list of skills or files, and the Enter that should send the words chooses from it. */
const MENTION = /(^|\s)[$@/]\S*$/;

export function guarded(text: string): string {
  const words = common.guarded(text);
  return MENTION.test(words) ? `${words} ` : words;
}
