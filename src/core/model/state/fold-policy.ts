/** How facts change what is known about a project's policies: what was accepted, what is off, how often each answered. */
import type { Decision } from "../decision-types.ts";
import type { Stamp } from "../events.ts";
import type { Changing } from "../fixed.ts";
import type { Irreversible, PolicyBook, PolicyFact } from "../policy-types.ts";
import type { OpenRows } from "./table.ts";

/** No bound looks at more. */
const MOST_USES = 1000;
/** Rules of sessions end with nothing that is recorded: the oldest make room. */
const MOST_REMEMBERED = 500;
const MOST_UNWANTED = 1000;

export function foldPolicy(books: OpenRows<string, PolicyBook>, fact: PolicyFact & Stamp): void {
  const book = opened(books, fact.project);
  if (fact.type === "policy:accepted") {
    const { file, hash, text, by, at_ms } = fact;
    book.accepted = { ...book.accepted, [file]: { hash, text, by, at_ms } };
    if (fact.irreversible) list(book, file, fact.irreversible);
  } else if (fact.type === "policy:listed") list(book, fact.file, fact.irreversible);
  else if (fact.type === "policy:remembered") {
    const { owner, policy, by, at_ms } = fact;
    book.remembered = [...(book.remembered ?? []), { owner, policy, by, at_ms }].slice(-MOST_REMEMBERED);
  } else if (fact.type === "policy:unwanted") {
    const others = (book.unwanted ?? []).filter((it) => it !== fact.key);
    book.unwanted = [...others, fact.key].slice(-MOST_UNWANTED);
  } else if (fact.type === "policy:switched") {
    const others = book.off.filter((it) => it !== fact.name);
    book.off = fact.on ? others : [...others, fact.name];
  }
}

function list(book: Changing<PolicyBook>, file: string, blocks: readonly Irreversible[]): void {
  const { [file]: _, ...others } = book.listed ?? {};
  book.listed = blocks.length > 0 ? { ...others, [file]: blocks } : others;
}

/** The job or crew has ended, and its own rules with it: they don't come back if it is resumed. */
export function forgetRules(
  books: OpenRows<string, PolicyBook>,
  { id, project }: { id: string; project: string },
): void {
  if (!books.get(project)?.remembered?.some((it) => it.owner === id)) return;
  const book = opened(books, project);
  const { remembered = [] } = book;
  book.remembered = remembered.filter((it) => it.owner !== id);
}

/** A policy has answered; or somebody else has, which ends every row of answers by policies. */
export function noteUse(
  books: OpenRows<string, PolicyBook>,
  { project, answer }: Decision,
  at_ms: number,
): void {
  const name = answer?.policy?.name;
  if (name !== undefined) {
    const book = opened(books, project);
    book.used = { ...book.used, [name]: [...(book.used[name] ?? []), at_ms].slice(-MOST_USES) };
    book.in_a_row = { ...book.in_a_row, [name]: (book.in_a_row[name] ?? 0) + 1 };
  } else if (answer?.via !== "escalation" && Object.keys(books.get(project)?.in_a_row ?? {}).length > 0)
    opened(books, project).in_a_row = {};
}

function opened(books: OpenRows<string, PolicyBook>, project: string): Changing<PolicyBook> {
  const known = books.open(project);
  if (known) return known;
  books.set(project, { project, accepted: {}, off: [], used: {}, in_a_row: {} });
  return books.open(project) as Changing<PolicyBook>;
}
