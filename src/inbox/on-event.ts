/** How the inbox changes with what the daemon reports. The person's focus never moves silently. */

import type { DecisionBrief, DecisionView } from "../api/api.ts";
import { briefOf } from "../core/decision/brief.ts";
import type { Answer } from "../core/model/decision-types.ts";
import type { DecisionFact, Event, Stamp } from "../core/model/events.ts";
import { loosened } from "../core/model/fixed.ts";
import type { EscalationFact } from "../core/model/reach-types.ts";
import type { Said } from "../core/rights/rule.ts";
import { saidBy } from "../core/rights/rule.ts";
import { matcherOf } from "./facets.ts";
import { isFailure } from "./failed.ts";
import type { Inbox, Notice } from "./model.ts";
import { formOf, isOpen, withNotice } from "./model.ts";
import { onEscalation, onPause } from "./on-escalation.ts";
import { disturbed } from "./select.ts";

/** Takes over the list as the daemon has it now, after a connect or a reconnect. */
export function onListed(inbox: Inbox, briefs: readonly DecisionBrief[], now: number): Inbox {
  const failed = [...inbox.items.values()].filter((it) => isFailure(it.id)); // these are listed by themselves
  const items = new Map<string, DecisionBrief>([...failed, ...briefs].map((it) => [it.id, it]));
  const next = { ...inbox, items, connection: "live" as const };
  const { selected } = inbox;
  if (selected !== null && inbox.items.has(selected) && !items.has(selected))
    return disturbed(next, "warning", `${selected} was settled while the connection was down`, now);
  return trimmed(next);
}

/** Takes events that arrived together in one go, so that ten thousand items are copied only once. */
export function onEvents(inbox: Inbox, events: readonly Event[], now: number): Inbox {
  const facts = events.filter(isAboutDecisions);
  if (facts.length === 0) return inbox;
  const items = new Map(inbox.items);
  const details = new Map(inbox.details);
  let next: Inbox = { ...inbox, items, details };
  for (const fact of facts) {
    const known = details.get(fact.id);
    if (!isEscalation(fact)) next = onDecision({ ...next, items, details }, fact, items, details, now);
    else if (known) settleDetail(details, fact.id, onEscalation(known, fact));
  }
  return trimmed(next);
}

function isAboutDecisions(event: Event): event is (DecisionFact | EscalationFact) & Stamp {
  return event.type.startsWith("decision:") || event.type.startsWith("escalation:");
}

function isEscalation(fact: DecisionFact | EscalationFact): fact is EscalationFact {
  return fact.type.startsWith("escalation:");
}

function onDecision(
  inbox: Inbox,
  fact: DecisionFact & Stamp,
  items: Map<string, DecisionBrief>,
  details: Map<string, DecisionView>,
  now: number,
): Inbox {
  const { id } = fact;
  if (fact.type === "decision:created") {
    const brief = briefOf({ ...fact, agent_id: fact.agent_id ?? null, state: "pending", held: null });
    items.set(id, loosened<DecisionBrief>(brief));
    return inbox;
  }
  const item = items.get(id);
  const mine = inbox.sending.has(id) || inbox.undoable.some((it) => it.includes(id));
  switch (fact.type) {
    case "decision:held": {
      const { given, answer, release_at_ms, at_ms } = fact;
      const held = loosened<DecisionView["held"]>({ given, answer, held_at_ms: at_ms, release_at_ms });
      if (item) items.set(id, { ...item, held });
      settleDetail(details, id, { held });
      return mine ? inbox : unlessElsewhere(inbox, id, "info", `answered ${byWhom(answer)}`, now);
    }
    case "decision:voted":
    case "decision:unvoted": {
      const known = details.get(id);
      const now = fact.type === "decision:voted" ? [saidBy(fact)] : [];
      const after = (said: readonly Said[] = []) => [...said.filter((it) => it.who !== fact.who), ...now];
      if (item) items.set(id, { ...item, said: after(item.said) });
      if (known) settleDetail(details, id, { said: after(known.said) });
      return inbox;
    }
    case "decision:undone":
      if (item) items.set(id, { ...item, held: null });
      settleDetail(details, id, { held: null });
      return inbox.sending.has(id) || !item?.held ? inbox : takenBack(inbox, id, fact.by, now);
    case "decision:claimed":
    case "decision:snoozed":
    case "decision:released": {
      const known = details.get(id);
      if (known) settleDetail(details, id, onPause(known, fact));
      return inbox;
    }
    case "decision:repeated":
    case "decision:left": {
      const step = fact.type === "decision:left" ? -1 : 1;
      const known = details.get(id);
      if (item) items.set(id, { ...item, count: (item.count ?? 1) + step });
      if (known) settleDetail(details, id, { count: (known.count ?? 1) + step });
      return inbox;
    }
    case "decision:promoted": {
      const { blocking: _, ...loud } = item ?? {};
      if (item) items.set(id, loud as DecisionBrief);
      const { reason, at_ms } = fact;
      settleDetail(details, id, { blocking: true, promoted: { reason, at_ms } });
      return unlessElsewhere(inbox, id, "info", `it blocks work now: ${reason}`, now);
    }
    case "decision:stale":
      settleDetail(details, id, { stale_since_ms: fact.since_ms });
      return inbox;
    case "decision:resolved":
      items.delete(id);
      settleDetail(details, id, {
        state: fact.state,
        answer: loosened<DecisionView["answer"]>(fact),
        held: null,
      });
      if (mine || !item) return wentOut(inbox, id);
      return unlessElsewhere(inbox, id, "warning", `answered ${byWhom(fact)}`, now);
    case "decision:superseded":
      items.delete(id);
      settleDetail(details, id, { state: "superseded", superseded_by: fact.superseded_by, held: null });
      return followed(inbox, id, fact.superseded_by, now);
    case "decision:withdrawn":
    case "decision:expired": {
      items.delete(id);
      const state = fact.type === "decision:expired" ? "expired" : "withdrawn";
      const { reason, by, at_ms } = fact;
      settleDetail(details, id, { state, ended: { reason, by, at_ms }, held: null });
      return unlessElsewhere(inbox, id, "warning", `${state}: ${reason}`, now);
    }
    case "decision:delivered":
      settleDetail(details, id, {
        delivery: { state: "delivered", attempts: fact.attempt, error: null, at_ms: fact.at_ms },
      });
      return inbox;
    case "decision:acknowledged": {
      const attempts = details.get(id)?.delivery.attempts ?? 1;
      settleDetail(details, id, {
        delivery: { state: "acknowledged", attempts, error: null, at_ms: fact.at_ms },
      });
      return inbox;
    }
    case "decision:undelivered": {
      const attempts = details.get(id)?.delivery.attempts ?? 1;
      settleDetail(details, id, {
        delivery: { state: "failed", attempts, error: fact.error, at_ms: fact.at_ms },
      });
      return inbox;
    }
    case "decision:deleted":
      items.delete(id);
      details.delete(id);
      return unlessElsewhere(inbox, id, "warning", "deleted with its owner", now);
    default:
      return inbox; // an event from a newer daemon
  }
}

