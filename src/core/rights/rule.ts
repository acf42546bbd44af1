/**
 * What a decision's rule says about an answer: whether this person may give it, whether it is a no, and how many have
 * agreed so far. Only `decision/give.ts` acts on it; everything that shows a decision uses its words.
 */
import type { Action, Answer, Decision, Option, Vote } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { State } from "../model/state/state.ts";
import { isNo } from "../template/rule.ts";
import { canonical } from "../text/hash.ts";
import type { Leaving } from "./people.ts";
import { hasLeftSince } from "./people.ts";
import { may } from "./rights.ts";

/** How many have to say yes. */
export function neededFor({ rule }: Pick<Decision, "rule">): number {
  return rule?.min ?? 1;
}

type Ruled = Pick<Decision, "id" | "rule" | "sponsor" | "created_at_ms">;

/** Refuses an answer that the rule doesn't let this person give. `who` is null for whatever is no person. */
export function refuseByRule(
  state: Leaving,
  decision: Ruled,
  who: string | null,
  { action, option }: { action: Action; option: Option | null },
): void {
  refuseOthers(state, decision, who);
  const { rule, sponsor } = decision;
  if (!rule || isNo(action, option)) return;
  if (rule.self === undefined && option?.reversible === false && who === sponsor)
    throw notYours(
      decision,
      `"${option.label}" can't be undone, and ${who} started this: somebody else has to choose it`,
    );
}

/** Refuses whoever may not answer it at all, whatever they say. */
export function refuseOthers(state: Leaving, decision: Ruled, who: string | null): void {
  const { id, rule, sponsor } = decision;
  if (!rule) return;
  if (who === null) throw notYours(decision, `${id} has a rule about who may answer: only a person can`);
  if (rule.approvers && !rule.approvers.includes(who))
    throw notYours(decision, `${who} may not answer ${id}`);
  if (rule.approvers && hasLeftSince(state, who, decision))
    throw notYours(decision, `${who} may not answer ${id}: it was asked of somebody of that name, who left`);
  if (rule.self === "deny" && who === sponsor)
    throw notYours(decision, `${who} may not answer ${id}: it is asked for ${who}'s own work`);
}

function notYours(decision: Pick<Ruled, "id" | "rule" | "sponsor">, why: string): Refusal {
  return new Refusal(
    "decision.not-yours",
    `${why}. Who may: ${whoMay(decision)}`,
    `oj decision show ${decision.id}`,
    { who_may: whoMay(decision) },
  );
}

/** "two of ana, ben; not root, whose work it is"; null without a rule. */
export function ruleWords(decision: Pick<Decision, "rule" | "sponsor">): string | null {
  return decision.rule ? whoMay(decision) : null;
}

function whoMay({ rule, sponsor }: Pick<Decision, "rule" | "sponsor">): string {
  const { approvers, min = 1, self, fresh } = rule ?? {};
  const names = approvers?.length === 0 ? "nobody" : (approvers?.join(", ") ?? "people who may answer here");
  const many = min === 1 ? names : `${min} of ${names}`;
  const apart = sponsor === undefined ? "whoever started it" : sponsor;
  return [
    many,
    ...(self === "deny" ? [`not ${apart}, whose work it is`] : []),
    ...(min > 1 ? ["one no is enough"] : []),
    ...(fresh === undefined ? [] : ["a yes takes a passkey, in the web inbox"]),
  ].join("; ");
}

/** Two people agree if they chose the same; what they add in a message is their own. */
export function sameAnswer(one: Answer, other: Answer): boolean {
  return agreement(one) === agreement(other);
}

function agreement({ choices, labels, text, texts, message, input_sha256 }: Answer): string {
  const words = choices.length === 0 && labels.length === 0 && text === null ? message : null;
  return canonical({ choices, labels, text, texts: texts ?? [], words, edit: input_sha256 ?? null });
}

/** Those of the votes that say the same as this answer, and whose people may still give it. */
export function agreeing(
  { people }: Pick<State, "people">,
  { votes = [], project }: Pick<Decision, "votes" | "project">,
  answer: Answer,
): Vote[] {
  return votes.filter((it) => sameAnswer(it.answer, answer) && mayStill({ people }, it, project));
}

/** Whether they could still say it: whoever came with a token has their roles, and nothing else. */
export function mayStill(
  { people }: Pick<State, "people">,
  { who, member }: Pick<Vote, "who" | "member">,
  project: string,
): boolean {
  const roles = people.get(who)?.roles ?? [];
  return !member || may({ roles, scopes: ["admin"] }, "answer", project);
}

/** What somebody said, in short, for everyone who looks at the decision. */
export interface Said {
  who: string;
  says: string;
}

export function saidBy({ who, answer }: Pick<Vote, "who" | "answer">): Said {
  const { labels, text, message } = answer;
  const says = labels.filter((it) => it !== "").join(", ") || (text ?? message ?? "");
  return { who, says: says.length > LONGEST ? `${says.slice(0, LONGEST - 1)}…` : says };
}

const LONGEST = 60;

/** "1 of 2: ann said Ship it"; null while nobody has said anything. */
export function soFar(min: number, said: readonly Said[]): string | null {
  if (said.length === 0) return null;
  const counts = said.map(({ says }) => said.filter((it) => it.says === says).length);
  const each = said.map(({ who, says }) => `${who} said ${says}`);
  return `${Math.max(...counts)} of ${min}: ${each.join(", ")}`;
}
