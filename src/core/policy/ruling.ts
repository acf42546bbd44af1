/**
 * Lets policies answer what a rule has just asked. The question and the answer are recorded in one turn, so the answer
 * is owed and delivered like a person's, and nobody is interrupted.
 */

import type { ResolveInput } from "../decision/give.ts";
import { resolveDecision } from "../decision/give.ts";
import { Refusal } from "../model/errors.ts";
import type { DecisionFact, Fact } from "../model/events.ts";
import type { Fixed } from "../model/fixed.ts";
import type { Moment } from "../model/ids.ts";
import type { Policy, PolicyBook } from "../model/policy-types.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { overdueFields } from "../template/overdue.ts";
import type { AnswerAsked } from "./answers.ts";
import { answerFinding, answerOf } from "./answers.ts";
import { boundReached } from "./bounds.ts";
import type { Look, PolicyFile } from "./files.ts";
import type { Finding } from "./judge.ts";
import { fittingCall, inOrder, judgeCall } from "./judge.ts";
import { irreversibleHere, newlyListed } from "./listed.ts";

/** What a rule has just asked. */
export type Asking = Fixed<Extract<DecisionFact, { type: "decision:created" }>>;

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
  return judged(state, facts, (it) => (isStanding(it) ? null : look), moment);
}

/** The same for what jobs ask, whatever made them ask: `lookAt` reads the files when a question has come up. */
export function underStandingPolicies(
  state: Readonly<State>,
  facts: Fact[],
  lookAt: (asked: Asking, facts: readonly Fact[]) => Look | null,
  moment: Moment,
): Fact[] {
  return judged(state, facts, (it) => (isStanding(it) ? lookAt(it, facts) : null), moment);
}

/** Any rule may move a job on to its next question, so these are judged where every rule passes. */
function isStanding({ source }: Pick<Asking, "source">): boolean {
  return source === "step" || source === "gate";
}

function judged(
  state: Readonly<State>,
  facts: Fact[],
  lookAt: (asked: Asking) => Look | null,
  moment: Moment,
): Fact[] {
  const looks = new Map<string, Look>();
  const take = (made: readonly Fact[]) => {
    for (const fact of made) {
      const look = fact.type === "decision:created" ? lookAt(fact) : null;
      if (fact.type === "decision:created" && look) looks.set(fact.id, look);
    }
  };
  take(facts);
  if (looks.size === 0) return facts;
  const draft = draftOn(state, moment);
  const play = (made: readonly Fact[]) => {
    const answers: Answering[] = [];
    for (const fact of made) {
      const look = fact.type === "decision:created" ? looks.get(fact.id) : undefined;
      if (fact.type !== "decision:created" || !look) {
        draft.emit(fact);
        continue;
      }
      for (const listed of newlyListed(draft.state, fact.project, look.files)) draft.emit(listed);
      const ruling = fact.rule ? NONE : rulingOn(draft.state, fact, look, moment.at_ms);
      draft.emit(ruling.type === "ask" ? ruling.fact : fact);
      if (ruling.type === "answer") answers.push({ id: fact.id, ...ruling });
    }
    for (const { id, option, message, policy } of answers) {
      const { name, hash, text } = policy;
      const by = `policy "${name}"`;
      const input = { id, choices: [], option, text: null, message, by, via: "policy" as const };
      const given = answerOrNot(draft.state, { ...input, policy: { name, hash, text } }, moment);
      take(given); // the next step may ask, too; bounds end a job that goes round in circles
      play(given);
    }
  };
  play(facts);
  return draft.facts;
}

