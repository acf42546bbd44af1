/** Starts agents, for a step of a job or as a crew. What they are told is filled in here, once. */

import type { Agent, AgentOwner } from "../model/agent-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { AgentId, CrewId, JobId, Moment } from "../model/ids.ts";
import type { AgentDef, StepDef, Value } from "../model/runbook.ts";
import type { Draft } from "../model/state/draft.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import type { Lookup } from "../script/interpolate.ts";
import { interpolate } from "../script/interpolate.ts";
import { shellText } from "../script/shell-text.ts";
import { crewScope, withAgent } from "./agent-scope.ts";
import { scopeOf } from "./scope.ts";

export function startStepAgent(draft: Draft, id: JobId, step: StepDef, name: string): void {
  const job = draft.job(id);
  const def = job.library.agents[name];
  if (!def) throw new Refusal("job.invalid", `agent "${name}" is not known to ${id}`);
  const owner: AgentOwner = { kind: "job", id, name: job.name, step: step.name };
  const scope = scopeOf(job);
  const env = { ...def.env, ...step.env };
  start(draft, { ...def, env }, owner, scope, {
    project: job.project,
    root: job.root,
    cwd: job.workspace?.path ?? job.cwd,
  });
}

export interface CrewInput {
  id: CrewId;
  project: string;
  name: string;
  def: AgentDef;
  args: Record<string, Value>;
  env: Record<string, string>;
  invoke: string;
  root: string;
  by: string;
  sponsor?: string;
}

export function startCrew(state: Readonly<State>, input: CrewInput, moment: Moment): Fact[] {
  const draft = draftOn(state, moment);
  const { id, project, name, def, args, env, invoke, root, by, sponsor } = input;
  const owner: AgentOwner = { kind: "crew", id, name };
  const agent_id = start(draft, def, owner, crewScope(input), { project, root, cwd: invoke });
  const who = sponsor === undefined ? { by } : { by, sponsor };
  draft.emit({ type: "crew:created", id, project, name, agent_id, args, env, invoke, root, ...who });
  return draft.facts;
}

/** Starts another agent from the same definition, for a crew whose last one has ended. It begins from scratch. */
export function startAgain(draft: Draft, agent: Agent): AgentId {
  const { project, name, kind, def, command, owner, cwd, root } = agent;
  const id = draft.moment.id("agt");
  const made = { id, conversation: null, project, name, kind, def, command, owner, cwd, root };
  draft.emit({ type: "agent:created", ...made });
  return id;
}

function start(
  draft: Draft,
  def: AgentDef,
  owner: AgentOwner,
  ownerScope: Lookup,
  at: { project: string; root: string; cwd: string },
): AgentId {
  const id = draft.moment.id("agt");
  const scope = withAgent({ id, name: def.name }, ownerScope);
  const fill = (text: string) => interpolate(text, scope);
  const filled: AgentDef = {
    ...def,
    ...(def.prompt === undefined ? {} : { prompt: fill(def.prompt) }),
    env: Object.fromEntries(Object.entries(def.env).map(([name, value]) => [name, fill(value)])),
  };
  const cwd = def.cwd === undefined ? at.cwd : under(at.root, fill(def.cwd));
  draft.emit({
    type: "agent:created",
    id,
    conversation: null,
    project: at.project,
    name: def.name,
    kind: draft.moment.clients.kindOf(def.run),
    def: filled,
    command: shellText(def.run, scope, def.env),
    owner,
    cwd,
    root: at.root,
  });
  return id;
}

function under(root: string, path: string): string {
  return path.startsWith("/") ? path : `${root}/${path}`;
}
