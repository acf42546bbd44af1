/** Walks through every state that a job or crew with an agent can reach, visiting each kind of state once. */
import { clients } from "../../src/agents/known/clients.ts";
import type { Agent } from "../../src/core/model/agent-types.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import type { Event } from "../../src/core/model/events.ts";
import type { DecisionId, OwnerId } from "../../src/core/model/ids.ts";
import type { State, WholeState } from "../../src/core/model/state/state.ts";
import { apply, emptyState, lent } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import { editOf } from "../../src/core/outbox/reply.ts";
import { owed } from "../../src/core/owed.ts";
import { frozen } from "./frozen.ts";
import type { Rule, Scene } from "./walk-inputs.ts";
import { inputsFor } from "./walk-inputs.ts";

export interface Node {
  state: WholeState;
  now: number;
  /** What happened on the way here. */
  path: string[];
}

export interface Walked {
  nodes: Map<string, Node>;
  steps: number;
}

export function walk(begin: WholeState, owner: OwnerId, scene: Scene, most: number): Walked {
  const first: Node = { state: begin, now: 1_000_000, path: [] };
  const nodes = new Map([[keyOf(first, owner), first]]);
  const queue = [first];
  let steps = 0;
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] as Node;
    for (const input of inputsFor(node.state, owner, scene)) {
      const next = after(node, input);
      if (!next) continue;
      steps += 1;
      const key = keyOf(next, owner);
      if (nodes.has(key)) continue;
      if (nodes.size >= most) throw new Error(`more than ${most} kinds of states\n${next.path.join(" → ")}`);
      const restarted = { ...next, state: decodeState(encodeState(next.state)) }; // only what is stored may matter
      nodes.set(key, restarted);
      queue.push(restarted);
    }
  }
  return { nodes, steps };
}

/** The state after the input; null if the input is refused or changes nothing. */
export function after(node: Node, { name, rule }: { name: string; rule: Rule }): Node | null {
  const { state, now } = node;
  let ids = 0;
  const moment = { at_ms: now, id: (kind: string) => `${kind}-${state.seq}x${ids++}` as never, clients };
  let facts: ReturnType<Rule>;
  try {
    facts = rule(frozen(state), moment);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw Object.assign(error as Error, {
      message: `${(error as Error).message}\n${[...node.path, name].join(" → ")}`,
    });
  }
  if (facts.length === 0) return null;
  const copy = copyOf(state);
  for (const fact of facts) apply(copy, { seq: copy.seq + 1, at_ms: now, ...fact } as Event);
  forget(copy);
  return { state: copy, now, path: [...node.path, name] };
}

/** New tables with the same values: values are frozen, so changing one in place would throw. */
function copyOf(state: State): WholeState {
  const copy = { ...emptyState(), seq: state.seq };
  for (const it of state.decisions.values()) copy.decisions.set(it.id, it);
  for (const it of state.jobs.values()) copy.jobs.set(it.id, it);
  for (const it of state.agents.values()) copy.agents.set(it.id, it);
  for (const it of state.crews.values()) copy.crews.set(it.id, it);
  for (const it of state.trash.values()) copy.trash.set(it.job_id, it);
  for (const it of state.pending) copy.pending.add(it);
  for (const it of state.held) copy.held.add(it);
  for (const it of state.active) copy.active.add(it);
  lent(copy);
  return copy;
}

/**
 * Drops settled decisions that nothing refers to and agents that have ended: they make no difference to what follows.
 */
function forget(state: WholeState): void {
  const used = new Set<string | null | undefined>();
  for (const job of state.jobs.values()) {
    for (const it of job.steps) used.add(it.decision_id).add(it.agent_id);
    for (const it of job.blocked_by) used.add(it.decision_id);
  }
  for (const crew of state.crews.values()) used.add(crew.decision_id).add(crew.agent_id);
  for (const agent of state.agents.values()) {
    if (agent.status === "ended" && !used.has(agent.id)) state.agents.delete(agent.id);
    else for (const it of [agent.decision_id, ...agent.outbox.map((it) => it.decision_id)]) used.add(it);
  }
  for (const id of state.decisions.keys())
    if (!state.pending.has(id) && !used.has(id)) state.decisions.delete(id);
}

/** What distinguishes two states: everything that a rule may look at, without names, numbers and times. */
export function keyOf({ state }: Pick<Node, "state">, owner: OwnerId): string {
  const stateOf = (id: DecisionId | null | undefined) => {
    const found = id == null ? undefined : state.decisions.get(id)?.state;
    return found === "pending" || found === "dismissed" ? found : "settled";
  };
  const job = state.jobs.get(owner as never);
  const crew = state.crews.get(owner as never);
  const owns = job
    ? [
        job.status,
        job.step,
        ...job.steps.map((it) => `${it.status}/${stateOf(it.decision_id)}`),
        job.cancelling ? "cancelling" : "",
        job.ending?.type,
        [...new Set(job.blocked_by.map((it) => stateOf(it.decision_id)))].sort().join(),
      ]
    : crew
      ? [crew.status, stateOf(crew.decision_id)]
      : [state.trash.size > 0 ? "deleted" : "purged"];
  const current = job?.steps.find((it) => it.name === job.step)?.agent_id ?? crew?.agent_id;
  const all = [...state.agents.values()].map((it) =>
    JSON.stringify(agentKey(it, it.id === current, stateOf)),
  );
  const agents = [...new Set(all)].sort(); // two that are being ended count as one
  const asked = [...state.pending].map((id) => decisionKey(state.decisions.get(id) as Decision, state));
  return JSON.stringify([owns, agents, asked.sort()]);
}

/** Once its work is over, only its end counts. */
function agentKey(agent: Agent, isCurrent: boolean, stateOf: (id: DecisionId | null) => string): unknown[] {
  const { status, spawned, stopping, prompt, gate, cooling, outbox, attempts } = agent;
  if (status === "ended" || stopping === "end") return [isCurrent, stopping ?? status];
  const tries = Object.entries(attempts).map(([name, it]) => `${name}${Math.min(it?.used ?? 0, 1)}`);
  const asked = stateOf(agent.decision_id);
  // by then every parcel has become text
  if (stopping) return [isCurrent, stopping, status === "errored", outbox.length > 0, tries, asked];
  const parcels = outbox.map((it) =>
    [it.reply && it.prompt_key, it.state, it.told, editOf(it.reply) !== null].join(),
  );
  return [
    isCurrent,
    status,
    spawned,
    stopping,
    prompt?.key,
    gate?.trigger,
    cooling?.trigger,
    [...new Set(parcels)].sort(),
    tries,
    asked,
  ];
}

function decisionKey(decision: Decision, state: State): string {
  const { source, prompt_key, held, blocks, agent_id, options } = decision;
  const agent = agent_id === null ? undefined : state.agents.get(agent_id);
  const isAsked = options.some((it) => it.key === "reply");
  return [source, prompt_key, held !== null, blocks.length, agent?.status, isAsked].join();
}

/** Whether something moves by itself: a chore is due, or a live agent is at work. */
export function moves(state: State): boolean {
  const isAtWork = (agent: Agent) => {
    const { status, spawned, stopping, prompt, outbox } = agent;
    const isAnswered = outbox.some(
      (it) => it.state === "delivered" && it.reply && it.prompt_key === prompt?.key,
    );
    // its process is about to end
    const ends =
      clients.endsWithTurn(agent.kind, agent.def.run) && (status === "idle" || status === "errored");
    return spawned && !stopping && (status === "working" || (status === "prompting" && isAnswered) || ends);
  };
  return owed(state).length > 0 || [...state.agents.values()].some(isAtWork);
}
