/**
 * A rule's scratch paper: the facts so far, and the state as
 * it will be once they are recorded. The same fold makes both.
 */
import type { Agent, Crew } from "../agent-types.ts";
import type { Event, Fact } from "../events.ts";
import type { AgentId, CrewId, JobId, Moment } from "../ids.ts";
import type { Job } from "../job-types.ts";
import { overlay } from "./overlay.ts";
import type { State } from "./state.ts";
import { apply } from "./state.ts";

export interface Draft {
  readonly facts: Fact[];
  readonly moment: Moment;
  /** The state after the facts so far: decisions that they settled are no longer pending here, and new ones are. */
  readonly state: State;
  /** The job in that state, which changes with each emitted fact; the same for agents and crews. */
  job(id: JobId): Job;
  agent(id: AgentId): Agent;
  crew(id: CrewId): Crew;
  emit(fact: Fact): void;
}

export function draftOn(before: State, moment: Moment): Draft {
  const state = overlay(before);
  const facts: Fact[] = [];
  return {
    facts,
    moment,
    state,
    job: (id) => state.jobs.open(id) ?? missing(id),
    agent: (id) => state.agents.open(id) ?? missing(id),
    crew: (id) => state.crews.open(id) ?? missing(id),
    emit(fact) {
      facts.push(fact);
      apply(state, { seq: state.seq + 1, at_ms: moment.at_ms, ...fact } as Event);
    },
  };
}

function missing(id: string): never {
  throw new Error(`no ${id}`);
}
