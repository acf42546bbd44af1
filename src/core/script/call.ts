/**
 * A simple command as the readers of builtins and programs see it, and what they need to read a command inside another.
 */

import { SCRIPT } from "./faults.ts";
import type { Flow, Word } from "./flow.ts";
import { emptyFlow, forbid } from "./flow.ts";
import type { Scan } from "./scan.ts";

export interface Command {
  words: Word[];
  /** What it reads: here-documents, here-strings, and the pipe before it. */
  input: Flow;
  /** Here-documents in which nothing is expanded. */
  bodies: string[];
  /** All of its here-documents, as written. */
  documents: string[];
  redirections: { operator: string; word: Word }[];
  /** The output of the command before it is its input. */
  isPiped: boolean;
  /** The variable of a `for` whose words these are. */
  loop: string | null;
  /** Whether it is certain to run, once, in this shell. */
  isPlain: boolean;
}

export function startCommand(): Command {
  return {
    words: [],
    input: emptyFlow(),
    bodies: [],
    documents: [],
    redirections: [],
    isPiped: false,
    loop: null,
    isPlain: false,
  };
}

/** What `core/script/command.ts` provides, because another command follows `sudo`, `env` and the like. */
export interface Tools {
  readCall(scan: Scan, words: Word[], command: Command, output: Flow): void;
  assign(scan: Scan, word: Word): void;
  readNested(scan: Scan, text: string | null, where: "here" | "elsewhere"): Flow;
}

/** One call in a command; after `sudo` or `env` there is a second one in the same command. */
export interface Call {
  name: string;
  args: Word[];
  command: Command;
  /** What it prints, as far as that is known. */
  output: Flow;
  tools: Tools;
}

/** The call runs its input as a script. */
export function readsScript(scan: Scan, { command, tools }: Call): void {
  forbid(scan.flows, command.input, SCRIPT);
  for (const body of command.bodies) tools.readNested(scan, body, "elsewhere");
}
