/** Views of many decisions: the dashboard, a chain, what somebody has asked. */
import type { ChainBranch, ChainLink, ChainView, DashboardView, OwnView, Section } from "../../api/api.ts";
import type { Branch, Chain } from "../../core/decision/chain.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { isBlocking, URGENCIES } from "../../core/model/decision-types.ts";
import type { Gist } from "../../core/model/gist.ts";
import type { Urgency } from "../../core/model/runbook.ts";
import type { State } from "../../core/model/state/state.ts";
import { newsFor, pendingRequestsOf } from "../../core/request/own-requests.ts";
import type { Requester } from "../../core/request/types.ts";
import { selectPending } from "./select-decisions.ts";
import { decisionView } from "./views.ts";

const DAY_MS = 86_400_000;
/** How many decisions of each section are shown; the rest are counted. */
const SHOWN = 10;

export function dashboardView(
  state: Readonly<State>,
  { project, now, stale_after_ms }: { project: string | undefined; now: number; stale_after_ms: number },
): DashboardView {
  const pending = selectPending(state, project === undefined ? {} : { project });
  const blocking = pending.filter((it) => isBlocking(it));
  const stale = pending.filter((it) => it.stale_since_ms !== undefined).sort(byAge);
  const recent = recentlySettled(state, now - DAY_MS, project);
  const shown = recent.slice(0, SHOWN).flatMap(({ id }) => state.decisions.get(id) ?? []);
  return {
    pending: pending.length,
    by_urgency: byUrgency((urgency) => sectionOf(blocking.filter((it) => it.urgency === urgency))),
    aside: sectionOf(pending.filter((it) => !isBlocking(it))),
    stale: { after_ms: stale_after_ms, ...sectionOf(stale) },
    recent: { within_ms: DAY_MS, ...sectionOf(shown), count: recent.length },
  };
}

export function chainView({ ancestors, decision, descendants, ...rest }: Chain): ChainView {
  return {
    ancestors: ancestors.map(linkView),
    decision: linkView(decision),
    descendants: descendants.map(branchView),
    ...rest,
  };
}

export function ownView(state: Readonly<State>, requester: Requester, project: string): OwnView {
  const { agent_id, session, is_agent, name } = requester;
  const kind = agent_id !== null ? "agent" : session !== null ? "session" : is_agent ? "name" : "person";
  const inbox = kind === "person" ? selectPending(state, { project, blocking: true }) : null;
  return {
    caller: { kind, name },
    pending: pendingRequestsOf(state, requester, project).map(decisionView),
    news: newsFor(state, requester, project).map(decisionView),
    inbox: inbox && byUrgency((urgency) => inbox.filter((it) => it.urgency === urgency).length),
  };
}

function recentlySettled(state: Readonly<State>, since_ms: number, project: string | undefined): Gist[] {
  return [...state.decisions.gists()]
    .filter((it) => it.state !== "pending" && it.settled_at_ms >= since_ms)
    .filter((it) => project === undefined || it.project === project)
    .sort((a, b) => b.settled_at_ms - a.settled_at_ms);
}

function byAge(a: Decision, b: Decision): number {
  return a.created_at_ms - b.created_at_ms;
}

function byUrgency<T>(of: (urgency: Urgency) => T): Record<Urgency, T> {
  return Object.fromEntries(URGENCIES.map((it) => [it, of(it)])) as Record<Urgency, T>;
}

function sectionOf(decisions: Decision[]): Section {
  return { count: decisions.length, decisions: decisions.slice(0, SHOWN).map(decisionView) };
}

function branchView({ decision, branches }: Branch): ChainBranch {
  return { ...linkView(decision), followed_by: branches.map(branchView) };
}

function linkView(decision: Decision): ChainLink {
  const { context: _, fields: _f, questions: _q, action: _a, edited: _e, ...link } = decisionView(decision);
  return link;
}
