/**
 * The list of what can't be undone, as far as a project adds to it. Agents can write to its files, so a block that was
 * found once stays on the list when its file says something else, or is gone: only a person takes it off, by accepting
 * the file as it is then.
 */
import type { Fact } from "../model/events.ts";
import type { Irreversible, PolicyBook } from "../model/policy-types.ts";
import type { State } from "../model/state/state.ts";
import type { PolicyFile } from "./files.ts";

/** More than any project needs. Beyond it we can't remember them all, and everything counts as irreversible. */
const MOST_LISTED = 500;

/** What the files say now, and what they have said. */
export function irreversibleHere(
  files: readonly Pick<PolicyFile, "irreversible">[],
  book: PolicyBook | undefined,
): Irreversible[] {
  const remembered = Object.values(book?.listed ?? {}).flat();
  const all = [...files.flatMap((it) => it.irreversible), ...remembered];
  return remembered.length > MOST_LISTED ? [...all, ANYTHING] : all;
}

const ANYTHING: Irreversible = {
  name: `more than ${MOST_LISTED} irreversible blocks`,
  match: { tool: ["*"], command: [], pipe: [], path: [], within: false, outside: false },
  path: "",
  line: 0,
  text: "",
};

/** The person's own file counts as it is: nothing of it needs to be remembered. */
export function newlyListed(
  state: Readonly<State>,
  project: string,
  files: readonly Pick<PolicyFile, "path" | "personal" | "irreversible">[],
): Fact[] {
  const listed = state.policies.get(project)?.listed ?? {};
  let left = MOST_LISTED + 1 - Object.values(listed).flat().length;
  return files.flatMap(({ path: file, personal, irreversible }): Fact[] => {
    const before = listed[file] ?? [];
    const found = irreversible.filter((it) => !before.some((one) => one.text === it.text));
    const added = personal ? [] : found.slice(0, Math.max(0, left));
    left -= added.length;
    if (added.length === 0) return [];
    return [
      { type: "policy:listed", id: bookId(project), project, file, irreversible: [...before, ...added] },
    ];
  });
}

/** The names of what a person takes off the list by accepting the file as it is. */
export function droppedBy(
  book: PolicyBook | undefined,
  { path, irreversible }: Pick<PolicyFile, "path" | "irreversible">,
): string[] {
  const before = book?.listed?.[path] ?? [];
  return before.filter((it) => !irreversible.some((one) => one.text === it.text)).map((it) => it.name);
}

/** The stream of the facts about a project's policies. */
export function bookId(project: string): string {
  return `policies ${project}`;
}
