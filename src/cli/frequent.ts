/** The frequent commands and nothing else: even code that is not run takes time to load. */

import type { Command } from "./base/command.ts";
import { invoke } from "./base/invoke.ts";
import type { Start } from "./base/program.ts";
import { program } from "./base/program.ts";
import type { FREQUENT } from "./is-frequent.ts";
import { findFrequent } from "./is-frequent.ts";

export type Load = () => Promise<{ command: Command }>;

export const frequent: Readonly<Record<(typeof FREQUENT)[number], Load>> = {
  status: () => import("./status.ts"),
  "decision list": () => import("./decision/list.ts"),
  "decision show": () => import("./decision/show.ts"),
  "decision resolve": () => import("./decision/resolve.ts"),
};

export function main(start: Start): Promise<never> {
  return program(start, async (out, makeContext) => {
    const found = findFrequent(start.argv);
    if (!found) throw new Error(`not a frequent command: ${start.argv.join(" ")}`);
    return invoke((await frequent[found.name]()).command, found.words, out, makeContext);
  });
}
