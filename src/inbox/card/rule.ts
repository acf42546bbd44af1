/** The rule that an approval would become, and how long it may count: the same words and numbers wherever it is shown. */
import type { DecisionView, Rememberable, TriedPolicies } from "../../api/api.ts";

export type Scope = "once" | "job" | "project";

/** One of the things that can be done with a rule. */
export interface ScopeChoice<S extends string = Scope> {
  number: number;
  scope: S;
  label: string;
  effect: string;
  /** Why it can't be chosen. */
  problem: string | null;
}

/** Whether a card offers it: an approval that waits. Where a rule says who may answer, nothing answers in their place. */
export function isRememberable({ source, state, held, options, rule }: DecisionView): boolean {
  const isApproval = source === "approval" && options.some((it) => it.key === "approve");
  return rule === undefined && isApproval && state === "pending" && held === null;
}

/** The three ways to approve; without a rule there is only the first. */
export function scopeChoices({ rule }: Pick<Rememberable, "rule">): ScopeChoice[] {
  const once = { number: 1, scope: "once", label: "Once", effect: "approve this, remember nothing" } as const;
  if (rule === null) return [{ ...once, problem: null }];
  const { asker, file, problem } = rule;
  return [
    { ...once, problem: null },
    { number: 2, scope: "job", ...jobWords(asker), problem: null },
    {
      number: 3,
      scope: "project",
      label: "Always in this project",
      effect: `written to ${shortPath(file)}; oj policy off takes it back`,
      problem,
    },
  ];
}

function jobWords(asker: string): Pick<ScopeChoice, "label" | "effect"> {
  const [, kind = "session"] = /^(job|crew) /.exec(asker) ?? [];
  return { label: `For this ${kind}`, effect: `approve this again until ${asker} ends` };
}

/** From the project's folder. */
export function shortPath(file: string): string {
  return file.slice(file.lastIndexOf("/.oj/") + 1);
}

/** What the rule would have done: "would have answered 7 of 12, agreed 7, disagreed 0". */
export function triedWords({ answered, of, agreed, disagreed, saved_per_hour }: TriedPolicies): string[] {
  if (of === 0) return ["There is no history to try it on yet."];
  return [
    `On what you have answered: it would have answered ${answered} of ${of}, agreed ${agreed}, disagreed ${disagreed.length}.`,
    ...(answered > 0 ? [`${saved_per_hour} interruptions saved an hour.`] : []),
    ...disagreed.map((it) => `✗ ${it.id}: it would ${it.would}, a person chose ${it.was}`),
  ];
}