/** What can't be answered like that is left to a person. */
function answerOrNot(state: Readonly<State>, input: ResolveInput, moment: Moment): Fact[] {
  try {
    return resolveDecision(state, input, moment);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

type Ruling = { type: "none" } | { type: "ask"; fact: Asking } | ({ type: "answer" } & Omit<Answering, "id">);

/** Where a rule says who may answer, no policy does. */
const NONE: Ruling = { type: "none" };

interface Answering {
  id: string;
  option: string;
  /** What whoever asked is told besides. */
  message: string | null;
  policy: Policy;
}

function rulingOn(state: Readonly<State>, fact: Asking, look: Look, now_ms: number): Ruling {
  const book = state.policies.get(fact.project);
  const inForce = policiesInForce(look.files, book, fact.owner.id);
  const fitting = fittingOn(
    state,
    fact,
    look,
    inForce.map((it) => it.policy),
  );
  const reached: string[] = [];
  for (const { policy } of fitting) {
    const since_ms = inForce.find((it) => it.policy === policy)?.since_ms ?? 0;
    const bound = boundReached(policy, { book, since_ms, now_ms });
    if (bound === null) return rulingOf(policy, fact, look);
    if (policy.kind === "approve" || policy.kind === "answer")
      reached.push(`Policy "${policy.name}" would have answered this, but its bound is reached: ${bound}`);
  }
  const [note] = reached;
  return note === undefined ? { type: "none" } : { type: "ask", fact: noted(fact, note) };
}

function rulingOf(policy: Policy, fact: Asking, { files }: Look): Ruling {
  const { message } = policy;
  switch (policy.kind) {
    case "deny": // otherwise whoever asked would read that a person said no
      return {
        type: "answer",
        option: "deny",
        message: message ?? `Policy "${policy.name}" denies this.`,
        policy,
      };
    case "approve":
      return { type: "answer", option: "approve", message, policy };
    case "answer":
      return { type: "answer", ...answerOf(policy, fact), policy };
    case "ask": {
      const asked = noted(fact, `Policy "${policy.name}" wants a person to decide this`);
      const chain = files.flatMap((it) => it.escalations).find((it) => it.name === policy.escalation);
      const overdue = chain ? overdueFields([{ chain }], fact.options, fact.created_at_ms) : {};
      return { type: "ask", fact: { ...asked, urgency: policy.urgency ?? fact.urgency, ...overdue } };
    }
  }
}

function noted(fact: Asking, note: string): Asking {
  return { ...fact, context: `${fact.context}\n\n${note}` };
}

/**
 * Those of the person's own file, those of files whose very text was accepted, and what was remembered for this asker
 * alone; without those that are off.
 */
export function policiesInForce(
  files: readonly PolicyFile[],
  book: PolicyBook | undefined,
  owner: string,
): InForce[] {
  const written = files.flatMap(({ path, text, personal, policies }) => {
    const accepted = book?.accepted[path];
    const since_ms = personal?.since_ms ?? (accepted?.text === text ? accepted.at_ms : null);
    return since_ms === null ? [] : policies.map((policy) => ({ policy, since_ms }));
  });
  const own = (book?.remembered ?? []).filter((it) => it.owner === owner);
  const all = [...written, ...own.map(({ policy, at_ms }) => ({ policy, since_ms: at_ms }))];
  return all.filter(({ policy }) => !book?.off.includes(policy.name));
}

type Asked = Pick<Asking, "project" | "source" | "action" | "agent_id"> & AnswerAsked;

/** What each policy says about the decision, those that fit first. */
export function findingsOn(
  state: Readonly<State>,
  decision: Asked,
  look: Look,
  policies: readonly Policy[],
): Finding[] {
  return findings(state, decision, look, policies, judgeCall);
}

/** The policies that fit the decision, in the order in which they count. */
export function fittingOn(
  state: Readonly<State>,
  decision: Asked,
  look: Look,
  policies: readonly Policy[],
): Finding[] {
  return findings(state, decision, look, policies, fittingCall).filter((it) => it.fits);
}

function findings(
  state: Readonly<State>,
  decision: Asked,
  { files, call, place, said }: Look,
  policies: readonly Policy[],
  judge: typeof judgeCall,
): Finding[] {
  const { source, action } = decision;
  if (source === "approval") {
    const hasBoth = ["approve", "deny"].every((key) =>
      decision.options.some((it) => it.key === key && it.action.type === key),
    );
    if (!hasBoth || !action || call?.sha256 !== action.sha256) return [];
    const added = irreversibleHere(files, state.policies.get(decision.project));
    return judge(policies, call.call, place, added);
  }
  const last = said ?? (decision.agent_id ? state.agents.get(decision.agent_id)?.last_message : "");
  return policies
    .flatMap((policy) =>
      policy.kind === "answer" ? [{ policy, ...answerFinding(policy, decision, last ?? "") }] : [],
    )
    .sort(inOrder);
}
