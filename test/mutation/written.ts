/** Writes mutants into a source so that each can be switched on while it runs: nothing is built or loaded again. */
import type { Mutant } from "./mutants.ts";

/** `hit` is what the text calls with a mutant's number; it says whether that mutant is on. */
export const HIT = "globalThis.__mutant";

export function withMutants(source: string, mutants: readonly Mutant[]): string {
  const inOrder = [...mutants].sort((a, b) => a.start - b.start || b.end - a.end || a.id - b.id);
  return written(source, 0, source.length, inOrder);
}

/** What is between two places, with all mutants that lie there. */
function written(source: string, from: number, to: number, mutants: readonly Mutant[]): string {
  let text = "";
  let at = from;
  let left = mutants;
  for (let first = left[0]; first; first = left[0]) {
    const { start, end } = first;
    const [here, later] = split(left, (it) => it.start < end);
    const [same, inner] = split(here, (it) => it.start === start && it.end === end);
    text += source.slice(at, start);
    text += same.reduce((rest, it) => switched(it, rest), written(source, start, end, inner));
    at = end;
    left = later;
  }
  return text + source.slice(at, to);
}

function switched({ id, isStatement, text }: Mutant, otherwise: string): string {
  return isStatement
    ? `if (!${HIT}(${id})) { ${otherwise} }`
    : `(${HIT}(${id}) ? (${text}) : (${otherwise}))`;
}

function split<T>(all: readonly T[], isFirst: (it: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((it) => !isFirst(it))];
}
