/** The rule of a decision, put together from everything that says something about who may answer it. */
import type { Action, Answer, Decision, Option } from "../model/decision-types.ts";
import { never } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Rule, RuleDef } from "../roles/rule.ts";
import { parseDuration } from "../text/duration.ts";

/** The rule that a block gives; undefined if it gives none. */
export function ruleOf({ approvers, min, self, fresh }: RuleDef): Rule | undefined {
  const rule = {
    ...(approvers === undefined ? {} : { approvers }),
    ...(min === undefined ? {} : { min }),
    ...(self === undefined ? {} : { self }),
    ...(fresh === undefined ? {} : { fresh }),
  };
  return Object.keys(rule).length === 0 ? undefined : rule;
}

/** The part of `decision:created` that is about it. */
export function ruledFields(def: RuleDef, sponsor: string | undefined): { rule?: Rule; sponsor?: string } {
  const rule = ruleOf(def);
  if (!rule) return {};
  return sponsor === undefined ? { rule } : { rule, sponsor };
}

type Groups = ReadonlyMap<string, readonly string[]>;

/** Templates whose approvers are people: groups have become those who are in them now. */
export function groupsIn<T extends RuleDef>(defs: readonly T[], groups: Groups): T[] {
  return defs.map((it) => (it.approvers ? { ...it, approvers: peopleIn(it.approvers, groups) } : it));
}

/** The same for what a rule has just asked, whatever made it ask. */
export function withGroups(facts: Fact[], groups: Groups): Fact[] {
  if (!facts.some((it) => it.type === "decision:created" && it.rule?.approvers)) return facts;
  return facts.map((it) =>
    it.type === "decision:created" && it.rule?.approvers
      ? { ...it, rule: { ...it.rule, approvers: peopleIn(it.rule.approvers, groups) } }
      : it,
  );
}

function peopleIn(names: readonly string[], groups: Groups): string[] {
  return [...new Set(names.flatMap((it) => groups.get(it) ?? [it]))];
}

/** A request that takes the place of another is no way around the other's rule: of each thing, the stricter counts. */
export function strictest(one: Rule | undefined, other: Rule | undefined): Rule | undefined {
  if (!one || !other) return one ?? other;
  const both = one.approvers?.filter((it) => other.approvers?.includes(it) ?? true);
  return ruleOf({
    ...other,
    ...one,
    ...(both === undefined ? {} : { approvers: both }),
    ...(one.min === undefined && other.min === undefined
      ? {}
      : { min: Math.max(one.min ?? 1, other.min ?? 1) }),
    ...(other.self === "deny" ? { self: other.self } : {}),
    ...(freshMs(other) < freshMs(one) && other.fresh !== undefined ? { fresh: other.fresh } : {}),
  });
}

/** How old a signature may be; without a word about it there is no limit. */
function freshMs({ fresh }: Rule): number {
  if (fresh === undefined) return Number.POSITIVE_INFINITY;
  return parseDuration(fresh.replace(/^passkey /, "")) ?? 0;
}

/** Whether choosing this is a no: nothing goes on with what was asked about, so that one person is enough. */
export function isNo(action: Action, option: Pick<Option, "key" | "declines"> | null): boolean {
  switch (action.type) {
    case "deny":
    case "cancel":
    case "fail":
    case "dismiss":
    case "revise":
      return true;
    case "answer":
      return option !== null && (option.declines === true || option.key === "deny");
    case "approve":
    case "accept":
    case "keys":
    case "choose":
    case "continue":
    case "goto":
    case "done":
    case "skip":
    case "nudge":
    case "retry":
    case "other":
    case "reply":
      return false;
    default:
      return never(action);
  }
}

/** Whether an answer that was given is a no. One without a number that has a label is a dismissal. */
export function saysNo(
  { options }: Pick<Decision, "options">,
  { chosen, labels }: Pick<Answer, "chosen" | "labels">,
): boolean {
  const option = chosen === null ? null : (options[chosen - 1] ?? null);
  return option === null ? chosen === null && labels.length === 1 : isNo(option.action, option);
}