/** An answer given here can no longer be taken back: its words are not needed any more. */
function wentOut(inbox: Inbox, id: string): Inbox {
  if (!inbox.undoable.some((it) => it.includes(id))) return inbox;
  const forms = new Map(inbox.forms);
  forms.delete(id);
  return { ...inbox, forms };
}

/** Somebody took an answer back elsewhere. If it was given here, the person is told even if they look at another decision. */
function takenBack(inbox: Inbox, id: string, by: string, now: number): Inbox {
  const text = `${by} took the answer back: it is pending again`;
  const next = { ...inbox, answered: inbox.answered.filter((it) => it !== id) };
  if (inbox.selected === id || next.answered.length === inbox.answered.length)
    return unlessElsewhere(next, id, "info", text, now);
  return withNotice(next, "info", `${id}: ${text}`, now);
}

/** If the person is looking at this decision, tells them and pauses the keys for a moment. */
function unlessElsewhere(inbox: Inbox, id: string, kind: Notice["kind"], text: string, now: number): Inbox {
  return inbox.selected === id ? disturbed(inbox, kind, `${id}: ${text}`, now) : inbox;
}

/** The same question was asked again: the focus follows it, with what was typed. */
function followed(inbox: Inbox, from: string, to: string, now: number): Inbox {
  const item = inbox.items.get(to);
  if (inbox.selected !== from || !item || !matcherOf(inbox.filter)(item))
    return unlessElsewhere(inbox, from, "warning", `replaced by ${to}`, now);
  const { texts, message } = formOf(inbox, from);
  const forms = new Map(inbox.forms);
  if (texts.some((it) => it !== "") || message !== "")
    forms.set(to, { ...formOf(inbox, to), texts, message });
  const next = disturbed({ ...inbox, forms }, "warning", `${from} was replaced by ${to}, shown here`, now);
  return { ...next, selected: to };
}

function settleDetail(details: Map<string, DecisionView>, id: string, change: Partial<DecisionView>): void {
  const known = details.get(id);
  if (known) details.set(id, { ...known, ...change });
}

/** Forgets the marks and the answers being sent of decisions that are no longer listed. */
function trimmed(inbox: Inbox): Inbox {
  const { items, undoable } = inbox;
  const left = (ids: ReadonlySet<string>) => {
    const kept = [...ids].filter((id) => items.has(id));
    return kept.length === ids.size ? ids : new Set(kept);
  };
  return {
    ...inbox,
    mode: confirmed(inbox),
    marked: left(inbox.marked),
    sending: left(inbox.sending),
    undoable: undoable
      .map((batch) => batch.filter((id) => items.get(id)?.held))
      .filter((batch) => batch.length > 0),
  };
}

/** Asks no longer about those that somebody else has settled; the one in focus is told apart. */
function confirmed(inbox: Inbox): Inbox["mode"] {
  const { mode, selected } = inbox;
  if (mode.type !== "confirm") return mode;
  const ids = mode.ids.filter((id) => id === selected || isOpen(inbox, id));
  return ids.length === mode.ids.length ? mode : { ...mode, ids };
}

function byWhom({ by, via, labels, text }: Pick<Answer, "by" | "via" | "labels" | "text">): string {
  const what = labels.join(", ") || text || "a message";
  return `by ${by} (${via}): ${what}`;
}
