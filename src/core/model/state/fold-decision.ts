/** How facts change a decision. Only folds: whether a fact may be written is settled in `decision.ts`. */
import type { Answer, Decision, DecisionState, Vote } from "../decision-types.ts";
import type { DecisionFact, Event, Stamp } from "../events.ts";
import type { Changing } from "../fixed.ts";
import { foldRepeat } from "../fold-repeat.ts";
import type { DecisionId, MachineName } from "../ids.ts";
import { currentRecipient } from "../queue-types.ts";
import {
  beginAgain,
  closingFrom,
  foldPause,
  newEscalation,
  restartClosing,
  stopWaiting,
} from "./fold-escalation.ts";
import type { OpenRows } from "./table.ts";

/** Folds the event into the decision it names, and returns that decision (undefined if there is none). */
export function foldDecision(
  decisions: OpenRows<DecisionId, Decision>,
  event: Event,
  machine: MachineName | undefined,
): Decision | undefined {
  const fact = event as DecisionFact & Stamp;
  if (fact.type === "decision:created") {
    const decision = newDecision(fact, machine);
    decisions.set(decision.id, decision);
    return decision;
  }
  const decision = decisions.open(fact.id);
  if (decision) foldFact(decision, fact);
  return decision;
}

function foldFact(
  decision: Changing<Decision>,
  fact: Exclude<DecisionFact, { type: "decision:created" }> & Stamp,
): void {
  switch (fact.type) {
    case "decision:resolved": {
      const { chosen, choices, labels, text, texts, message, by, via, resolved_at_ms, policy, passkey } =
        fact;
      decision.state = fact.state;
      decision.held = null;
      stopWaiting(decision);
      decision.aftermath = fact.aftermath ?? null;
      const words = texts ? { text, texts } : { text };
      const edit =
        fact.input && fact.input_sha256 ? { input: fact.input, input_sha256: fact.input_sha256 } : {};
      const rule = { ...(policy ? { policy } : {}), ...(passkey ? { passkey } : {}) };
      const known = fact.who === undefined ? {} : { who: fact.who };
      decision.answer = {
        chosen,
        choices,
        labels,
        ...words,
        message,
        by,
        ...known,
        via,
        resolved_at_ms,
        ...edit,
        ...rule,
      };
      decision.delivery = {
        state: fact.state === "dismissed" ? "none" : "owed",
        attempts: 0,
        error: null,
        at_ms: null,
      };
      return;
    }
    case "decision:held": {
      const { given, answer, at_ms: held_at_ms, release_at_ms } = fact;
      decision.held = { given, answer, held_at_ms, release_at_ms };
      return;
    }
    case "decision:undone":
      decision.held = null;
      decision.undone = (decision.undone ?? 0) + 1;
      restartClosing(decision, fact.at_ms);
      return;
    case "decision:voted": {
      const { who, member, given, answer } = fact;
      const vote = { who, ...(member ? { member } : {}), given, answer };
      decision.votes = [...votesBut(decision, who), vote];
      return;
    }
    case "decision:unvoted":
      decision.votes = votesBut(decision, fact.who);
      return;
    case "decision:seen":
      decision.seen ??= { by: fact.by, via: fact.via, at_ms: fact.at_ms };
      return;
    case "decision:stale":
      decision.stale_since_ms = fact.since_ms;
      return;
    case "decision:claimed":
    case "decision:snoozed":
    case "decision:released":
      return foldPause(decision, fact);
    case "decision:delivered":
      decision.delivery = { state: "delivered", attempts: fact.attempt, error: null, at_ms: fact.at_ms };
      return;
    case "decision:acknowledged":
      decision.delivery = {
        state: "acknowledged",
        attempts: decision.delivery.attempts,
        error: null,
        at_ms: fact.at_ms,
      };
      return;
    case "decision:undelivered":
      decision.delivery = { ...decision.delivery, state: "failed", error: fact.error, at_ms: fact.at_ms };
      return;
    case "decision:promoted":
      decision.promoted = { reason: fact.reason, at_ms: fact.at_ms };
      beginAgain(decision, fact.at_ms);
      return;
    case "decision:repeated":
    case "decision:left":
    case "decision:shared":
      return foldRepeat(decision, fact);
    case "decision:superseded":
      decision.superseded_by = fact.superseded_by;
      return end(decision, "superseded", `superseded by ${fact.superseded_by}`, "oj", fact.at_ms);
    case "decision:withdrawn":
    case "decision:expired":
      decision.aftermath = fact.aftermath ?? null;
      if (fact.type === "decision:expired" && fact.answer) takeDefault(decision, fact.answer, fact.default);
      return end(
        decision,
        fact.type === "decision:expired" ? "expired" : "withdrawn",
        fact.reason,
        fact.by,
        fact.at_ms,
      );
    default:
      return; // a fact from a newer version
  }
}

