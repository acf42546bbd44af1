/** What somebody saw on a screen, as tmux can check it at the moment that it types. */
import type { Sight } from "../../ports.ts";

const MOST_OF_A_LINE = 80;
const REST_OF_A_LINE = "[^A-Za-z0-9]*$";

/**
 * Regular expressions: one for each line that is to be there, to its end, and for each that is not. Other characters
 * than these mean something in an expression or in a format, and what is not ASCII is drawn in many ways.
 */
export function sightPatterns({ shows, lacks }: Sight): { shows: string[]; lacks: string[] } {
  return {
    shows: shows
      .filter(isTold)
      .map((it) => patternOf(it) + (it.length > MOST_OF_A_LINE ? "" : REST_OF_A_LINE)),
    lacks: lacks.filter(isTold).map(patternOf),
  };
}

function isTold(line: string): boolean {
  return /[A-Za-z0-9]/.test(line.slice(0, MOST_OF_A_LINE));
}

function patternOf(line: string): string {
  const any = line.slice(0, MOST_OF_A_LINE).replace(/[^\x20-\x7e]+/g, "\n");
  return any
    .replace(/[^A-Za-z0-9 _/=@\n-]/g, ".")
    .replaceAll("\n", ".*")
    .trim();
}

/** The format that is true while the screen shows this. */
export function sightFormat(sight: Sight): string {
  const { shows, lacks } = sightPatterns(sight);
  const found = (pattern: string) => `#{C/r:${pattern}}`;
  const all = [...shows.map(found), ...lacks.map((it) => `#{==:${found(it)},0}`)];
  return all.reduce((before, it) => `#{&&:${before},${it}}`, "1");
}
