/**
 * Tells the person at the desktop that decisions wait: a moment after they were asked, those that came together in one
 * notice, and never one that has been answered by then. Best effort: nothing waits for a notice.
 */
import { agentScope } from "../../core/flow/agent-scope.ts";
import { scopeOf } from "../../core/flow/scope.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { isBlocking } from "../../core/model/decision-types.ts";
import type { Event } from "../../core/model/events.ts";
import type { DecisionId, MachineName } from "../../core/model/ids.ts";
import { homeOf } from "../../core/model/state/home.ts";
import type { State } from "../../core/model/state/state.ts";
import { ownerName } from "../../core/text/words.ts";
import type { Notice, Ports } from "../../ports.ts";
import type { Engine } from "./engine.ts";
import { filled } from "./notifications.ts";

/** Agents that were started together ask together. */
const SETTLES_MS = 700;
/** The least time between two notices. */
const APART_MS = 5000;
const MOST_LINES = 4;
const LONGEST_LINE = 120;

/** A person is asked now, or was asked aside and is waited for now, or it is later and nobody is on it any more. */
function asks(event: Event): event is Extract<Event, { id: DecisionId }> {
  const { type } = event;
  if (type === "decision:released") return event.by === null;
  return type === "decision:created" || type === "decision:promoted";
}

export interface DecisionNotices {
  stop(): void;
}

export function startDecisionNotices(
  engine: Engine,
  { notifier, clock, journal }: Pick<Ports, "notifier" | "clock" | "journal">,
  isQuiet: () => boolean,
  /** This machine, of several: those that were asked elsewhere are for the people there. */
  machine: MachineName | null = null,
): DecisionNotices {
  let asked: DecisionId[] = [];
  let disarm: (() => void) | null = null;
  let next_at = 0;

  const unwatch = engine.watch((events, state) => {
    for (const event of events) if (asks(event) && isOurs(state, event.id)) asked.push(event.id);
    if (asked.length > 0) disarm ??= clock.after(Math.max(SETTLES_MS, next_at - clock.monotonic()), tell);
  });

  const isOurs = (state: Readonly<State>, id: DecisionId) =>
    machine === null || homeOf(state, id) === machine;

  function tell(): void {
    const ids = asked;
    asked = [];
    disarm = null;
    engine
      .read((state) => noticeOf(state, ids))
      .then((notice) => {
        if (notice === null || isQuiet()) return;
        next_at = clock.monotonic() + APART_MS;
        void notifier.notify(notice);
      })
      .catch((error: Error) => journal.warn("could not tell about a decision", { error: error.message }));
  }

  return {
    stop() {
      unwatch();
      disarm?.();
    },
  };
}

/** What to say about those that still wait; null if there is nothing to say. */
function noticeOf(state: Readonly<State>, ids: readonly DecisionId[]): Notice | null {
  const waiting = [...new Set(ids)].flatMap((id) => {
    const decision = state.decisions.get(id);
    return decision?.state === "pending" && decision.held === null ? [decision] : [];
  });
  const told = waiting.flatMap((decision) => {
    const text = runbookText(state, decision);
    if (!isBlocking(decision)) return []; // it is told once it is promoted
    return decision.urgency === "low" && text === null ? [] : [{ decision, text }];
  });
  const [first] = told;
  if (!first) return null;
  const isUrgent = told.some((it) => it.decision.urgency === "high");
  if (told.length === 1) return { ...one(first.decision, first.text), isUrgent };
  const lines = told.slice(0, MOST_LINES).map(({ decision }) => {
    return cut(`${ownerName(decision.owner)}: ${decision.title}`);
  });
  const more = told.length - lines.length;
  const text = [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
  return { title: `oj: ${told.length} decisions wait for you`, text, isUrgent };
}

function one(
  { owner, source, title, project }: Decision,
  text: string | null,
): Pick<Notice, "title" | "text"> {
  if (text !== null) return { title: cut(`oj: ${ownerName(owner)} [${source}] ${title}`), text };
  return { title: cut(`oj: ${ownerName(owner)} in ${project}`), text: cut(title) };
}

/** What the runbook says about it: the agent's text if it has one, otherwise the job's. */
function runbookText(state: Readonly<State>, { owner, agent_id }: Decision): string | null {
  const agent = agent_id === null ? undefined : state.agents.get(agent_id);
  const ofAgent = agent?.def.notify?.on_decision;
  if (agent && ofAgent !== undefined) return filled(ofAgent, agentScope(state, agent));
  const job = owner.kind === "job" ? state.jobs.get(owner.id) : undefined;
  const ofJob = job?.def.notify?.on_decision;
  return job && ofJob !== undefined ? filled(ofJob, scopeOf(job)) : null;
}

function cut(text: string): string {
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE - 1)}…` : text;
}
