/** `[ … ]` and `test`, which decide only when they run which of their words are operators. */
import { NAME, OPERATOR, SPLIT } from "./faults.ts";
import type { Word } from "./flow.ts";
import { forbid, joinFlows } from "./flow.ts";
import type { Scan } from "./scan.ts";
import { keepTogether } from "./scan.ts";

const UNARY = /^-[abcdefghknprstuwxzLOSGN]$/;
const BINARY = /^(?:==?|!=|\\?[<>]|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/**
 * Values are fine in the forms with at most one operator, written
 * out: POSIX says how those are read, whatever the values are.
 */
export function readTest({ flows }: Scan, given: Word[]): void {
  const all = joinFlows(given.map((it) => it.flow));
  for (const word of given) {
    keepTogether(word.holes);
    if (word.splits) forbid(flows, word.flow, SPLIT);
  }
  const words = given[0]?.literal === "!" ? given.slice(1) : given;
  const [first, second] = words;
  if (words.some((it, at) => /^-[vR]$/.test(words[at - 1]?.literal ?? "") && it.literal === null))
    forbid(flows, all, NAME);
  if (words.length <= 1) return;
  if (words.length === 2 && UNARY.test(first?.literal ?? "")) return;
  if (words.length === 3 && BINARY.test(second?.literal ?? "")) return;
  forbid(flows, all, OPERATOR);
}
