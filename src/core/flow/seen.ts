/**
 * Failures that nobody knows of yet. A job or crew that fails without anybody being asked or choosing it stays in the
 * inboxes until somebody retries it, opens it, drops it or has waited for it.
 */
import type { Crew } from "../model/agent-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { CrewId, JobId, OwnerId } from "../model/ids.ts";
import type { Job, Sight } from "../model/job-types.ts";
import type { Draft } from "../model/state/draft.ts";
import { findRun } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";

/** Whether what follows now was chosen by a person: their answer says that the work fails. */
export function isChosen(draft: Draft): boolean {
  return draft.facts.some((it) => it.type === "decision:resolved" && it.action.type === "fail");
}

/** Somebody has seen these failures, or doesn't want to be shown them. Whatever is not shown stays as it is. */
export function seeFailures(
  state: Readonly<State>,
  { ids, by, how }: { ids: readonly OwnerId[]; by: string; how: Sight },
): Fact[] {
  return ids
    .filter((id) => state.unseen.has(id))
    .flatMap((id): Fact[] => {
      const project = findRun(state, id).project;
      if (id.startsWith("crew-")) return [{ type: "crew:seen", id: id as CrewId, project, by, how }];
      return [{ type: "job:seen", id: id as JobId, project, by, how }];
    });
}

/** Takes a failure out of the inboxes. The job or crew stays as it is, and can still be resumed. */
export function dropFailure(state: Readonly<State>, { id, by }: { id: string; by: string }): Fact[] {
  const run = findRun(state, id);
  if (run.status !== "failed") throw notFailed(run);
  return seeFailures(state, { ids: [run.id], by, how: "dropped" });
}

function notFailed({ id, status }: Job | Crew): Refusal {
  const kind = id.startsWith("crew-") ? "crew" : "job";
  return new Refusal(
    `${kind}.not-failed`,
    `${id} is ${status}; only a ${kind} that failed can be dropped`,
    `oj ${kind} show ${id}`,
  );
}
