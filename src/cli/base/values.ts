/** The values of flags, read or refused with what would be right. */
import { formatDuration, parseDuration } from "../../core/text/duration.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { Context, Flags } from "./command.ts";
import { usage } from "./fail.ts";

/** One of a closed list, else a refusal that names them. */
export function oneOf<const T extends string>(
  flag: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = known.find((it) => it === value.toLowerCase());
  if (found !== undefined) return found;
  const near = suggest(value, known);
  throw usage(
    `${flag} must be one of ${known.join(", ")}, not "${value}"`,
    near === null ? `${flag} ${known[0]}` : `did you mean ${flag} ${near}?`,
  );
}

/** How long something lasts, in milliseconds. */
export function lasting(
  flag: string,
  value: string | undefined,
  most_ms = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined) return undefined;
  const ms = parseDuration(value);
  if (ms !== null && ms > most_ms)
    throw usage(`${flag} is at most ${formatDuration(most_ms)}`, `${flag} 30m`);
  if (ms !== null && ms > 0) return ms;
  throw usage(`${flag} needs a time like 30m or 4h, not "${value}"`, `${flag} 30m`);
}

/** A whole number from 1 on. */
export function wholeNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw usage(`${flag} needs a whole number from 1 up, not "${value}"`, `${flag} 1`);
}

export const projectFlag = {
  project: { type: "string", value: "NAME", help: "only this project (default: all)" },
} as const satisfies Flags;

/** The project that was asked for by flag or OJ_PROJECT. Without either, the inbox is one over all projects. */
export function chosenProject(
  { config }: Pick<Context, "config">,
  flag: string | undefined,
): { project?: string } {
  const project = flag ?? config.env.OJ_PROJECT;
  return project ? { project } : {};
}

export function countOf(lines: string | undefined): number | null {
  if (lines === undefined) return null;
  if (!/^\d{1,9}$/.test(lines)) throw usage(`"${lines}" is not a number of lines`, "-n 20");
  return Number(lines);
}
