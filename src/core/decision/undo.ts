/** The undo window: an answer is on hold for a moment, in which it can be taken back. Only people know about it. */

import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, Moment } from "../model/ids.ts";
import { findDecision } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import { describeAge } from "../text/words.ts";
import type { ResolveInput } from "./answer.ts";
import { answerTo } from "./answer.ts";
import { findOpen, settle } from "./decision.ts";
import { expiryWords } from "./settled.ts";

/** Takes the answer, but sends it only after `delay_ms`. It has already won: a second answer is refused. */
export function holdAnswer(
  state: Readonly<State>,
  { delay_ms, ...input }: ResolveInput & { delay_ms: number },
  moment: Moment,
): Fact[] {
  const decision = findOpen(state, input.id, moment);
  const { answer } = answerTo(decision, input, moment);
  const { choices, text, texts, message } = input;
  const edit = answer.input === undefined ? {} : { input: answer.input };
  return [
    {
      type: "decision:held",
      id: decision.id,
      project: decision.project,
      given: {
        choices,
        option: input.option ?? null,
        text,
        ...(texts?.length ? { texts } : {}),
        message,
        ...edit,
      },
      answer,
      release_at_ms: moment.at_ms + delay_ms,
    },
  ];
}

/** The window has passed: the answer goes out as if it were given now. */
export function releaseAnswer(state: Readonly<State>, { id }: { id: DecisionId }, moment: Moment): Fact[] {
  const decision = state.decisions.get(id);
  if (!decision?.held) return [];
  const { given, answer } = decision.held;
  return settle(state, decision, { id, ...given, by: answer.by, via: answer.via }, moment);
}

export function undoAnswer(
  state: Readonly<State>,
  { id: text, by }: { id: string; by: string },
  { at_ms }: Moment,
): Fact[] {
  const decision = findDecision(state, text);
  const { id, project, held, answer } = decision;
  if (held) return [{ type: "decision:undone", id, project, by }];
  const isExpired = decision.state === "expired";
  const why = !answer
    ? "nobody has answered it"
    : isExpired
      ? `it expired: ${expiryWords(decision)}`
      : `the answer was sent ${describeAge(at_ms - answer.resolved_at_ms)}`;
  throw new Refusal(
    "decision.not-held",
    `${id} has no answer to take back: ${why}`,
    `oj decision show ${id}`,
  );
}
