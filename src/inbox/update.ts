/** The only way the inbox changes: what happened goes in; the next inbox and the effects to perform come out. */
import type { BatchResult, DecisionBrief, DecisionView, ErrorBody } from "../api/api.ts";
import { never } from "../core/model/errors.ts";
import type { Event } from "../core/model/events.ts";
import type { Pressed } from "./keys.ts";
import type { Inbox, Notice, Step } from "./model.ts";
import { MAX_ANSWERED, MAX_DETAILS, withNotice, withWords } from "./model.ts";
import { onEvents, onListed } from "./on-event.ts";
import { onKey, onPointed, select, takeBack, toggled } from "./on-key.ts";
import { listed } from "./order.ts";

export type Input =
  | { type: "listed"; briefs: readonly DecisionBrief[] }
  | { type: "events"; events: readonly Event[] }
  | { type: "loaded"; decision: DecisionView }
  | { type: "key"; key: Pressed }
  /** The person pointed at a decision. */
  | { type: "pointed"; id: string }
  /** The person pointed at an option of this decision, in this place. */
  | { type: "chose"; id: string; at: number; number: number }
  | { type: "marked"; id: string }
  /** The person wants to undo this answer, even if another one was given later. */
  | { type: "undo"; id: string }
  /** Without `at`, the text is for the question in focus. */
  | { type: "typed"; id: string; field: "text" | "message"; text: string; at?: number }
  | { type: "filtered"; text: string }
  | { type: "answered"; decision: DecisionView }
  | { type: "answered-all"; results: readonly BatchResult[] }
  | { type: "taken-back"; decision: DecisionView }
  | { type: "refused"; id: string; error: ErrorBody["error"] }
  /** Something the person should know. */
  | { type: "noted"; text: string }
  | { type: "connection"; state: Inbox["connection"] };

export function update(inbox: Inbox, input: Input, now: number): Step {
  switch (input.type) {
    case "listed":
      return focused(onListed(inbox, input.briefs, now));
    case "events":
      return focused(onEvents(inbox, input.events, now));
    case "loaded":
      return only(withDetail(inbox, input.decision));
    case "key":
      return onKey(inbox, input.key, now);
    case "pointed":
      return select({ ...inbox, mode: { type: "list" } }, input.id);
    case "chose":
      return onPointed(inbox, input, now);
    case "undo":
      return takeBack(inbox, input.id);
    case "marked":
      return only({ ...inbox, marked: toggled(inbox.marked, input.id) });
    case "typed":
      return only(withWords(inbox, input.id, input.field, input.text, input.at));
    case "filtered":
      return only({ ...inbox, filter: { ...inbox.filter, text: input.text } });
    case "answered":
      return only(answered(inbox, input.decision));
    case "answered-all":
      return only(answeredAll(inbox, input.results, now));
    case "taken-back": {
      const { id } = input.decision;
      const undoable = inbox.undoable.filter((it) => it !== id);
      const answered = inbox.answered.filter((it) => it !== id);
      const sending = without(inbox.sending, id);
      const next = { ...withDetail(inbox, input.decision), undoable, answered, sending, selected: id };
      return only(withNotice(next, "info", `the answer to ${id} was taken back`, now));
    }
    case "refused":
      return only(refused(inbox, input.id, input.error, now));
    case "noted":
      return only(withNotice(inbox, "info", input.text, now));
    case "connection":
      return only({ ...inbox, connection: input.state });
    default:
      return never(input);
  }
}

/** Puts the first decision in focus if none is yet. */
function focused(inbox: Inbox): Step {
  const [first] = inbox.selected === null ? listed(inbox) : [];
  return first ? select(inbox, first.id) : only(inbox);
}

function answered(inbox: Inbox, decision: DecisionView): Inbox {
  const { id } = decision;
  const forms = new Map(inbox.forms);
  forms.delete(id);
  const given = [...inbox.answered.filter((it) => it !== id), id].slice(-MAX_ANSWERED);
  const sending = without(inbox.sending, id);
  const next = { ...withDetail(inbox, decision), forms, sending, answered: given };
  return decision.held ? { ...next, undoable: [...next.undoable.filter((it) => it !== id), id] } : next;
}

function answeredAll(inbox: Inbox, results: readonly BatchResult[], now: number): Inbox {
  let next = inbox;
  const failed: string[] = [];
  for (const result of results) {
    if ("decision" in result) next = answered(next, result.decision);
    else {
      next = { ...next, sending: without(next.sending, result.id) };
      failed.push(`${result.id}: ${result.error.message}`);
    }
  }
  const done = results.length - failed.length;
  const [kind, more]: [Notice["kind"], string] =
    failed.length === 0 ? ["info", ""] : ["error", `; not: ${failed.join("; ")}`];
  return withNotice(next, kind, `${done} of ${results.length} answered${more}`, now);
}

function refused(inbox: Inbox, id: string, error: ErrorBody["error"], now: number): Inbox {
  const next = { ...inbox, sending: without(inbox.sending, id) };
  return withNotice(next, "error", error.message, now);
}

/** Takes over the daemon's newest view of a decision, in the list too. */
function withDetail(inbox: Inbox, decision: DecisionView): Inbox {
  const details = new Map(inbox.details);
  details.delete(decision.id);
  details.set(decision.id, decision);
  for (const id of details.keys()) {
    if (details.size <= MAX_DETAILS) break;
    if (id !== inbox.selected) details.delete(id);
  }
  const item = inbox.items.get(decision.id);
  const isListedSo = item?.held === null && decision.held === null && decision.state === "pending";
  if (!item || isListedSo) return { ...inbox, details }; // looking at one must not copy a list of ten thousand
  const items = new Map(inbox.items);
  if (decision.state === "pending") items.set(decision.id, { ...item, held: decision.held });
  else items.delete(decision.id);
  return { ...inbox, details, items };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const left = new Set(ids);
  left.delete(id);
  return left;
}

function only(inbox: Inbox): Step {
  return { inbox, effects: [] };
}
