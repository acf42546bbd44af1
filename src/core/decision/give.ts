/**
 * The one gate for giving an answer: whoever answers, through whatever door, and whatever answers in a person's place
 * comes through here (docs/adr/0020). It asks the decision's rule first. No other file makes an answer.
 */
import { aftermathOf } from "../flow/block.ts";
import type { Answer, Decision, Option, Vote } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, Moment } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import { findDecision } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import { endRequest, freesWork, requestAnswered } from "../request/outcome.ts";
import type { Proof } from "../rights/passkey.ts";
import { receiptOf, refuseUnsigned, signedWith } from "../rights/passkey.ts";
import { agreeing, neededFor, refuseByRule, sameAnswer } from "../rights/rule.ts";
import { defaultOption } from "../template/overdue.ts";
import { isNo, saysNo } from "../template/rule.ts";
import type { Given, ResolveInput } from "./answer.ts";
import { answerTo } from "./answer.ts";
import { carryOut } from "./carry-out.ts";
import { alreadySettled } from "./decision.ts";

export type { ResolveInput };

/** Gives the answer now. */
export function resolveDecision(state: Readonly<State>, input: ResolveInput, moment: Moment): Fact[] {
  return give(state, input, moment, (decision, given) => settle(state, decision, given, moment));
}

/** Takes the answer, but sends it only after `delay_ms`. It has already won: a second answer is refused. */
export function holdAnswer(
  state: Readonly<State>,
  { delay_ms, ...input }: ResolveInput & { delay_ms: number },
  moment: Moment,
): Fact[] {
  const release_at_ms = moment.at_ms + delay_ms;
  return give(state, input, moment, ({ id, project }, { answer }) => [
    { type: "decision:held", id, project, given: wordsOf(input, answer), answer, release_at_ms },
  ]);
}

/** The window has passed: the answer goes out as if it were given now. The gate has let it through already. */
export function releaseAnswer(state: Readonly<State>, { id }: { id: DecisionId }, moment: Moment): Fact[] {
  const decision = state.decisions.get(id);
  if (!decision?.held) return [];
  const { given, answer } = decision.held;
  const said = answerTo(decision, { id, ...given, by: answer.by, via: answer.via }, moment);
  const { who, passkey } = answer;
  const known = { ...(who === undefined ? {} : { who }), ...(passkey === undefined ? {} : { passkey }) };
  return settle(state, decision, { ...said, answer: { ...said.answer, ...known } }, moment);
}

/**
 * A no that was on hold is taken back: if enough of the others have said the same, that is on hold again, for as long
 * as the no would have been. Without their word and this, it would wait for somebody who has nothing left to say.
 */
export function holdAgain(
  state: Readonly<State>,
  decision: Decision,
  { without, at_ms }: { without: string; at_ms: number },
): Fact[] {
  const { id, project, held } = decision;
  const votes = (decision.votes ?? []).filter((it) => it.who !== without);
  const last = votes.findLast(
    ({ answer }) =>
      !saysNo(decision, answer) && agreeing(state, { votes, project }, answer).length >= neededFor(decision),
  );
  if (!held || !last) return [];
  const release_at_ms = at_ms + held.release_at_ms - held.held_at_ms;
  return [{ type: "decision:held", id, project, given: last.given, answer: last.answer, release_at_ms }];
}

/**
 * A deadline chooses the default, which is never a person's answer: where a rule says who may answer, it can only be a
 * no. Null: nothing can be chosen, and the decision stays pending.
 */
export function takeDefault(
  state: Readonly<State>,
  decision: Decision,
  { key, by, reason, words }: { key: string; by: string; reason: string; words(option: Option): string },
  moment: Moment,
): Fact[] | null {
  const { id, project, options, rule } = decision;
  const option = defaultOption(options, key);
  if (!option || (rule && !isNo(option.action, option))) return null;
  const number = options.indexOf(option) + 1;
  const answer: Answer = {
    chosen: number,
    choices: [[number]],
    labels: [option.label],
    text: null,
    message: words(option),
    by,
    via: "escalation",
    resolved_at_ms: moment.at_ms,
  };
  const draft = draftOn(state, moment);
  const outcome = { state: "expired", reason, by, default: key, answer } as const;
  if (decision.owner.kind === "requester") endRequest(draft, decision, outcome);
  else draft.emit({ type: "decision:expired", id, project, reason, by, default: key, answer });
  carryOut(draft, decision, { action: option.action, answer, option });
  return draft.facts;
}

