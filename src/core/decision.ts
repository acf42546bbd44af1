/** Decisions: finding, answering, withdrawing and acknowledging them. First answer wins. */
import type { Action, Answer, Decision, Option, Via } from "./decision-types.ts";
import { draftOn } from "./draft.ts";
import { never, Refusal } from "./errors.ts";
import type { Choice, Fact } from "./events.ts";
import type { DecisionId, Moment } from "./ids.ts";
import { matchId } from "./ids.ts";
import { cancelFrom } from "./job.ts";
import { stepCompleted, stepFailed } from "./job-flow.ts";
import { hasEnded } from "./job-types.ts";
import { optionLine } from "./options.ts";
import type { State } from "./state.ts";
import { describeAge } from "./words.ts";

export interface ResolveInput {
  id: string;
  /** One list of option numbers for each question; a decision without questions takes one number. */
  choices: number[][];
  text: string | null;
  message: string | null;
  by: string;
  via: Via;
}

export function findDecision(state: Readonly<State>, text: string): Decision {
  const exact = state.decisions.get(text as DecisionId);
  if (exact) return exact; // without a look at all the others
  const found = matchId(state.decisions.keys(), "dec", text);
  const [id] = found;
  const decision = id === undefined ? undefined : state.decisions.get(id);
  if (!decision) throw new Refusal("decision.not-found", `there is no decision ${text}`, "oj decision list");
  if (found.length > 1) {
    const candidates = found.slice(0, 10);
    const more = found.length > candidates.length ? `  and ${found.length - candidates.length} more` : "";
    throw new Refusal(
      "decision.ambiguous",
      `"${text}" may be ${found.length} decisions`,
      candidates.join("  ") + more,
      { candidates },
    );
  }
  return decision;
}

export function resolveDecision(state: Readonly<State>, input: ResolveInput, moment: Moment): Fact[] {
  const decision = findDecision(state, input.id);
  if (decision.state !== "pending") throw alreadySettled(decision, moment.at_ms);
  const answer = answerTo(decision, input, moment);
  const option = answer.chosen === null ? null : optionAt(decision, answer.chosen);
  const action: Action = option?.action ?? { type: "answer" };
  const { id, project } = decision;
  const draft = draftOn(state, moment);
  draft.emit({
    type: "decision:resolved",
    id,
    project,
    state: action.type === "dismiss" ? "dismissed" : "resolved",
    action,
    ...answer,
  });
  if (decision.owner.kind === "job") {
    // The job takes the answer in this same commit: nothing is left to deliver.
    if (action.type !== "dismiss") draft.emit({ type: "decision:acknowledged", id, project });
    moveJob(draft, decision, action, choiceOf(answer, option));
  }
  return draft.facts;
}

function moveJob(
  draft: ReturnType<typeof draftOn>,
  decision: Decision,
  action: Action,
  choice: Choice,
): void {
  if (decision.owner.kind !== "job" || !draft.state.jobs.has(decision.owner.id)) return;
  const { id, step } = decision.owner;
  const job = draft.job(id);
  if (hasEnded(job) || job.step !== step) return;
  const nothing = { output: "", exit_code: null };
  switch (action.type) {
    case "continue":
    case "answer":
      return stepCompleted(draft, id, nothing, choice);
    case "goto":
      return stepCompleted(draft, id, nothing, choice, action.step);
    case "cancel":
      return cancelFrom(draft, id, {
        reason: choice.message || `${choice.by} chose "${choice.label}"`,
        by: choice.by,
      });
    case "fail":
      return stepFailed(
        draft,
        id,
        `${choice.by} chose "${choice.label}"${choice.message ? `: ${choice.message}` : ""}`,
        nothing,
      );
    case "dismiss":
      return;
    default:
      never(action);
  }
}

/** Takes a request back. A question of a job or an agent goes with its owner, not by itself. */
export function cancelDecision(
  state: Readonly<State>,
  input: { id: string; by: string; reason: string | null },
  moment: Moment,
): Fact[] {
  const decision = findDecision(state, input.id);
  if (decision.state !== "pending") throw alreadySettled(decision, moment.at_ms);
  if (decision.owner.kind !== "requester") {
    const what =
      decision.owner.kind === "job"
        ? `oj job cancel ${decision.owner.id}`
        : `oj decision show ${decision.id}`;
    throw new Refusal(
      "decision.not-a-request",
      `${decision.id} is asked by ${decision.owner.name}; it ends with it, or by an answer`,
      what,
    );
  }
  const reason = input.reason ?? "cancelled";
  return [{ type: "decision:withdrawn", id: decision.id, project: decision.project, reason, by: input.by }];
}

