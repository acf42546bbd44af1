/**
 * Removes what an earlier daemon left behind: scripts of runs that nobody waits for, environments of jobs that were
 * never created.
 */
import type { CrewId, JobId, RunId } from "../../core/model/ids.ts";
import type { State } from "../../core/model/state/state.ts";
import { owed } from "../../core/owed.ts";
import type { Ports } from "../../ports.ts";
import type { Engine } from "./engine.ts";

/** A start removes at most this many of each; the next start continues. */
const MOST = 1000;

/** Only removes what is older than `began_ms`: anything newer is this daemon's own. */
export async function clearLeftovers(
  engine: Engine,
  { shell, files, journal }: Pick<Ports, "shell" | "files" | "journal">,
  began_ms: number,
): Promise<void> {
  const runs: RunId[] = [];
  for await (const id of shell.left(began_ms)) if (runs.push(id) === MOST) break;
  const wanted = await engine.read(owedRuns);
  const nobodys = runs.filter((it) => !wanted.has(it));
  // Together, so that they share their looks at the running processes. Nobody waits for those that are still alive.
  await Promise.all(nobodys.map((id) => shell.recover(id).then(() => shell.forget(id))));
  let environments = 0;
  for await (const id of files.bare(began_ms)) {
    if (environments === MOST) break;
    if (await engine.read((state) => isKnown(state, id))) continue;
    await files.purge(id);
    environments += 1;
  }
  if (nobodys.length + environments > 0)
    journal.info("cleared away leftovers", { runs: nobodys.length, environments });
}

function owedRuns(state: Readonly<State>): Set<RunId> {
  return new Set(owed(state).flatMap((it) => ("run_id" in it ? [it.run_id] : [])));
}

function isKnown(state: Readonly<State>, id: JobId | CrewId): boolean {
  return state.jobs.has(id as JobId) || state.crews.has(id as CrewId) || state.trash.has(id as JobId);
}
