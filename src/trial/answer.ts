/** Who answers in a trial: the script, a seed, or somebody who takes what is recommended. */

import type { ResolveInput } from "../core/decision/answer.ts";
import { numbersNamed } from "../core/decision/named-option.ts";
import type { Decision } from "../core/model/decision-types.ts";
import { Refusal } from "../core/model/errors.ts";
import type { AnswerStep } from "../runbook/trials.ts";
import type { Chance } from "./chance.ts";

const BY = { by: "you", via: "cli" } as const;

/** What a script says, in the terms of the rules. */
export function scriptedAnswer(
  decision: Decision,
  { choice, text, message }: Omit<AnswerStep, "type" | "line">,
): ResolveInput {
  const said = { id: decision.id, text: text ?? null, message: message ?? null, ...BY };
  if (choice === undefined) return { ...said, choices: [] };
  const [only] = choice;
  if (choice.length === 1 && only?.length === 1 && !isNumber(only[0] ?? "") && decision.questions.length < 2)
    return { ...said, choices: [], option: only[0] ?? null };
  return { ...said, choices: choice.map((picks, n) => picks.map((it) => numberOf(decision, n, it))) };
}

function numberOf({ id, questions, options }: Decision, at: number, pick: string): number {
  if (isNumber(pick)) return Number(pick);
  const known = questions.length > 1 ? (questions[at]?.options ?? []) : options;
  const [number] = numbersNamed(known, pick);
  if (number !== undefined) return number;
  throw new Refusal("decision.out-of-range", `${id} has no option "${pick}"`, "");
}

function isNumber(pick: string): boolean {
  return /^\d+$/.test(pick);
}

/** Believes an agent that stopped; otherwise takes the recommended option, or the first one. */
export function likelyAnswer(decision: Decision): ResolveInput {
  return pickedAnswer(decision, (options) => {
    const done = decision.source === "idle" ? options.findIndex((it) => it.key === "done") : -1;
    return done === -1
      ? Math.max(
          0,
          options.findIndex((it) => it.recommended),
        )
      : done;
  });
}

/** Anything but Dismiss, after which a job waits until somebody resumes it. */
export function drawnAnswer(decision: Decision, chance: Chance): ResolveInput {
  return pickedAnswer(decision, (options) => {
    const open = [...options.keys()].filter((it) => options[it]?.action?.type !== "dismiss");
    return open[chance.pick(open.length)] ?? 0;
  });
}

type Pickable = readonly { label: string; key?: string; recommended?: boolean; action?: { type: string } }[];

function pickedAnswer(
  { id, questions, options }: Decision,
  pick: (options: Pickable) => number,
): ResolveInput {
  const asked: Pickable[] = questions.length > 1 ? questions.map((it) => it.options) : [options];
  const choices = asked.map((it) => [pick(it) + 1]);
  return { id, choices, text: null, message: "Go on.", ...BY };
}
