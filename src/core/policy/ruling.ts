/**
 * Lets policies answer what a rule has just asked. The question and the answer are recorded in one turn, so the answer
 * is owed and delivered like a person's, and nobody is interrupted.
 */

import { resolveDecision } from "../decision/decision.ts";
import { numbersNamed } from "../decision/named-option.ts";
import type { DecisionFact, Fact } from "../model/events.ts";
import type { Fixed } from "../model/fixed.ts";
import type { Moment } from "../model/ids.ts";
import type { Irreversible, Policy, PolicyBook } from "../model/policy-types.ts";
import type { EscalationDef } from "../model/reach-types.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { overdueFields } from "../template/overdue.ts";
import { boundReached } from "./bounds.ts";
import type { Call } from "./call.ts";
import type { Finding } from "./judge.ts";
import { inOrder, judgeCall } from "./judge.ts";
import type { Place } from "./paths.ts";
import { weightOf, wordFits } from "./pattern.ts";

/** A file with policies, as it is on disk right now. */
export interface PolicyFile {
  path: string;
  text: string;
  /** The person's own file: it counts without being accepted, since its last change. */
  personal: { since_ms: number } | null;
  policies: readonly Policy[];
  irreversible: readonly Irreversible[];
  /** What an `ask` may name. */
  escalations: readonly EscalationDef[];
}

/** All that was read before the rule runs: the files, and what the call names on disk. */
export interface Look {
  files: readonly PolicyFile[];
  call: { call: Call; sha256: string } | null;
  place: Place;
}

type Created = Fixed<Extract<DecisionFact, { type: "decision:created" }>>;

/** A policy that counts now, and since when. */
interface InForce {
  policy: Policy;
  since_ms: number;
}

/** The facts of the rule, and of the answers that policies give to what it asks. */
export function underPolicies(
  state: Readonly<State>,
  facts: Fact[],
  look: Look | null,
  moment: Moment,
): Fact[] {
  if (look === null || look.files.length === 0 || !facts.some((it) => it.type === "decision:created"))
    return facts;
  const draft = draftOn(state, moment);
  const answers: { id: string; option: string; policy: Policy }[] = [];
  for (const fact of facts) {
    if (fact.type !== "decision:created") {
      draft.emit(fact);
      continue;
    }
    const ruling = rulingOn(draft.state, fact, look, moment.at_ms);
    draft.emit(ruling.type === "ask" ? ruling.fact : fact);
    if (ruling.type === "answer") answers.push({ id: fact.id, option: ruling.option, policy: ruling.policy });
  }
  for (const { id, option, policy } of answers) {
    const { name, hash, text, message } = policy;
    const input = {
      id,
      choices: [],
      option,
      text: null,
      message,
      by: `policy "${name}"`,
      via: "policy" as const,
    };
    const given = resolveDecision(draft.state, { ...input, policy: { name, hash, text } }, moment);
    for (const fact of given) draft.emit(fact);
  }
  return draft.facts;
}

type Ruling =
  | { type: "none" }
  | { type: "ask"; fact: Created }
  | { type: "answer"; option: string; policy: Policy };

function rulingOn(state: Readonly<State>, fact: Created, look: Look, now_ms: number): Ruling {
  const book = state.policies.get(fact.project);
  const inForce = policiesInForce(look.files, book);
  const findings = findingsOn(
    state,
    fact,
    look,
    inForce.map((it) => it.policy),
  );
  const reached: string[] = [];
  for (const { policy, fits } of findings) {
    if (!fits) break;
    const since_ms = inForce.find((it) => it.policy === policy)?.since_ms ?? 0;
    const bound = boundReached(policy, { book, since_ms, now_ms });
    if (bound === null) return rulingOf(policy, fact, look);
    if (policy.kind === "approve" || policy.kind === "answer")
      reached.push(`Policy "${policy.name}" would have answered this, but its bound is reached: ${bound}`);
  }
  const [note] = reached;
  return note === undefined ? { type: "none" } : { type: "ask", fact: noted(fact, note) };
}

