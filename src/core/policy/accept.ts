/** What a person says about policies: which texts count, and which policies are off for a while. */
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { PolicyBook } from "../model/policy-types.ts";
import type { State } from "../model/state/state.ts";
import { sha256 } from "../text/hash.ts";
import type { PolicyFile } from "./files.ts";
import { bookId, droppedBy } from "./listed.ts";

export type Accepting = Pick<PolicyFile, "path" | "text" | "irreversible">;

/**
 * What is accepted is all of each file's text, and that nothing else of it is on the list of what can't be undone. A
 * file that was accepted as it is says nothing new.
 */
export function acceptFiles(
  state: Readonly<State>,
  { project, files, by }: { project: string; files: readonly Accepting[]; by: string },
): Fact[] {
  const book = state.policies.get(project);
  return files.flatMap((it): Fact[] => {
    const { path: file, text, irreversible } = it;
    if (book?.accepted[file]?.text === text && droppedBy(book, it).length === 0) return [];
    const hash = sha256(text);
    return [{ type: "policy:accepted", id: bookId(project), project, file, text, hash, by, irreversible }];
  });
}

/** Files of that folder that said something before, and no longer exist. They are accepted as empty. */
export function goneFiles(
  book: PolicyBook | undefined,
  { folder, found }: { folder: string; found: readonly Pick<PolicyFile, "path">[] },
): Accepting[] {
  const accepted = Object.entries(book?.accepted ?? {}).flatMap(([file, { text }]) =>
    text === "" ? [] : [file],
  );
  const known = new Set([...accepted, ...Object.keys(book?.listed ?? {})]);
  return [...known]
    .filter((file) => file.startsWith(`${folder}/`) && !found.some((it) => it.path === file))
    .map((path) => ({ path, text: "", irreversible: [] }));
}

export function switchPolicy(
  state: Readonly<State>,
  input: { project: string; name: string; on: boolean; by: string; known: readonly string[] },
): Fact[] {
  const { project, name, on, by, known } = input;
  const off = state.policies.get(project)?.off ?? [];
  if (!known.includes(name) && !off.includes(name))
    throw new Refusal("request.not-found", `there is no policy "${name}" here`, "oj policy list");
  if (off.includes(name) !== on) return [];
  return [{ type: "policy:switched", id: bookId(project), project, name, on, by }];
}

/** A person doesn't want this rule. Said twice, it is recorded once. */
export function declineSuggestion(
  state: Readonly<State>,
  { project, key, text, by }: { project: string; key: string; text: string; by: string },
): Fact[] {
  if (state.policies.get(project)?.unwanted?.includes(key)) return [];
  return [{ type: "policy:unwanted", id: bookId(project), project, key, text, by }];
}
