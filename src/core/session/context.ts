/** The context of a decision about a session that oj did not start: which one, what its terminal does, its last words. */
import { quoted } from "../text/quote.ts";
import type { Reporter } from "./turn.ts";

/** The session's name and folder come from outside, so each stays on the one line that is about it. */
export function sessionContext(
  { session, cwd }: Pick<Reporter, "session" | "cwd">,
  terminal: string,
  last_message: string,
): string {
  const where = `Session ${oneLine(session)} in ${oneLine(cwd) || "an unknown folder"}`;
  return [`${where}. ${terminal}`, quoted("message", last_message)].filter((it) => it !== "").join("\n\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
