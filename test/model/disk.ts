/**
 * What is on disk: core's own state, changed by core's own rules alone. States that differ in nothing but times and ids
 * are one state here, so that each rule runs once in each.
 */
import { clients } from "../../src/agents/known/clients.ts";
import { observe } from "../../src/core/agent/agent.ts";
import { changeLost, dialogAnswered } from "../../src/core/agent/dialog.ts";
import { startedWith } from "../../src/core/agent/started.ts";
import { resolveDecision } from "../../src/core/decision/give.ts";
import type { Agent } from "../../src/core/model/agent-types.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import type { Effect } from "../../src/core/model/effects.ts";
import type { Event, Fact } from "../../src/core/model/events.ts";
import type { AgentId, Moment } from "../../src/core/model/ids.ts";
import type { State, WholeState } from "../../src/core/model/state/state.ts";
import { apply } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import { saying, wordsLost, wordsSaid, wordsTold } from "../../src/core/outbox/delivery.ts";
import { owed } from "../../src/core/owed.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import { agentAtWork, errored, exited, stopped } from "../fakes/agents.ts";
import { asker, requestInput } from "../fakes/core.ts";
import type { Case } from "./cases.ts";

/** The rules that delivery uses. A planted bug takes the place of one. */
export const CORE = {
  ...{
    observe,
    dialogAnswered,
    changeLost,
    resolveDecision,
    saying,
    wordsSaid,
    wordsTold,
    wordsLost,
    startedWith,
  },
};
export type Core = typeof CORE;
export type Rule = (state: State, moment: Moment) => Fact[];

/** What ana said first, and what she said to an agent that died or stopped since. */
export type Label = "main" | "retry";

export interface Kept {
  id: number;
  text: string;
  agent: Agent;
  due: readonly Effect[];
  pending: readonly Decision[];
  /** Whose id this is: a parcel has that of its decision. */
  labelOf(it: { id: string }): Label;
  /** How far each answer got. */
  delivery: Partial<Record<Label, Decision["delivery"]["state"]>>;
  /** On the way here, something happened to the agent (`changed_at_ms`). The same state may be got to without that. */
  touched: boolean;
}

export interface Disk {
  agent_id: AgentId;
  first: Kept;
  of(id: number): Kept;
  all(): readonly Kept[];
  /** What follows if this rule runs now. The name says all that it depends on. */
  after(kept: Kept, name: string, rule: Rule): Kept;
}

export function startDisk(it: Case): Disk {
  const { world, id } = beginning(it);
  const faces = new Map<string, Kept>();
  const kepts: Kept[] = [];
  const memo = new Map<string, { next: Kept; touched: boolean }>();
  function keep(state: WholeState): Kept {
    const agent = state.agents.get(id) as Agent;
    const decisions = [...state.decisions.values()] as Decision[];
    const main = decisions.find((one) => it.prompt === null || one.prompt_key === it.prompt.key)?.id;
    const labelOf = (one: { id: string }): Label => (one.id === main ? "main" : "retry");
    const pending = decisions.filter((one) => one.state === "pending");
    const delivery: Kept["delivery"] = {};
    for (const one of decisions) if (one.answer) delivery[labelOf(one)] = one.delivery.state;
    const due = owed(state);
    const face = JSON.stringify([
      [agent.status, agent.spawned, agent.stopping, agent.incarnation, agent.conversation, agent.prompt?.key],
      agent.outbox.map(({ id: one, attempts: _, decision_id: __, ...rest }) => [labelOf({ id: one }), rest]),
      pending.map((one) => [labelOf(one), one.source, one.prompt_key]),
      delivery,
      due.map((one) => one.type),
    ]);
    const known = faces.get(face);
    if (known) return known;
    const text = encodeState(state);
    const kept = { id: kepts.length, text, agent, due, pending, labelOf, delivery, touched: false };
    kepts.push(kept);
    faces.set(face, kept);
    return kept;
  }

  function step({ text, agent }: Kept, rule: Rule): { next: Kept; touched: boolean } {
    const state = played(text, rule);
    return { next: keep(state), touched: state.agents.get(id)?.changed_at_ms !== agent.changed_at_ms };
  }

  return {
    agent_id: id,
    first: keep(decodeState(encodeState(world))),
    of: (n) => kepts[n] as Kept,
    all: () => kepts,
    after(kept, name, rule) {
      const key = `${kept.id} ${name}`;
      const known = memo.get(key) ?? step(kept, rule);
      memo.set(key, known);
      return known.touched || kept.touched ? { ...known.next, touched: true } : known.next;
    },
  };
}

function played(text: string, rule: Rule): WholeState {
  const state = decodeState(text);
  const at_ms = 3_000_000 + state.seq * 1000;
  let ids = 0;
  const facts = rule(state, { at_ms, id: (kind) => `${kind}-m${state.seq}x${ids++}`, clients });
  for (const fact of facts) apply(state, { seq: state.seq + 1, at_ms, ...fact } as Event);
  return state;
}

/** An agent that has begun a conversation, as the case finds it. A dialog is drawn, and not recorded yet. */
function beginning({ begins }: Case): { world: WholeState; id: AgentId } {
  const { it, id, seen } = agentAtWork();
  seen({ type: "submitted", text: "Build it" });
  seen({ type: "conversation", conversation: "first", transcript: "first.jsonl" });
  if (begins === "idle") seen(stopped);
  if (begins === "errored") seen(errored);
  if (begins === "gone") seen(exited);
  const requester = asker("builder", { agent_id: id });
  if (begins === "works")
    it.play((state, moment) => requestDecision(state, requestInput({ requester }), moment));
  return { world: it.state, id };
}
