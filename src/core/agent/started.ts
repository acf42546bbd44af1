/** An agent's terminal is there. What it was started with is recorded with that, so that no kill comes in between. */
import type { Fact } from "../model/events.ts";
import type { AgentId, Moment } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { isDue } from "../outbox/agent-life.ts";
import { owe, parcelDelivered, parcelReceived } from "../outbox/parcel.ts";
import { askIfStill } from "./stands-still.ts";

/** False if this is not the start that is awaited. */
export function spawned(draft: Draft, id: AgentId, incarnation: number): boolean {
  const agent = draft.agent(id);
  if (!isDue(agent) || incarnation !== agent.incarnation) return false;
  draft.emit({ type: "agent:spawned", id, project: agent.project, incarnation });
  return true;
}

/**
 * The agent was started with these words. Whatever it does next shows that it has read them; on a slow disk it may have
 * done that, and stopped, before its start is recorded.
 */
export function startedWith(
  state: Readonly<State>,
  { id, incarnation, parcel_ids }: { id: AgentId; incarnation: number; parcel_ids: readonly string[] },
  moment: Moment,
): Fact[] {
  if (!state.agents.has(id)) return [];
  const draft = draftOn(state, moment);
  if (!spawned(draft, id, incarnation)) return [];
  const { status } = draft.agent(id);
  const isOver = status === "idle" || status === "errored";
  for (const it of parcel_ids) {
    parcelDelivered(draft, id, it, true);
    if (isOver) parcelReceived(draft, id, it);
  }
  askIfStill(draft, id);
  return draft.facts;
}

/**
 * A program was started, which can't be given its task as an argument: it is told when it first waits for words. It
 * remembers nothing of an earlier start, so that each one needs the task again.
 */
export function startedFor(
  state: Readonly<State>,
  { id, incarnation, task }: { id: AgentId; incarnation: number; task: string },
  moment: Moment,
): Fact[] {
  if (!state.agents.has(id)) return [];
  const draft = draftOn(state, moment);
  if (!spawned(draft, id, incarnation)) return [];
  const isOwed = draft.agent(id).outbox.some((it) => it.task === true || it.text === task);
  if (task !== "" && !isOwed && !draft.agent(id).stopping)
    owe(draft, id, { decision_id: null, prompt_key: null, reply: null, text: task, task: true });
  askIfStill(draft, id);
  return draft.facts;
}
