/** The state as text, for snapshots and comparisons: written and read line by line. */

import type { Member, Removed } from "../../roles/people.ts";
import type { Agent, Crew } from "../agent-types.ts";
import type { Decision } from "../decision-types.ts";
import type { DecisionId, JobId, OwnerId } from "../ids.ts";
import type { Mirror, Unmirrored } from "../mirror-types.ts";
import { mirrorKey } from "../mirror-types.ts";
import type { PolicyBook } from "../policy-types.ts";
import type { Queue } from "../queue-types.ts";
import { currentRecipient } from "../queue-types.ts";
import type { HookedSession } from "../session-types.ts";
import type { PastCount } from "./fold-past.ts";
import { noteAsking, noteTimes } from "./fold-pending.ts";
import type { WholeState } from "./state.ts";
import { emptyState } from "./state.ts";
import type { Asking, Fresh, Machine, Retry, State, Trash } from "./state-types.ts";

/** Raise this when `encodeState` writes another shape: a state of another shape is never folded into. */
export const STATE_FORMAT = 5;

/** The state as text: the same events always give the same text, byte for byte. */
export function encodeState(state: State): string {
  return [...stateLines(state)].join("\n");
}

/**
 * The lines of that text, one at a time, so that a long history isn't in memory twice.
 * First a line with the small things, then one for each decision and each job: whether
 * it still matters, its id, and its JSON, so that reading it back can leave it as text.
 */
export function* stateLines(state: State): Generator<string> {
  const { seq, retries, trash, past, machines, agents, crews, sessions, queues, decisions, jobs } = state;
  const small: Small = {
    seq,
    retries: [...retries.values()],
    trash: [...trash.values()],
    past: [...past.values()],
    ...(state.policies.size > 0 ? { policies: [...state.policies.values()] } : {}),
    ...(machines.size === 0 ? {} : { machines: [...machines.values()] }),
    ...(state.people.size > 0 ? { people: [...state.people.values()] } : {}),
    ...(state.removed.size > 0 ? { removed: [...state.removed.values()] } : {}),
    ...(state.mirrors.size > 0 ? { mirrors: [...state.mirrors.values()] } : {}),
    ...(state.unmirrored.size > 0 ? { unmirrored: [...state.unmirrored.values()] } : {}),
    agents: [...agents.values()],
    crews: [...crews.values()],
    sessions: [...sessions.values()],
    queues: [...queues.values()],
    asking: [...state.asking.values()],
    held: [...state.held],
    unfollowed: [...state.unfollowed],
    unseen: [...state.unseen],
    routed: [...state.routed],
    untold: [...state.untold],
    timed: [...state.timed],
    fresh: [...state.fresh.values()],
  };
  yield JSON.stringify(small);
  for (const id of decisions.keys()) yield `${mark(state.pending.has(id))}${id} ${decisions.text(id)}`;
  for (const id of jobs.keys()) yield `${mark(state.active.has(id))}${id} ${jobs.text(id)}`;
}

export function decodeState(text: string): WholeState {
  const state = emptyState();
  let end = endOfLine(text, 0);
  const small = JSON.parse(text.slice(0, end)) as Small;
  const { seq, retries, trash, agents, crews, sessions, queues, held, unfollowed } = small;
  state.seq = seq;
  for (const retry of retries) state.retries.set(retry.key, retry);
  for (const it of trash) state.trash.set(it.job_id, it);
  for (const it of small.past ?? []) state.past.set(it.key, it);
  for (const it of small.policies ?? []) state.policies.set(it.project, it);
  for (const it of small.machines ?? []) state.machines.set(it.id, it);
  for (const it of small.people ?? []) state.people.set(it.id, it);
  for (const it of small.removed ?? []) state.removed.set(it.id, it);
  for (const it of small.mirrors ?? []) state.mirrors.set(mirrorKey(it.root, it.machine), it);
  for (const it of small.unmirrored ?? []) state.unmirrored.set(it.id, it);
  for (const it of agents) state.agents.set(it.id, it);
  for (const it of crews) state.crews.set(it.id, it);
  for (const it of sessions) state.sessions.set(it.id, it);
  for (const it of queues) {
    const recipient = currentRecipient(it.recipient, it.project); // an older snapshot may have its old name
    state.queues.set(recipient, { ...it, recipient });
  }
  for (const it of small.asking ?? []) state.asking.set(it.asker, it);
  for (const id of held) state.held.add(id);
  for (const id of unfollowed) state.unfollowed.add(id);
  for (const id of small.unseen ?? []) state.unseen.add(id);
  for (const id of small.routed ?? []) state.routed.add(id);
  for (const id of small.untold ?? []) state.untold.add(id);
  for (const id of small.timed ?? []) state.timed.add(id);
  for (const it of small.fresh ?? []) state.fresh.set(it.id, it);
  for (let from = end + 1; from < text.length; from = end + 1) {
    end = endOfLine(text, from);
    const space = text.indexOf(" ", from);
    const id = copyOf(text.slice(from + 1, space));
    const matters = text.startsWith(MATTERS, from);
    const body = text.slice(space + 1, end);
    if (isJobId(id)) {
      state.jobs.park(id, body);
      if (matters) state.active.add(id);
    } else {
      state.decisions.park(id as DecisionId, body);
      if (matters) state.pending.add(id as DecisionId);
    }
  }
  if (!small.asking) for (const id of state.pending) noteAsking(state, state.decisions.peek(id) as Decision);
  if (!small.fresh) for (const id of state.pending) noteTimes(state, state.decisions.peek(id) as Decision);
  return state;
}

interface Small {
  seq: number;
  retries: Retry[];
  trash: Trash[];
  agents: Agent[];
  crews: Crew[];
  sessions: HookedSession[];
  queues: Queue[];
  held: DecisionId[];
  unfollowed: DecisionId[];
  /** Absent in older snapshots. */
  unseen?: OwnerId[];
  routed?: DecisionId[];
  untold?: DecisionId[];
  timed?: DecisionId[];
  fresh?: Fresh[];
  asking?: Asking[];
  past?: PastCount[];
  policies?: PolicyBook[];
  machines?: Machine[];
  people?: Member[];
  removed?: Removed[];
  mirrors?: Mirror[];
  unmirrored?: Unmirrored[];
}

const MATTERS = "+";

const mark = (matters: boolean) => (matters ? MATTERS : "-");

function isJobId(id: string): id is JobId {
  return id.startsWith("job-");
}

/** A slice of a text keeps the whole text in memory; a copy does not. */
function copyOf(id: string): string {
  return JSON.parse(`"${id}"`) as string;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}
