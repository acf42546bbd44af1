/** How the inbox changes with what the daemon returns: a whole decision, an answer accepted, taken back or refused. */
import type { BatchResult, DecisionView, ErrorBody } from "../api/api.ts";
import { groupOf } from "../core/decision/similar.ts";
import { count } from "./card/words.ts";
import type { Inbox, Step } from "./model.ts";
import { formOf, GUARD_MS, MAX_ANSWERED, MAX_DETAILS, only, withForm, withNotice } from "./model.ts";
import { isListed } from "./order.ts";
import { disturbed, select } from "./select.ts";
import { isSameText } from "./sight.ts";

/** Takes over the whole decision. If it says something else than before, nothing of it has been seen or chosen yet. */
export function onLoaded(inbox: Inbox, decision: DecisionView, now: number): Inbox {
  const { id } = decision;
  const before = inbox.details.get(id);
  // it was settled while this was on its way: nothing becomes pending again
  if (before && before.state !== "pending" && decision.state === "pending") return inbox;
  const next = withDetail(inbox, decision);
  if (!before || isSameText(before, decision)) return next;
  const seen = new Map(next.seen);
  seen.delete(id);
  const unchosen = { ...withForm(next, id, { ...formOf(next, id), at: 0, cursor: 0, choices: [] }), seen };
  return next.selected === id
    ? disturbed(unchosen, "warning", `${id} has changed: look again`, now)
    : unchosen;
}

export function onAnswered(inbox: Inbox, decision: DecisionView): Inbox {
  const next = answered(inbox, decision);
  return decision.held ? undoable(next, [decision.id]) : next;
}

export function onAnsweredAll(inbox: Inbox, results: readonly BatchResult[], now: number): Inbox {
  let next = inbox;
  const done = decisionsIn(results);
  for (const decision of done) next = answered(next, decision);
  next = undoable(
    next,
    done.filter((it) => it.held).map((it) => it.id),
  );
  const refused = refusedWords(results);
  next = { ...next, sending: without(next.sending, ...results.map((it) => it.id)) };
  const kind = refused === "" ? "info" : "error";
  return withNotice(next, kind, `${done.length} of ${results.length} answered${refused}`, now);
}

/**
 * An answer was taken back: the decision is pending again, and comes into focus if it is listed. It takes no words that
 * are being typed for another one, and no Enter: then the focus stays, or keys pause.
 */
export function onTakenBack(inbox: Inbox, results: readonly BatchResult[], now: number): Step {
  const ids = results.map((it) => it.id);
  const done = decisionsIn(results);
  let next = { ...inbox, sending: without(inbox.sending, ...ids) };
  for (const decision of done) next = withDetail(next, decision);
  const back = new Set(done.map((it) => it.id as string));
  next = {
    ...next,
    undoable: next.undoable.map((batch) => batch.filter((it) => !back.has(it))).filter((it) => it.length > 0),
    answered: next.answered.filter((it) => !back.has(it)),
  };
  const first = done.find((it) => isListed(next, it.id));
  const step = first && !isAtWork(next) ? select(guarded(next, first.id, now), first.id) : only(next);
  const what =
    done.length === 1 ? `the answer to ${done[0]?.id} was` : `${count(done.length, "answer")} were`;
  const refused = refusedWords(results);
  const words = done.length === 0 ? `not taken back${refused}` : `${what} taken back${refused}`;
  return only(withNotice(step.inbox, refused === "" ? "info" : "error", words, now), ...step.effects);
}

/** Whether the person is about to say something about the decision in focus. */
function isAtWork({ mode }: Inbox): boolean {
  return mode.type === "write" || mode.type === "confirm" || mode.type === "remember";
}

/** If the person has chosen something on another decision, the next Enter is meant for that one. */
function guarded(inbox: Inbox, to: string, now: number): Inbox {
  const { selected } = inbox;
  if (selected === null || selected === to) return inbox;
  const isChosen = formOf(inbox, selected).choices.some((it) => it.length > 0);
  return isChosen ? { ...inbox, guarded_until_ms: now + GUARD_MS } : inbox;
}

export function onRefused(inbox: Inbox, id: string, error: ErrorBody["error"], now: number): Inbox {
  return withNotice({ ...inbox, sending: without(inbox.sending, id) }, "error", error.message, now);
}

/** The words of an answer are kept for as long as it can be taken back; what was chosen is chosen anew. */
function answered(inbox: Inbox, decision: DecisionView): Inbox {
  const { id } = decision;
  const forms = new Map(inbox.forms);
  const form = forms.get(id);
  if (decision.held && form) forms.set(id, { ...form, at: 0, cursor: 0, choices: [] });
  else forms.delete(id);
  const given = [...inbox.answered.filter((it) => it !== id), id].slice(-MAX_ANSWERED);
  return { ...withDetail(inbox, decision), forms, sending: without(inbox.sending, id), answered: given };
}

function undoable(inbox: Inbox, ids: readonly string[]): Inbox {
  if (ids.length === 0) return inbox;
  const others = inbox.undoable.map((batch) => batch.filter((it) => !ids.includes(it)));
  return { ...inbox, undoable: [...others.filter((it) => it.length > 0), ids] };
}

/** Takes over the daemon's newest view of a decision, in the list too. */
function withDetail(inbox: Inbox, decision: DecisionView): Inbox {
  const details = new Map(inbox.details);
  details.delete(decision.id);
  details.set(decision.id, decision);
  let { seen } = inbox;
  for (const id of details.keys()) {
    if (details.size <= MAX_DETAILS) break;
    if (id === inbox.selected) continue;
    details.delete(id);
    seen = new Map(seen);
    (seen as Map<string, number>).delete(id);
  }
  const next = { ...inbox, details, seen };
  const item = inbox.items.get(decision.id);
  const group = groupOf(decision);
  const isListedSo =
    item?.held === null &&
    decision.held === null &&
    decision.state === "pending" &&
    item.group === group &&
    (item.said?.length ?? 0) === (decision.said?.length ?? 0);
  if (!item || isListedSo) return next; // looking at one must not copy a list of ten thousand
  const items = new Map(inbox.items);
  if (decision.state === "pending") {
    const said = decision.said === undefined || item.min === undefined ? {} : { said: decision.said };
    items.set(decision.id, { ...item, held: decision.held, group, ...said });
  } else items.delete(decision.id);
  return { ...next, items };
}

function decisionsIn(results: readonly BatchResult[]): DecisionView[] {
  return results.flatMap((it) => ("decision" in it ? [it.decision] : []));
}

/** "; not: dec-… is already answered". */
function refusedWords(results: readonly BatchResult[]): string {
  const failed = results.flatMap((it) => ("error" in it ? [`${it.id}: ${it.error.message}`] : []));
  return failed.length === 0 ? "" : `; not: ${failed.join("; ")}`;
}

function without(ids: ReadonlySet<string>, ...gone: readonly string[]): ReadonlySet<string> {
  const left = new Set(ids);
  for (const id of gone) left.delete(id);
  return left;
}
