/** What `${…}` means for an agent: its own values, and those of its job or the arguments of its crew. */
import type { Agent } from "../model/agent-types.ts";
import type { Value } from "../model/runbook.ts";
import type { State } from "../model/state/state.ts";
import type { Lookup } from "../script/interpolate.ts";
import { interpolate } from "../script/interpolate.ts";
import { scopeOf } from "./scope.ts";

export function agentScope(state: Readonly<State>, agent: Pick<Agent, "id" | "name" | "owner">): Lookup {
  return withAgent(agent, ownerScope(state, agent));
}

/** What a trigger says to its agent, filled in. A missing value must not keep the agent from being told. */
export function filledFor(
  state: Readonly<State>,
  agent: Pick<Agent, "id" | "name" | "owner">,
  text: string | undefined,
): string | undefined {
  try {
    return text === undefined ? undefined : interpolate(text, agentScope(state, agent));
  } catch {
    return text;
  }
}

/** `${agent.id}` and `${agent.name}`, and everything that its owner has. */
export function withAgent({ id, name }: Pick<Agent, "id" | "name">, owner: Lookup): Lookup {
  return (reference) => {
    if (reference.namespace !== "agent") return owner(reference);
    const [field] = reference.path;
    return field === "id" ? id : field === "name" ? name : undefined;
  };
}

function ownerScope(state: Readonly<State>, { owner }: Pick<Agent, "owner">): Lookup {
  if (owner.kind === "job") {
    const job = state.jobs.get(owner.id);
    return job ? scopeOf(job) : () => undefined;
  }
  const crew = state.crews.get(owner.id);
  return crew ? crewScope(crew) : () => undefined;
}

export function crewScope(crew: {
  args: Record<string, Value>;
  env: Record<string, string>;
  invoke: string;
  root: string;
  project: string;
}): Lookup {
  return ({ namespace, path }) => {
    const name = path[0] ?? "";
    const from = (values: Record<string, Value>) => (Object.hasOwn(values, name) ? values[name] : undefined);
    if (namespace === "args" || namespace === "var") return from(crew.args);
    if (namespace === "env") return from(crew.env);
    if (namespace === "invoke") return from({ dir: crew.invoke });
    if (namespace === "job") return from({ project: crew.project, root: crew.root });
    return undefined;
  };
}