/** `win` makes the facts of an answer that decides. */
function give(
  state: Readonly<State>,
  input: ResolveInput,
  moment: Moment,
  win: (decision: Decision, given: Given) => Fact[],
): Fact[] {
  const decision = findDecision(state, input.id);
  const { rule, held } = decision;
  const isOpen = decision.state === "pending" && !held;
  if (!rule) {
    if (!isOpen) throw alreadySettled(decision, moment.at_ms);
    return win(decision, answerTo(decision, input, moment));
  }
  if (decision.state !== "pending") throw alreadySettled(decision, moment.at_ms);
  const given = named(answerTo(decision, input, moment), input);
  refuseByRule(state, decision, input.who ?? null, given);
  const isOver = isNo(given.action, given.option);
  if (neededFor(decision) <= 1 && !isOpen) throw alreadySettled(decision, moment.at_ms);
  const proof = isOver || rule.fresh === undefined ? null : proven(state, decision, input);
  const known = proof === null ? given : { ...given, answer: { ...given.answer, passkey: receiptOf(proof) } };
  const facts =
    neededFor(decision) <= 1
      ? win(decision, known)
      : vote(state, decision, { given: known, isOver, input }, moment, win);
  return proof === null || facts.length === 0 ? facts : [...facts, signedWith(input.who ?? "", proof)];
}

/** The signature of whoever says yes; refuses without one. */
function proven(state: Readonly<State>, decision: Decision, input: ResolveInput): Proof {
  const { who, proof = null } = input;
  refuseUnsigned(state, decision, { who: who ?? "", words: input, proof });
  if (proof === null) throw new Error("an unsigned yes was not refused");
  return proof;
}

/** It takes several people. Until the answer has gone out, whoever said yes may still say no, and so may the others. */
function vote(
  state: Readonly<State>,
  decision: Decision,
  { given, isOver, input }: { given: Given; isOver: boolean; input: ResolveInput },
  moment: Moment,
  win: (decision: Decision, given: Given) => Fact[],
): Fact[] {
  const who = input.who ?? "";
  const { held, votes = [], id, project } = decision;
  if (held && (!isOver || saysNo(decision, held.answer))) throw alreadySettled(decision, moment.at_ms);
  const before = votes.find((it) => it.who === who);
  const member = input.member ? ({ member: true } as const) : {};
  const said: Vote = { who, ...member, given: wordsOf(input, given.answer), answer: given.answer };
  const voted: Fact = { type: "decision:voted", id, project, ...said };
  if (isOver) return [voted, ...win(decision, given)];
  const others = agreeing(state, decision, given.answer).filter((it) => it.who !== who);
  if (others.length + 1 >= neededFor(decision)) return [voted, ...win(decision, given)];
  // the same person saying the same again counts once
  return before && sameAnswer(before.answer, given.answer) ? [] : [voted];
}

/** With a rule, an answer says who it was as well as the name that they gave. */
function named(given: Given, { who, by }: ResolveInput): Given {
  return who == null || who === by ? given : { ...given, answer: { ...given.answer, who } };
}

function wordsOf({ choices, option, text, texts, message }: ResolveInput, answer: Answer): Vote["given"] {
  const edit = answer.input === undefined ? {} : { input: answer.input };
  return { choices, option: option ?? null, text, ...(texts?.length ? { texts } : {}), message, ...edit };
}

function settle(state: Readonly<State>, decision: Decision, given: Given, moment: Moment): Fact[] {
  const { answer, action } = given;
  const { id, project, owner } = decision;
  const draft = draftOn(state, moment);
  const outcome = { state: action.type === "dismiss" ? "dismissed" : "resolved", answer } as const;
  draft.emit({
    type: "decision:resolved",
    id,
    project,
    state: outcome.state,
    action,
    aftermath: aftermathOf(state, decision, freesWork(decision, outcome.state, answer)),
    ...answer,
  });
  if (owner.kind === "requester") requestAnswered(draft, decision, outcome);
  carryOut(draft, decision, given);
  return draft.facts;
}
