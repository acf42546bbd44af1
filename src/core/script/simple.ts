/**
 * The simple commands of a script, as bash reads them: what it would run, in `$(…)`, `sh -c`, `-exec` and the like too,
 * as far as a reader can see that.
 */
import { Refusal } from "../model/errors.ts";
import type { Seen, SeenCommand } from "./flow.ts";
import { lexScript } from "./grammar.ts";
import { HOLE } from "./hole.ts";

export type { SeenCommand };

/** A longer script is not read: nobody reads it on a card either. */
const LONGEST_SCRIPT = 64 * 1024;

export interface SimpleCommands {
  commands: readonly SeenCommand[];
  /** Nothing but simple commands with `;`, `&&`, `||`, `|`, `&` or newlines between them. */
  isFlat: boolean;
  /** Why the rest could not be read; null if all of it was. `commands` has what was read until then. */
  problem: string | null;
}

export function simpleCommands(text: string): SimpleCommands {
  const seen: Seen = { commands: [], isCompound: false };
  if (text.length > LONGEST_SCRIPT) return { commands: [], isFlat: false, problem: "it is too long" };
  if (text.includes(HOLE)) return { commands: [], isFlat: false, problem: "it has a NUL character" };
  let problem: string | null = null;
  try {
    lexScript(text, [], seen);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problem = /line \d+ has (.*)\.$/s.exec(error.message)?.[1] ?? error.message;
  }
  return { commands: seen.commands, isFlat: !seen.isCompound && problem === null, problem };
}
