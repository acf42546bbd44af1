/**
 * "Remember this": a person approves one call, and lets a rule approve the very same call from now on, for the job that
 * asked or in the whole project. The rule says what the call said, word for word, and nothing more.
 */
import { resolveDecision } from "../decision/give.ts";
import type { Decision, Via } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { Irreversible, Policy, PolicyBook } from "../model/policy-types.ts";
import { findDecision } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import type { Accepting } from "./accept.ts";
import { acceptFiles } from "./accept.ts";
import type { Look } from "./files.ts";
import { whyIrreversible } from "./irreversible.ts";
import { judgeCall } from "./judge.ts";
import { bookId } from "./listed.ts";
import { exactWish } from "./shapes.ts";
import { freshName, policyOf, textOf } from "./written.ts";

/** A rule as it would be written, or why there is none. */
export type Proposal = { name: string; text: string } | { why: string };

export function proposeRule(
  { source, options, rule }: Pick<Decision, "source" | "options" | "rule">,
  { call, place }: Pick<Look, "call" | "place">,
  { added, taken }: { added: readonly Irreversible[]; taken: readonly string[] },
): Proposal {
  if (source !== "approval" || call === null || !options.some((it) => it.action.type === "approve"))
    return { why: "only an approval can be remembered" };
  if (rule) return { why: "a rule says who may answer this: nothing can answer in their place" };
  const lasting = whyIrreversible(call.call, place, added);
  if (lasting !== null) return { why: `this ${lasting}: a person decides that each time` };
  const wish = exactWish(call.call, place);
  if (wish === null) return { why: whyUnsaid(call.call.text !== null) };
  const anywhere = { ...wish, match: { ...wish.match, within: false } };
  const tries = wish.match.command.length > 0 ? [wish, anywhere] : [wish];
  const found = tries.map((it) => judgeCall([policyOf(it)], call.call, place, added)[0]);
  const fitting = tries.find((_, at) => found[at]?.fits === true);
  if (!fitting) return { why: `no policy could approve this: ${found[0]?.why ?? "it can't be read"}` };
  const name = freshName(fitting.name, new Set(taken));
  return { name, text: textOf(fitting, name) };
}

function whyUnsaid(isCommand: boolean): string {
  return isCommand
    ? "no policy can be sure of this command: it has words that only a person sees through"
    : "a policy can't tell the calls of this tool apart";
}

/** Every name that a policy has or had here: a rule gets one of its own, so that it is counted and switched by itself. */
export function namesIn(book: PolicyBook | undefined, policies: readonly Policy[]): string[] {
  const remembered = (book?.remembered ?? []).map((it) => it.policy.name);
  return [
    ...policies.map((it) => it.name),
    ...remembered,
    ...(book?.off ?? []),
    ...Object.keys(book?.used ?? {}),
  ];
}

/** Approves the call and lets the rule count, in one turn: with `file` in the project, without it for who asked. */
export function rememberAnswer(
  state: Readonly<State>,
  { id, rule, file, by, via }: { id: string; rule: Policy; file: Accepting | null; by: string; via: Via },
  moment: Moment,
): Fact[] {
  const { project, owner, options, rule: ruled } = findDecision(state, id);
  if (ruled)
    throw new Refusal(
      "request.invalid",
      "a rule says who may answer this: nothing can answer in their place",
      `oj decision show ${id}`,
    );
  const approve = options.find((it) => it.action.type === "approve");
  if (!approve)
    throw new Refusal("request.invalid", "only an approval can be remembered", `oj decision show ${id}`);
  const input = { id, choices: [], option: approve.key, text: null, message: null, by, via };
  const kept: Fact[] =
    file === null
      ? [{ type: "policy:remembered", id: bookId(project), project, owner: owner.id, policy: rule, by }]
      : acceptFiles(state, { project, files: [file], by });
  return [...kept, ...resolveDecision(state, input, moment)];
}
