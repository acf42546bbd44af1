/**
 * Words for a client, guarded so that none of them can become a command, and recognized when the client reports
 * them.
 */

/** Nothing weaker would help: the client trims blanks before it looks for a command. */
const SPEAKER = "The user says: ";

/** `!x` runs in a shell without asking, `/x` is a command of the client, and a few words on their own end it. */
const COMMAND = /^\s*([!/]|(exit|quit|:q|:q!|:wq|:wq!)\s*$)/i;

export function guarded(text: string): string {
  const words = /\\\s*$/.test(text) ? `${text.trimEnd()} ` : text; // Enter after a backslash would begin a new line
  if (COMMAND.test(words)) return SPEAKER + words.trimStart();
  return /^\s*-/.test(words) ? ` ${words.trimStart()}` : words; // as an argument, it would be a flag
}

/** The text as it was before it was guarded. */
export function unguarded(text: string): string {
  const rest = text.slice(SPEAKER.length);
  return text.startsWith(SPEAKER) && COMMAND.test(rest) ? rest : text;
}
