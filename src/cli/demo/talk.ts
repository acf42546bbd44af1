/** How the tour speaks: what it tells, what a person would type, and the real commands behind that. */

import { wrap } from "../../text/layout.ts";
import type { Command, Context, Given } from "../base/command.ts";
import { commandsOf } from "../base/command.ts";
import { EXIT } from "../base/fail.ts";

const WIDEST = 90;

/** Ctrl-C as a key, while a question is on the screen. */
export class Interrupted extends Error {}

export function tell({ out }: Context, text: string): void {
  out.print("");
  for (const line of wrap(text, Math.min(out.width, WIDEST))) out.print(out.style.cyan(line));
}

export function type({ out }: Context, line: string): void {
  out.print(`${out.style.dim("$")} ${out.style.bold(line)}`);
}

/** Shows what a person would type, and does it. */
export async function call(
  context: Context,
  name: string,
  args: string[],
  flags: Record<string, string | string[]> = {},
): Promise<number> {
  const given = Object.entries(flags).flatMap(([flag, value]) =>
    [value].flat().map((it) => `--${flag} '${it}'`),
  );
  type(context, ["oj", name, ...args, ...given].join(" "));
  const found: Command = await commandsOf(context).loadCommand(name);
  return (await found.run(context, args, flags as Given<never>)) ?? EXIT.done;
}

export function whatNext(context: Context): void {
  tell(context, "In your own project:");
  context.out.print(
    "  oj init       writes a first runbook\n  oj doctor     checks that everything is in place\n  oj --help     shows the rest",
  );
}
