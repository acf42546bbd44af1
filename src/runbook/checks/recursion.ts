/** Checks that no job runs itself through its steps. */

import type { JobDef } from "../../core/model/runbook.ts";
import type { DeclaredJob } from "../build/build-job.ts";
import type { Project } from "../build/project.ts";
import { chain } from "../build/project.ts";
import type { Report } from "../hcl/source.ts";
import { placeIn } from "../hcl/syntax.ts";

/** Depth first over `run = { job }`, without recursion in our own code: a chain of jobs may be long. */
export function checkRecursion({ files, jobs }: Project): void {
  const reports = new Map(files.flatMap(({ jobs: declared, report }) => declared.map((it) => [it, report])));
  const done = new Set<DeclaredJob>();
  for (const start of jobs.values()) {
    const path = [{ job: start, runs: jobsRunBy(start.def) }];
    const onPath = new Set([start]);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const run = done.has(top.job) ? undefined : top.runs.shift();
      const target = run && jobs.get(run.job);
      if (run === undefined) {
        done.add(top.job);
        onPath.delete(top.job);
        path.pop();
      } else if (target && onPath.has(target)) {
        tell(
          path.map((it) => it.job),
          target,
          run.step,
          reports.get(top.job),
        );
      } else if (target && !done.has(target)) {
        path.push({ job: target, runs: jobsRunBy(target.def) });
        onPath.add(target);
      }
    }
  }
}

function tell(path: DeclaredJob[], target: DeclaredJob, step: string, report?: Report): void {
  const caller = path.at(-1) ?? target;
  const round = path.slice(path.indexOf(target)).map((it) => it.def.kind);
  const block = caller.steps[caller.def.steps.findIndex((it) => it.name === step)] ?? caller.block;
  const name = target.def.kind;
  report?.(placeIn(block, "run", "job"), `job "${name}" runs itself: ${chain([...round, name])}`);
}

function jobsRunBy(def: JobDef): { job: string; step: string }[] {
  return def.steps.flatMap(({ name, run }) => (run.type === "job" ? [{ job: run.job, step: name }] : []));
}
