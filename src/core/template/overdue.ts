/** What happens while nobody answers, put together from everything that says something about it. */
import type { Action, Option } from "../model/decision-types.ts";
import { never } from "../model/errors.ts";
import type { EscalationDef } from "../model/reach-types.ts";
import type { Overdue } from "../model/runbook.ts";
import type { Rule } from "../roles/rule.ts";
import { isNo } from "./rule.ts";

/** The part of `decision:created` that is about it. */
export interface OverdueFields {
  escalation?: EscalationDef;
  deadline_at_ms?: number;
  default?: string;
}

/**
 * Of each thing, the first that is said counts; what nobody says comes from the escalation. A default that no deadline
 * may choose, or that isn't among the options, is left out: the decision then stays pending. So is a yes where a rule
 * says who may give it.
 */
export function overdueFields(
  said: readonly (Overdue | undefined)[],
  options: readonly Option[],
  created_at_ms: number,
  rule?: Rule,
): OverdueFields {
  const escalation = firstOf(said, (it) => it.chain);
  const deadline_ms = firstOf(said, (it) => it.deadline_ms) ?? escalation?.deadline_ms ?? null;
  const key = firstOf(said, (it) => it.default) ?? escalation?.default ?? null;
  const named = key === null || deadline_ms === null ? undefined : defaultOption(options, key);
  const chosen = named && rule && !isNo(named.action, named) ? undefined : named;
  return {
    ...(escalation ? { escalation } : {}),
    ...(deadline_ms === null ? {} : { deadline_at_ms: created_at_ms + deadline_ms }),
    ...(chosen ? { default: chosen.key } : {}),
  };
}

/** The option with this key, if a deadline may choose it. */
export function defaultOption(options: readonly Option[], key: string): Option | undefined {
  return options.find((it) => it.key === key && mayBeDefault(it));
}

/**
 * Nobody has looked at it, so a default approves nothing, accepts nothing and lets nothing go on that can't be undone.
 * It has no words of its own either.
 */
function mayBeDefault({ action, reversible }: Pick<Option, "action" | "reversible">): boolean {
  return whyNoDefault(action, reversible === true) === null;
}

/** Why a deadline may not choose this, in words that end "… can't be the default: it …"; null if it may. */
export function whyNoDefault(action: Action, isReversible: boolean): string | null {
  switch (action.type) {
    case "approve":
    case "keys":
      return "approves what nobody has looked at";
    case "accept":
    case "skip":
      return "accepts what nobody has looked at";
    case "done":
      return "goes on with what nobody has looked at";
    case "continue":
    case "goto":
      return isReversible ? null : "goes on with something that may not be undone";
    case "other":
    case "reply":
      return "needs a person's words";
    case "choose":
    case "answer":
    case "cancel":
    case "fail":
    case "dismiss":
    case "nudge":
    case "retry":
    case "deny":
    case "revise":
      return null;
    default:
      return never(action);
  }
}

function firstOf<T>(
  said: readonly (Overdue | undefined)[],
  get: (it: Overdue) => T | undefined,
): T | undefined {
  for (const it of said) {
    const found = it && get(it);
    if (found !== undefined) return found;
  }
  return undefined;
}
