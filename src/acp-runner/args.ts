/** The runner's command line: how it talks to the program, the program's own words, `--oj`, then ours. Pure. */
import type { Args } from "../scripted-agent/args.ts";
import { readArgs, UsageError } from "../scripted-agent/args.ts";

const SEPARATOR = "--oj";

export interface Line {
  /** Null: by ACP. */
  server: "opencode" | null;
  program: string[];
  args: Args;
}

export function readLine(argv: readonly string[]): Line {
  const server = argv[0] === "--server-of-opencode" ? "opencode" : null;
  const at = argv.indexOf(SEPARATOR);
  const program = argv.slice(server ? 1 : 0, at < 0 ? undefined : at);
  if (program.length === 0) throw new UsageError("which program? oj-acp PROGRAM [its arguments]");
  return { server, program, args: readArgs(at < 0 ? [] : argv.slice(at + 1), {}) };
}
