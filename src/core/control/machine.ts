/** Machines that share a log: each joins once, under a name of its own, and may be forgotten. */
import { observe } from "../agent/agent.ts";
import { crewHasEnded } from "../model/agent-types.ts";
import { machineForgotten, Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { MachineName, Moment } from "../model/ids.ts";
import { hasEnded } from "../model/job-types.ts";
import { homeOf } from "../model/state/home.ts";
import { overlay } from "../model/state/overlay.ts";
import type { State } from "../model/state/state.ts";
import { apply } from "../model/state/state.ts";
import { suggest } from "../text/suggest.ts";
import { cancelCrew } from "./crew.ts";
import { cancelJob, ownerPurged, shellEnded, workspaceRemoved } from "./job.ts";

/** What this machine is called; null if it has not joined. One that was forgotten is refused. */
export function nameOf({ machines }: Readonly<State>, key: string): MachineName | null {
  const machine = [...machines.values()].find((it) => it.key === key);
  if (machine?.forgotten) throw machineForgotten();
  return machine?.id ?? null;
}

/** It keeps the name it once had. A new name is made unique: `box`, `box-2`, `box-3`. */
export function machineJoined(state: Readonly<State>, { key, name }: { key: string; name: string }): Fact[] {
  if (nameOf(state, key) !== null) return [];
  let id = name;
  for (let n = 2; state.machines.has(id); n++) id = `${name}-${n}`;
  return [{ type: "machine:joined", id, project: "", key }];
}

export function findMachine({ machines }: Readonly<State>, name: string): MachineName {
  const known = [...machines.values()].filter((it) => !it.forgotten).map((it) => it.id);
  if (known.includes(name)) return name;
  const near = suggest(name, known);
  const hint = near === null ? "oj machine list" : `did you mean ${near}?`;
  throw new Refusal("machine.not-found", `there is no machine ${name}`, hint);
}

/**
 * The machine won't come back. Its jobs and crews are cancelled, and since nobody can look at its processes any more,
 * each counts as ended. What was asked there stays.
 */
export function forgetMachine(
  state: Readonly<State>,
  { name, by }: { name: MachineName; by: string },
  moment: Moment,
): Fact[] {
  const ahead = overlay(state);
  const facts: Fact[] = [];
  const play = (made: readonly Fact[]) => {
    for (const fact of made) {
      facts.push(fact);
      apply(ahead, { seq: ahead.seq + 1, at_ms: moment.at_ms, ...fact });
    }
    return made.length > 0;
  };
  const reason = `the machine ${name} was forgotten`;
  const isThere = (it: { id: Parameters<typeof homeOf>[1] }) => homeOf(ahead, it.id) === name;
  const runs = [...state.active].filter((id) => isThere({ id }));
  const isRunning = (id: (typeof runs)[number]) => {
    const job = ahead.jobs.get(id);
    return job !== undefined && !hasEnded(job);
  };
  for (const id of runs.filter(isRunning))
    if (isRunning(id)) play(cancelJob(ahead, { id, by, reason, now: true }, moment));
  for (const crew of [...state.crews.values()].filter(isThere))
    if (!crewHasEnded(crew)) play(cancelCrew(ahead, { id: crew.id, by, reason }, moment));
  // an `on_cancel` step begins when the one before it has ended: it ends at once, too
  while (endOne()) {}
  for (const id of runs)
    play(workspaceRemoved(ahead, { id, kept: ahead.jobs.get(id)?.workspace?.path ?? null }));
  for (const { job_id: id, machine } of [...state.trash.values()])
    if (machine === name) play(ownerPurged(ahead, { id }));
  play([{ type: "machine:forgotten", id: name, project: "", by }]);
  return facts;

  function endOne(): boolean {
    for (const id of [...ahead.active].filter((it) => isThere({ id: it }))) {
      const job = ahead.jobs.get(id);
      const step = job?.steps.find((it) => it.name === job.step);
      if (!job || hasEnded(job) || step?.status !== "running" || !step.run_id) continue;
      const end = { run_id: step.run_id, job_id: id, exit_code: null, error: reason, output: "" };
      if (play(shellEnded(ahead, end, moment))) return true;
    }
    for (const { id, status, incarnation } of [...ahead.agents.values()].filter(isThere)) {
      if (status === "ended") continue;
      const seen = {
        type: "exited",
        incarnation,
        code: null,
        signal: null,
        error: reason,
        tail: "",
      } as const;
      if (play(observe(ahead, { id, seen }, moment))) return true;
    }
    return false;
  }
}
