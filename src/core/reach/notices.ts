/** What is recorded about notices: that they are owed, sent, rewritten, or did not get through. */
import type { Decision } from "../model/decision-types.ts";
import { isUnroutedPromotion } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import { isOutcome } from "../model/face.ts";
import type { DecisionId, MachineName } from "../model/ids.ts";
import type { ChannelKind, Notice, NoticeReason } from "../model/reach-types.ts";
import { homeOf } from "../model/state/home.ts";
import type { State } from "../model/state/state.ts";
import type { Plan } from "./plan.ts";

/** Who hears of a new decision. Once; of one that was settled meanwhile, only whoever keeps a log of everything. */
export function routed(state: Readonly<State>, { id, plan }: { id: DecisionId; plan: Plan }): Fact[] {
  const decision = state.decisions.get(id);
  if (!decision) return [];
  if (decision.reach) return isUnroutedPromotion(decision) ? oweAgain(decision, plan) : [];
  if (decision.state === "pending") {
    const first = oweNotices(decision, plan);
    return isUnroutedPromotion(decision) ? first.map(asPromotion) : first;
  }
  const notices = plan.notices.filter((it) => it.is_log);
  return notices.length > 0 ? oweNotices(decision, { notices, missed: [] }) : [];
}

/** Whoever was to hear of it hears that it blocks work now; those who hear of everything are shown it as a change. */
function oweAgain(decision: Decision, plan: Plan): Fact[] {
  if (decision.state !== "pending") return [];
  const isAgain = ({ is_log, reason }: Plan["notices"][number]) => !is_log && !isOutcome({ reason });
  const notices = plan.notices.filter(isAgain).map((it) => ({ ...it, reason: againAs(it.reason) }));
  return oweNotices(decision, { notices, missed: [] }).map(asPromotion);
}

function againAs(reason: NoticeReason): NoticeReason {
  return reason === "asked" ? "promoted" : reason;
}

function asPromotion(fact: Fact): Fact {
  return fact.type === "notice:owed" ? { ...fact, promoted: true } : fact;
}

/** More messages about a decision: the next level, a reminder, another channel. */
export function oweNotices(
  { id, project, reach }: Pick<Decision, "id" | "project" | "reach">,
  plan: Plan,
): Fact[] {
  const before = reach?.notices ?? [];
  const more = plan.notices.filter((it) => !before.some((one) => isInDigestOf(one, it)));
  const notices = more.map((it, index) => ({ key: `n${before.length + 1 + index}`, ...it }));
  return [{ type: "notice:owed", id, project, notices, missed: plan.missed }];
}

/** Whether the digest that this would go into will tell the same people of it already. */
function isInDigestOf(
  waiting: Notice,
  { channel, to, names, digest_at_ms }: Plan["notices"][number],
): boolean {
  return (
    digest_at_ms !== undefined &&
    waiting.digest_at_ms === digest_at_ms &&
    waiting.state === "owed" &&
    waiting.channel === channel &&
    waiting.to === to &&
    names.every((it) => waiting.names.includes(it))
  );
}

interface Named {
  id: DecisionId;
  key: string;
}

/** A message was sent, or rewritten: it shows this face of the decision, perhaps together with others. */
export function noticeTold(
  state: Readonly<State>,
  {
    id,
    key,
    ref,
    shows,
    together,
  }: Named & { ref: string | null; shows: string; together?: readonly DecisionId[] },
): Fact[] {
  const found = noticeOf(state, { id, key });
  if (!found) return [];
  const { project } = found.decision;
  if (found.notice.shows !== null) return [{ type: "notice:changed", id, project, key, ref, shows }];
  return [{ type: "notice:sent", id, project, key, ref, shows, ...(together ? { together } : {}) }];
}

/**
 * A message did not get through. `retry_at_ms` is null if it is not tried again; `instead` says who is told by other
 * means, as long as somebody has to be.
 */
export function noticeFailed(
  state: Readonly<State>,
  input: Named & {
    error: string;
    face: string | null;
    retry_at_ms: number | null;
    instead: Plan | null;
    /** It may have arrived all the same. */
    isUnsure?: boolean;
  },
): Fact[] {
  const { id, key, error, face, retry_at_ms, instead, isUnsure = false } = input;
  const found = noticeOf(state, { id, key });
  if (!found || (face === null && found.notice.state === "failed")) return [];
  const { decision } = found;
  const failed: Fact = {
    type: "notice:failed",
    id,
    project: decision.project,
    key,
    error,
    face,
    retry_at_ms,
  };
  const unsure = isUnsure ? unsureOf(decision, found.notice) : [];
  const isWanted = instead && decision.state === "pending" && !hasStandIn(decision, key);
  return [...unsure, failed, ...(isWanted ? oweNotices(decision, instead) : [])];
}

/** After a start: the daemon before this one may have sent whatever was due, and died before it could say so. */
export function noticesUnsure(state: Readonly<State>, machine: MachineName | null, now: number): Fact[] {
  const isOurs = (id: DecisionId) => machine === null || homeOf(state, id) === machine;
  return [...state.untold].filter(isOurs).flatMap((id) => {
    const decision = state.decisions.get(id);
    const due = decision?.reach?.notices.filter((it) => (it.digest_at_ms ?? 0) <= now) ?? [];
    return decision ? due.flatMap((it) => unsureOf(decision, it)) : [];
  });
}

/** The channels on which something can be said about a message that may have arrived. */
const RETRACTS: readonly ChannelKind[] = ["slack", "mail", "telegram", "ntfy", "push"];

function unsureOf({ id, project }: Decision, { key, kind, state, shows, is_unsure, reason }: Notice): Fact[] {
  const isFirst = state === "owed" && shows === null && !is_unsure;
  if (!isFirst || !RETRACTS.includes(kind) || isOutcome({ reason })) return [];
  return [{ type: "notice:unsure", id, project, key }];
}

/** Whether another channel was used in place of this notice. */
function hasStandIn({ reach }: Pick<Decision, "reach">, key: string): boolean {
  return reach?.notices.some((it) => it.instead_of === key) ?? false;
}

/** Only those may answer whom a message was addressed to; a message for nobody lets nobody in. */
export function mayAnswer({ reach }: Pick<Decision, "reach">, person: string): boolean {
  return reach?.notices.some((it) => it.names.includes(person)) ?? false;
}

/** The people whom a decision is for, each once: by any channel, or by one of this kind. */
export function addressees({ reach }: Pick<Decision, "reach">, kind?: ChannelKind): string[] {
  const notices = reach?.notices.filter((it) => kind === undefined || it.kind === kind) ?? [];
  return [...new Set(notices.flatMap((it) => it.names))];
}

/** Why nobody was notified, in a sentence; null if somebody was, or if nobody was to be. */
export function whyNobody({ reach }: Pick<Decision, "reach">): string | null {
  const asking = reach?.notices.filter((it) => !it.is_log && !isOutcome(it)) ?? [];
  if (!reach || asking.some((it) => it.state !== "failed" && it.error === null)) return null;
  const failed = asking.map((it) => `${it.channel}: ${it.error}`);
  const missed = reach.missed.map((it) => `${it.name}: ${it.why}`);
  return [...new Set([...missed, ...failed])].join("; ") || null;
}

function noticeOf(state: Readonly<State>, { id, key }: Named): { decision: Decision; notice: Notice } | null {
  const decision = state.decisions.get(id);
  const notice = decision?.reach?.notices.find((it) => it.key === key);
  return decision && notice ? { decision, notice } : null;
}
