/**
 * Requests that are sent again because the asker could not tell whether the first one arrived. The key determines the
 * decision's id, so a repeated request is recognised for as long as the decision exists, across every crash, and
 * nothing else has to be remembered.
 */
import type { Decision } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { DecisionId, Moment } from "../model/ids.ts";
import { idFrom } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import { canonical, sha256 } from "../text/hash.ts";
import { isOwn } from "./own-requests.ts";
import type { RequestInput } from "./types.ts";

type Keyed = Pick<RequestInput, "project" | "requester" | "request_key" | "prompt">;

/** The decision that this request already became. A key finds only what the same requester asked with it. */
export function askedBefore(state: Readonly<State>, input: Keyed): Decision | null {
  const id = keyedId(input);
  const decision = id === null ? undefined : state.decisions.get(id);
  if (!decision || !isOwn(decision, input.requester, input.project)) return null;
  if (decision.title === input.prompt) return decision;
  throw new Refusal(
    "request.invalid",
    `this request_key was used for another question: ${decision.id}`,
    "use a new key for each question",
  );
}

/**
 * An id is short enough to be found by trying keys. If it belongs to somebody else, the request gets an id as if it had
 * no key.
 */
export function requestId(state: Readonly<State>, input: Keyed, moment: Moment): DecisionId {
  const id = keyedId(input);
  return id === null || state.decisions.has(id) ? moment.id("dec") : id;
}

function keyedId({ project, requester, request_key }: Keyed): DecisionId | null {
  if (request_key === null) return null;
  const { who: _, ...asker } = requester; // a name for rules alone: the key is as old as its log
  const digest = sha256(canonical([project, asker, request_key]));
  return idFrom("dec", digest.match(/../g)?.map((it) => Number.parseInt(it, 16)) ?? []);
}
