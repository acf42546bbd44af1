/** The one table of options: what a step's option means, and how options are shown by number. */

import type { Action, Decision, Option } from "./decision-types.ts";
import { never } from "./errors.ts";
import type { OptionDef } from "./runbook.ts";

export const MAX_STEP_OPTIONS = 9;
export const MAX_REQUEST_OPTIONS = 4;

export function stepOption(def: OptionDef): Option {
  return {
    key: def.key,
    label: def.label ?? def.key,
    description: def.description ?? null,
    recommended: def.recommended ?? false,
    action: def.step ? { type: "goto", step: def.step } : { type: def.action ?? "continue" },
  };
}

/** What choosing this will do, in words for the card. */
export function consequence(action: Action): string {
  switch (action.type) {
    case "continue":
      return "the job goes on";
    case "goto":
      return `the job goes to step "${action.step}"`;
    case "cancel":
      return "cancels the job";
    case "fail":
      return "fails the job";
    case "dismiss":
      return "nothing happens; the job stays waiting";
    case "answer":
      return "the answer goes to the requester";
    default:
      return never(action);
  }
}

/** `1 Nudge (recommended)  2 Done`: the options on one line, for hints. */
export function optionLine(decision: Pick<Decision, "options">): string {
  return decision.options
    .map((it, index) => `${index + 1} ${it.label}${it.recommended ? " (recommended)" : ""}`)
    .join("  ");
}