function votesBut({ votes = [] }: Pick<Decision, "votes">, who: string): Vote[] {
  return votes.filter((it) => it.who !== who);
}

/** What the deadline chose has to reach whoever asked, as an answer has. */
function takeDefault(decision: Changing<Decision>, answer: Answer, key: string | undefined): void {
  decision.answer = answer;
  const isDismissal = decision.options.some((it) => it.key === key && it.action.type === "dismiss");
  decision.delivery = { state: isDismissal ? "none" : "owed", attempts: 0, error: null, at_ms: null };
}

function end(
  decision: Changing<Decision>,
  state: DecisionState,
  reason: string,
  by: string,
  at_ms: number,
): void {
  decision.state = state;
  decision.held = null;
  stopWaiting(decision);
  decision.ended = { reason, by, at_ms };
}

/**
 * Field by field, and what few decisions have comes last, as assignments: copying with some fields left out takes ten
 * times as long, and so does a spread within the literal. A start folds every decision there ever was.
 */
function newDecision(
  fact: Extract<DecisionFact, { type: "decision:created" }>,
  machine: MachineName | undefined,
): Decision {
  const decision: Changing<Decision> = {
    id: fact.id,
    project: fact.project,
    owner: fact.owner,
    source: fact.source,
    title: fact.title,
    context: fact.context,
    fields: fact.fields,
    urgency: fact.urgency,
    options: fact.options,
    questions: fact.questions,
    action: fact.action,
    requested_by: fact.requested_by,
    session: fact.session ?? null,
    template: fact.template,
    blocks: fact.blocks,
    on_cancel: fact.on_cancel ?? "keep",
    aftermath: null,
    parent: fact.parent,
    predecessor: fact.predecessor,
    supersedes: fact.supersedes,
    recipient: fact.recipient ? currentRecipient(fact.recipient, fact.project) : null,
    created_at_ms: fact.created_at_ms,
    agent_id: fact.agent_id ?? null,
    prompt_key: fact.prompt_key ?? null,
    state: "pending",
    superseded_by: null,
    held: null,
    answer: null,
    ended: null,
    delivery: { state: "none", attempts: 0, error: null, at_ms: null },
  };
  if (machine !== undefined) decision.machine = machine;
  if (fact.asked_in !== undefined) decision.asked_in = fact.asked_in;
  if (fact.claimed_session !== undefined) decision.claimed_session = fact.claimed_session;
  if (fact.parent_bead !== undefined) decision.parent_bead = fact.parent_bead;
  if (fact.escalation) decision.escalation = newEscalation(fact.escalation, fact.created_at_ms);
  if (fact.deadline_at_ms !== undefined) decision.deadline_at_ms = fact.deadline_at_ms;
  if (fact.default !== undefined) decision.default = fact.default;
  if (fact.auto_close_ms !== undefined)
    decision.closing = closingFrom(fact.auto_close_ms, fact.created_at_ms);
  if (fact.root !== undefined) decision.root = fact.root;
  if (fact.aside !== undefined) decision.aside = fact.aside;
  if (fact.rule !== undefined) decision.rule = fact.rule;
  if (fact.sponsor !== undefined) decision.sponsor = fact.sponsor;
  return decision;
}