/** The answer is on its way to the requester. */
export function deliver(state: Readonly<State>, input: { id: DecisionId }): Fact[] {
  const decision = state.decisions.get(input.id);
  if (decision?.delivery.state !== "owed") return [];
  const { id, project, delivery } = decision;
  return [{ type: "decision:delivered", id, project, attempt: delivery.attempts + 1 }];
}

/** The requester has the answer in hand: its `await` returned. */
export function acknowledge(state: Readonly<State>, input: { id: DecisionId }): Fact[] {
  const decision = state.decisions.get(input.id);
  if (decision?.delivery.state !== "delivered") return [];
  return [{ type: "decision:acknowledged", id: decision.id, project: decision.project }];
}

/** Reads the given numbers and words as an answer to this decision, or refuses with the next thing to type. */
function answerTo(decision: Decision, input: ResolveInput, moment: Moment): Answer {
  const numbers = input.choices.flat();
  const text = blankToNull(input.text);
  const message = blankToNull(input.message);
  if (numbers.length === 0 && text === null && message === null) throw nothingGiven(decision);
  if (input.choices.length > 1 || numbers.length > 1) {
    throw new Refusal(
      "decision.wrong-count",
      `${decision.id} takes one choice; ${numbers.length} were given`,
      resolveHint(decision),
    );
  }
  const chosen = numbers[0] ?? null;
  if (chosen !== null) optionAt(decision, chosen);
  if (chosen === null && decision.source === "step") {
    throw new Refusal(
      "decision.choice-required",
      `${decision.id} decides where ${decision.owner.name} goes: a message alone does not say`,
      `${optionLine(decision)}\n${resolveHint(decision)}`,
    );
  }
  return {
    chosen,
    choices: chosen === null ? [] : [[chosen]],
    labels: chosen === null ? [] : [optionAt(decision, chosen).label],
    text,
    message,
    by: input.by,
    via: input.via,
    resolved_at_ms: moment.at_ms,
  };
}

function optionAt(decision: Decision, number: number): Option {
  const option = decision.options[number - 1];
  if (option && Number.isInteger(number)) return option;
  const count = decision.options.length;
  throw new Refusal(
    "decision.out-of-range",
    `${decision.id} has ${count} option${count === 1 ? "" : "s"}; ${number} is not one of them.`,
    `${optionLine(decision)}\n${resolveHint(decision)}`,
    { options: count },
  );
}

function alreadySettled(decision: Decision, now: number): Refusal {
  const { answer, ended, id } = decision;
  const details = { state: decision.state, answer, superseded_by: decision.superseded_by };
  const hint = `oj decision show ${decision.superseded_by ?? id}`;
  if (answer) {
    const what = answer.labels.join(", ") || answer.text || answer.message || "a message";
    const when = describeAge(now - answer.resolved_at_ms);
    return new Refusal(
      "decision.already-resolved",
      `${id} was already answered: ${what}, by ${answer.by} (${answer.via}) ${when}`,
      hint,
      details,
    );
  }
  const when = ended ? ` ${describeAge(now - ended.at_ms)}` : "";
  return new Refusal(
    "decision.already-resolved",
    `${id} was ${decision.state}${when}${ended ? `: ${ended.reason}` : ""}`,
    hint,
    details,
  );
}

function nothingGiven(decision: Decision): Refusal {
  return new Refusal(
    "decision.nothing-given",
    `nothing was given to answer ${decision.id} with`,
    `${optionLine(decision)}\n${resolveHint(decision)}`,
  );
}

function resolveHint(decision: Decision): string {
  const range = decision.options.length === 1 ? "1" : `<1-${decision.options.length}>`;
  return `oj decision resolve ${decision.id} ${range}`;
}

function choiceOf(answer: Answer, option: Option | null): Choice {
  return {
    choice: option?.key ?? "",
    number: answer.chosen === null ? "" : String(answer.chosen),
    label: option?.label ?? "",
    message: answer.message ?? answer.text ?? "",
    by: answer.by,
  };
}

function blankToNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}
