/** What a person says about policies: which texts count, and which policies are off for a while. */
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { State } from "../model/state/state.ts";
import { sha256 } from "../text/hash.ts";
import type { PolicyFile } from "./ruling.ts";

/** What is accepted is all of each file's text. A file that was accepted as it is says nothing new. */
export function acceptFiles(
  state: Readonly<State>,
  {
    project,
    files,
    by,
  }: { project: string; files: readonly Pick<PolicyFile, "path" | "text">[]; by: string },
): Fact[] {
  const accepted = state.policies.get(project)?.accepted ?? {};
  return files.flatMap(({ path: file, text }): Fact[] =>
    accepted[file]?.text === text
      ? []
      : [{ type: "policy:accepted", id: bookId(project), project, file, text, hash: sha256(text), by }],
  );
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

/** The stream of the facts about a project's policies. */
function bookId(project: string): string {
  return `policies ${project}`;
}
