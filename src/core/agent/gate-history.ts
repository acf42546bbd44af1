/** What a person sees of a gate's earlier failures, and of what the agent has changed since. */

import { errorWords } from "../failure/error-words.ts";
import type { Agent, Gate } from "../model/agent-types.ts";
import { quoted } from "../text/quote.ts";
import { clipped, describeAge } from "../text/words.ts";

/** The agent's folder after an attempt, and how it differs from how it was after the one before. */
export interface FolderChanges {
  /** The folder as git names it. */
  tree: string;
  /** Which files changed, and by how much; empty if none did, or if there is nothing to compare with. */
  stat: string;
  /** The changes themselves, up to a limit. */
  diff: string;
}

type Failure = NonNullable<Agent["gate_failures"]>[number];

/** The failures of this gate so far, oldest first. */
export function failuresOf({ gate_failures = [] }: Agent, { key }: Gate): readonly Failure[] {
  return gate_failures.filter((it) => it.key === (key ?? null));
}

/** The parts of a context, or none if this is the first failure. */
export function historyParts(
  earlier: readonly Failure[],
  changes: FolderChanges | null,
  now: number,
): string[] {
  const last = earlier.at(-1);
  if (!last) return [];
  return [
    quoted("attempts", earlier.map((it) => attempt(it, now)).join("\n")),
    ...changeParts(last, changes),
  ];
}

const LONGEST_REASON = 120;

function attempt({ how, reason, at_ms }: Failure, now: number): string {
  const why = reason === "" ? "" : `: ${clipped(errorWords(reason), LONGEST_REASON)}`;
  const when = describeAge(now - at_ms)
    .replace(" ago", " earlier")
    .replace("just now", "just before");
  return `${when}, ${how}${why}`;
}

function changeParts({ tree }: Failure, changes: FolderChanges | null): string[] {
  if (tree === null || changes === null) return [];
  if (tree === changes.tree) return ["Nothing in its folder has changed since the last attempt."];
  return [quoted("changed", changes.stat), quoted("changes", changes.diff)];
}
