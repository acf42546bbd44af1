/** The binary: starts the command line, a file next to this one. */
import { dirname, join } from "node:path";
import type { Start } from "./cli/base/program.ts";
import { findFrequent } from "./cli/is-frequent.ts";
import { load } from "./code-cache.ts";

interface Cli {
  main(start: Start): Promise<never>;
}

const folder = dirname(__filename);
const start: Start = {
  argv: process.argv.slice(2),
  env: process.env,
  daemonFile: join(folder, "daemon.cjs"),
};
const { main } = load(join(folder, findFrequent(start.argv) ? "frequent.cjs" : "cli.cjs"), start.env) as Cli;
void main(start);
