/** The runner's command line: the program's own words, `--oj`, then ours. Pure. */
import type { Args } from "../scripted-agent/args.ts";
import { readArgs, UsageError } from "../scripted-agent/args.ts";

const SEPARATOR = "--oj";

export function readLine(argv: readonly string[]): { program: string[]; args: Args } {
  const at = argv.indexOf(SEPARATOR);
  const program = at < 0 ? [...argv] : argv.slice(0, at);
  if (program.length === 0) throw new UsageError("which program? oj-acp PROGRAM [its arguments]");
  return { program, args: readArgs(at < 0 ? [] : argv.slice(at + 1), {}) };
}
