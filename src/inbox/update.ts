/** The only way the inbox changes: what happened goes in; the next inbox and the effects to perform come out. */
import type {
  BatchResult,
  DecisionBrief,
  DecisionView,
  ErrorBody,
  FailedRun,
  Rememberable,
  SuggestionView,
} from "../api/api.ts";
import { never } from "../core/model/errors.ts";
import type { Event } from "../core/model/events.ts";
import { onEdited } from "./edit.ts";
import { isFailure, onFailed } from "./failed.ts";
import type { Pressed } from "./keys.ts";
import type { Inbox, Step } from "./model.ts";
import { only, withNotice, withWords } from "./model.ts";
import { onEvents, onListed } from "./on-event.ts";
import { onKey, onPointed, toggled, typingOn } from "./on-key.ts";
import { onNotices, rereadAll } from "./on-notice.ts";
import { onAnswered, onAnsweredAll, onLoaded, onRefused, onTakenBack } from "./on-reply.ts";
import { isListed } from "./order.ts";
import { onProposed, sawRule } from "./remember.ts";
import { filtered, opened, point, refocused } from "./select.ts";
import { claim, takeBackOf } from "./send.ts";
import { saw } from "./sight.ts";
import type { SuggestionDone } from "./suggestion.ts";
import { onSuggested, onSuggestionDone } from "./suggestion.ts";

export type Input =
  | { type: "listed"; briefs: readonly DecisionBrief[] }
  | { type: "events"; events: readonly Event[] }
  /** Everything that failed and nobody has seen. */
  | { type: "failed"; runs: readonly FailedRun[] }
  | { type: "loaded"; decision: DecisionView }
  /** This decision is on screen; `rest` more screens of what it is about have not been on it yet. */
  | { type: "saw"; id: string; rest: number }
  /** The rule that an approval would become; so many screens of it have not been on screen yet. */
  | { type: "proposed"; found: Rememberable }
  | { type: "saw-rule"; id: string; rest: number }
  /** What people's answers suggest now. */
  | { type: "suggested"; suggestions: readonly SuggestionView[] }
  | { type: "suggestion-done"; done: SuggestionDone }
  | { type: "key"; key: Pressed }
  /** A key that does nothing here. */
  | { type: "stray" }
  /** The person pointed at a decision. */
  | { type: "pointed"; id: string }
  /** The person pointed at an option of this decision, in this place. */
  | { type: "chose"; id: string; at: number; number: number }
  /** The person opened this decision from another screen. */
  | { type: "opened"; id: string }
  /** The person wants to look at this agent's terminal. */
  | { type: "peek"; agent_id: string }
  | { type: "marked"; id: string }
  /** The person wants to undo this answer, even if another one was given later; a batch is undone as one. */
  | { type: "undo"; id: string }
  /** The person is on this one, or no longer. */
  | { type: "claim"; id: string }
  /** Without `at`, the text is for the question in focus. */
  | { type: "typed"; id: string; field: "text" | "message"; text: string; at?: number }
  /** The agent's command, edit or plan as the person changed it; null: as it was. */
  | { type: "edited"; id: string; text: string | null }
  | { type: "filtered"; text: string }
  | { type: "answered"; decision: DecisionView }
  | { type: "answered-all"; results: readonly BatchResult[] }
  | { type: "taken-back"; results: readonly BatchResult[] }
  | { type: "refused"; id: string; error: ErrorBody["error"] }
  /** Something the person should know. */
  | { type: "noted"; text: string }
  | { type: "connection"; state: Inbox["connection"] };

export function update(inbox: Inbox, input: Input, now: number): Step {
  switch (input.type) {
    case "listed":
      return rereadAll(focused(inbox, onListed(inbox, input.briefs, now)));
    case "events":
      return onNotices(focused(inbox, onEvents(inbox, input.events, now)), input.events);
    case "failed": {
      const next = onFailed(inbox, input.runs, now);
      const step = focused(inbox, next);
      return { ...step, inbox: { ...step.inbox, notice: next.notice } };
    }
    case "loaded":
      return only(onLoaded(inbox, input.decision, now));
    case "saw":
      return looked(inbox, saw(inbox, input.id, input.rest), input.id);
    case "proposed":
      return only(onProposed(inbox, input.found));
    case "saw-rule":
      return only(sawRule(inbox, input.id, input.rest));
    case "suggested":
      return only(onSuggested(inbox, input.suggestions, now));
    case "suggestion-done":
      return only(onSuggestionDone(inbox, input.done, now));
    case "key":
      return onKey(inbox, input.key, now);
    case "stray":
      return only(typingOn(inbox, now) ?? inbox);
    case "pointed":
      return point(inbox, input.id);
    case "opened":
      return opened(inbox, input.id, now);
    case "peek":
      return only({ ...inbox, mode: { type: "peek", agent_id: input.agent_id } });
    case "chose":
      return onPointed(inbox, input, now);
    case "undo":
      return takeBackOf(inbox, input.id);
    case "claim":
      return claim(inbox, input.id, now);
    case "marked":
      return only(
        isListed(inbox, input.id) ? { ...inbox, marked: toggled(inbox.marked, [input.id]) } : inbox,
      );
    case "typed":
      return only({ ...withWords(inbox, input.id, input.field, input.text, input.at), typed_at_ms: now });
    case "edited":
      return only(onEdited(inbox, input.id, input.text));
    case "filtered":
      return filtered(inbox, { text: input.text });
    case "answered":
      return only(onAnswered(inbox, input.decision));
    case "answered-all":
      return only(onAnsweredAll(inbox, input.results, now));
    case "taken-back":
      return onTakenBack(inbox, input.results, now);
    case "refused":
      return only(onRefused(inbox, input.id, input.error, now));
    case "noted":
      return only(withNotice(inbox, "info", input.text, now));
    case "connection":
      return only({ ...inbox, connection: input.state });
    default:
      return never(input);
  }
}

/** What a person has not seen before is reported as seen. What failed is no decision. */
function looked(before: Inbox, inbox: Inbox, id: string): Step {
  const isFirst = !before.seen.has(id) && inbox.seen.has(id) && inbox.items.has(id) && !isFailure(id);
  return isFirst ? only(inbox, { type: "look", id }) : only(inbox);
}

/** Puts the first decision in focus if none is yet, and loads the one in focus if it is another one now. */
function focused(before: Inbox, inbox: Inbox): Step {
  if (inbox.selected === null) return refocused(inbox);
  const isNew = inbox.selected !== before.selected && !inbox.details.has(inbox.selected);
  return isNew ? only(inbox, { type: "load", id: inbox.selected }) : only(inbox);
}
