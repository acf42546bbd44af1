/** Asks a person before something that can't be taken back. Where nobody can be asked, `--yes` says so instead. */
import { createInterface } from "node:readline/promises";
import { isatty } from "node:tty";
import type { Context, Flags } from "./command.ts";
import { usage } from "./fail.ts";

export const yesFlag = {
  yes: { type: "boolean", short: "y", help: "don't ask first; needed where nobody can be asked" },
} as const satisfies Flags;

interface Asking {
  /** The whole question: "Dismiss these 3 decisions?". */
  question: string;
  /** `--yes` was given. */
  yes: boolean;
  /** What to type where nobody can be asked. */
  hint: string;
}

/** False if the person would rather not. */
export async function confirm(
  { abort, json }: Pick<Context, "abort" | "json">,
  { question, yes, hint }: Asking,
): Promise<boolean> {
  if (yes) return true;
  if (json || !isatty(0) || !isatty(2)) throw usage("nobody can be asked here, so this needs --yes", hint);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal: abort })).trim());
  } finally {
    lines.close();
  }
}
