/** The binary: hands the words to their command, and loads as little as possible on the way, as every call pays for it. */
import { fileURLToPath } from "node:url";
import { call } from "./cli/call.ts";
import { aliases, frequent, frequentName } from "./cli/frequent.ts";
import type { Start } from "./cli/program.ts";
import { program } from "./cli/program.ts";

const argv = process.argv.slice(2);
const start: Start = {
  argv,
  env: process.env,
  daemonFile: () => fileURLToPath(new URL("daemon.cjs", import.meta.url)),
};
const name = frequentName(argv);
const load = name === null ? undefined : frequent[name];
if (load) {
  const words = argv.slice(Object.hasOwn(aliases, argv[0] ?? "") || name === argv[0] ? 1 : 2);
  void program(start, async (out, makeContext) => call((await load()).it, words, out, makeContext));
} else {
  void import("./cli/everything.ts").then(({ everything }) => everything(start));
}
