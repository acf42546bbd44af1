/** A rule's scratch paper: the facts so far, and jobs, agents and crews as they will be once those facts are folded. */
import type { AgentFact, CrewFact } from "./agent-facts.ts";
import type { Agent, Crew } from "./agent-types.ts";
import type { Fact, Stamp } from "./events.ts";
import { foldAgent, foldCrew, newAgent, newCrew } from "./fold-agent.ts";
import { foldJob, newJob } from "./fold-job.ts";
import type { AgentId, CrewId, JobId, Moment } from "./ids.ts";
import type { Job } from "./job-types.ts";
import type { State } from "./state.ts";

export interface Draft {
  readonly facts: Fact[];
  readonly moment: Moment;
  readonly state: Readonly<State>;
  /** The job after the facts so far; the same for agents and crews. */
  job(id: JobId): Job;
  agent(id: AgentId): Agent;
  crew(id: CrewId): Crew;
  emit(fact: Fact): void;
}

export function draftOn(state: Readonly<State>, moment: Moment): Draft {
  const jobs = copies(state.jobs, copyJob);
  const agents = copies(state.agents, (it) => ({ ...it }));
  const crews = copies(state.crews, (it) => ({ ...it }));
  const facts: Fact[] = [];

  function emit(fact: Fact): void {
    facts.push(fact);
    const event = { seq: 0, at_ms: moment.at_ms, ...fact };
    if (event.type === "job:created") jobs.set(event.id, newJob(event));
    else if (event.type.startsWith("job:")) foldJob(jobs.get((event as { id: JobId }).id), event);
    else if (event.type.startsWith("step:")) foldJob(jobs.get((event as { job_id: JobId }).job_id), event);
    else if (event.type.startsWith("agent:")) emitAgent(event as AgentFact & Stamp);
    else if (event.type.startsWith("crew:")) emitCrew(event as CrewFact & Stamp);
  }

  function emitAgent(fact: AgentFact & Stamp): void {
    if (fact.type !== "agent:created") return foldAgent(agents.get(fact.id), fact);
    agents.set(fact.id, newAgent(fact));
    const { owner } = fact;
    const step =
      owner.kind === "job" ? jobs.get(owner.id).steps.find((it) => it.name === owner.step) : undefined;
    if (step) step.agent_id = fact.id;
  }

  function emitCrew(fact: CrewFact & Stamp): void {
    if (fact.type === "crew:created") crews.set(fact.id, newCrew(fact));
    else foldCrew(crews.get(fact.id), fact);
  }

  return { facts, moment, state, job: jobs.get, agent: agents.get, crew: crews.get, emit };
}

/** Things of the state, copied when they are first asked for. */
function copies<K extends string, T>(
  originals: ReadonlyMap<K, T>,
  copy: (it: T) => T,
): { get(id: K): T; set(id: K, it: T): void } {
  const made = new Map<K, T>();
  return {
    get(id) {
      let found = made.get(id);
      if (found === undefined) {
        const original = originals.get(id);
        if (original === undefined) throw new Error(`no ${id}`);
        found = copy(original);
        made.set(id, found);
      }
      return found;
    },
    set: (id, it) => void made.set(id, it),
  };
}

/** Copies what facts change; the definition is shared, as nothing ever changes it. */
function copyJob(job: Job): Job {
  return { ...job, routes: { ...job.routes }, steps: job.steps.map((it) => ({ ...it })) };
}