function rulingOf(policy: Policy, fact: Created, { files }: Look): Ruling {
  switch (policy.kind) {
    case "deny":
      return { type: "answer", option: "deny", policy };
    case "approve":
      return { type: "answer", option: "approve", policy };
    case "answer":
      return { type: "answer", option: policy.match.option, policy };
    case "ask": {
      const asked = noted(fact, `Policy "${policy.name}" wants a person to decide this`);
      const chain = files.flatMap((it) => it.escalations).find((it) => it.name === policy.escalation);
      const overdue = chain ? overdueFields([{ chain }], fact.options, fact.created_at_ms) : {};
      return { type: "ask", fact: { ...asked, urgency: policy.urgency ?? fact.urgency, ...overdue } };
    }
  }
}

function noted(fact: Created, note: string): Created {
  return { ...fact, context: `${fact.context}\n\n${note}` };
}

/** Those of the person's own file, and those of files whose very text was accepted; without those that are off. */
export function policiesInForce(files: readonly PolicyFile[], book: PolicyBook | undefined): InForce[] {
  return files.flatMap(({ path, text, personal, policies }) => {
    const accepted = book?.accepted[path];
    const since_ms = personal?.since_ms ?? (accepted?.text === text ? accepted.at_ms : null);
    if (since_ms === null) return [];
    return policies.filter((it) => !book?.off.includes(it.name)).map((policy) => ({ policy, since_ms }));
  });
}

/** What each policy says about the decision, those that fit first. */
export function findingsOn(
  state: Readonly<State>,
  decision: Pick<Created, "source" | "action" | "agent_id" | "questions" | "title" | "options">,
  { files, call, place }: Look,
  policies: readonly Policy[],
): Finding[] {
  const { source, action } = decision;
  if (source === "approval") {
    const hasBoth = ["approve", "deny"].every((key) =>
      decision.options.some((it) => it.key === key && it.action.type === key),
    );
    if (!hasBoth || !action || call?.sha256 !== action.sha256) return [];
    const added = files.flatMap((it) => it.irreversible);
    return judgeCall(policies, call.call, place, added);
  }
  const said = decision.agent_id ? (state.agents.get(decision.agent_id)?.last_message ?? "") : "";
  return policies
    .flatMap((policy) =>
      policy.kind === "answer" ? [{ policy, ...answerFinding(policy, decision, said) }] : [],
    )
    .sort(inOrder);
}

function answerFinding(
  { match }: Extract<Policy, { kind: "answer" }>,
  { source, questions, title, options }: Pick<Created, "source" | "questions" | "title" | "options">,
  said: string,
): Omit<Finding, "policy"> {
  const no = (why: string) => ({ fits: false, why, weight: 0 });
  if (match.source !== source) return no(`it is a ${source}, not a ${match.source}`);
  if (questions.length > 1) return no("it asks several questions");
  const texts: [string, string | null, string][] = [
    ["question", match.question, questions[0]?.question ?? title],
    ["said", match.said, said],
    ["title", match.title, title],
  ];
  for (const [name, pattern, text] of texts)
    if (pattern !== null && !wordFits(pattern, text.trim()))
      return no(`"${pattern}" does not fit the ${name}`);
  const [number, ...more] = numbersNamed(options, match.option);
  const option = number === undefined || more.length > 0 ? undefined : options[number - 1];
  if (!option) return no(`there is no one option "${match.option}"`);
  if (NEVER.has(option.action.type)) return no(`a policy can't choose "${option.label}"`);
  const weight = weightOf(texts.map((it) => it[1] ?? ""));
  return { fits: true, why: "every pattern fits", weight };
}

/** A person must have looked at these, or must say something. */
const NEVER = new Set(["approve", "accept", "keys", "other", "reply", "revise"]);
