/**
 * A person leaves: their tokens, roles, passkeys and programs end in one commit, with everything of theirs that is not
 * final yet. What older daemons know how to take back is recorded one by one as well, so that they heed it too.
 */
import { takeBack } from "./decision/undo.ts";
import { crewHasEnded } from "./model/agent-types.ts";
import type { Decision } from "./model/decision-types.ts";
import { Refusal } from "./model/errors.ts";
import type { Fact } from "./model/events.ts";
import type { Moment, OwnerId } from "./model/ids.ts";
import { hasEnded } from "./model/job-types.ts";
import type { Draft } from "./model/state/draft.ts";
import { draftOn } from "./model/state/draft.ts";
import type { State } from "./model/state/state.ts";
import { released } from "./reach/claim.ts";
import type { ReachConfig } from "./reach/config-types.ts";
import { distrusted, findHuman, hasLeftSince, isOpenTo } from "./rights/people.ts";
import type { Ended, Member } from "./roles/people.ts";

export interface RemovalInput {
  name: string;
  by: string;
  /** The settings of the machine where this is said: somebody may be known there alone. */
  config: ReachConfig;
}

export function removePerson(state: Readonly<State>, input: RemovalInput, moment: Moment): Fact[] {
  const { by } = input;
  const member = leaverOf(state, input);
  const { id, roles, tokens, passkeys = [] } = member;
  refuseLastAdmin(state, member);
  const programs = [...state.people.values()].flatMap((it) =>
    it.tokens.filter((token) => token.bound?.sponsor === id).map((token) => ({ program: it.id, token })),
  );
  const ended: Ended = {
    roles,
    tokens: tokens.map((it) => it.id),
    passkeys: passkeys.map((it) => it.id),
    services: [...new Set(programs.map((it) => it.program))],
  };
  const draft = draftOn(state, moment);
  for (const it of tokens) draft.emit(distrusted(id, it.id, by));
  for (const { program, token } of programs) draft.emit(distrusted(program, token.id, by));
  for (const it of passkeys) draft.emit({ type: "person:unkeyed", id, project: "", passkey: it.id, by });
  for (const it of roles) draft.emit({ type: "person:ungranted", id, ...it, by });
  draft.emit({ type: "person:removed", id, project: "", ended, by });
  for (const it of state.pending) letGo(draft, it, { ...input, name: id }, moment);
  return draft.facts;
}

/** Whoever is to leave; somebody whom only the settings know has nothing that could be taken. */
function leaverOf(state: Readonly<State>, { name, config }: RemovalInput): Member {
  const before = state.removed.get(name);
  const isNamed = config.people.has(name) && isOpenTo(state, name);
  if (before && !state.people.has(name) && !isNamed)
    throw new Refusal("person.not-found", `${name} was removed before, by ${before.by}`, "oj person");
  if (isNamed && !state.people.has(name)) return { id: name, invited_at_ms: 0, roles: [], tokens: [] };
  if (!state.people.has(name))
    throw new Refusal("person.not-found", `there is nobody called ${name}`, "oj person");
  return findHuman(state, name);
}

/** The machine's own user always administers; but that may be nobody who is at hand. */
function refuseLastAdmin({ people }: Readonly<State>, { id, roles }: Member): void {
  const administers = (it: Pick<Member, "roles">) => it.roles.some(({ role }) => role === "admin");
  if (!administers({ roles })) return;
  if ([...people.values()].some((it) => it.id !== id && administers(it))) return;
  throw new Refusal(
    "person.last-admin",
    `${id} is the only admin: nobody else could administer from elsewhere`,
    `oj role grant NAME admin, or, if this machine's own user is enough: oj role revoke ${id} admin`,
  );
}

/** What they said about a decision that is not final yet, and that they are on it. */
function letGo(draft: Draft, id: Decision["id"], { name, by, config }: RemovalInput, moment: Moment): void {
  const now = () => draft.state.decisions.get(id);
  const voted = now();
  if (voted?.votes?.some((it) => it.who === name))
    for (const fact of takeBack(draft.state, voted, { by, who: name }, moment)) draft.emit(fact);
  const answered = now();
  const answer = answered?.held?.answer;
  if (answered && answer && (answer.who ?? answer.by) === name)
    draft.emit({ type: "decision:undone", id, project: answered.project, by });
  const claimed = now();
  if (claimed && (claimed.claimed ?? claimed.snoozed)?.by === name)
    draft.emit(released(claimed, by, config, moment));
}

/** Pending decisions that name them, and that too few of the others are left to say yes to. */
export function shortWithout(state: Readonly<State>, name: string): Decision["id"][] {
  const isGone = (it: string) => state.removed.get(it) !== undefined && !state.people.has(it);
  return [...state.pending].filter((id) => {
    const decision = state.decisions.get(id);
    const { rule, sponsor } = decision ?? {};
    if (!decision || !rule?.approvers?.includes(name)) return false;
    const hasLeft = (it: string) => isGone(it) || hasLeftSince(state, it, decision);
    const left = rule.approvers.filter((it) => !hasLeft(it) && !(rule.self === "deny" && it === sponsor));
    return left.length < (rule.min ?? 1);
  });
}

/** What runs because they started it. It stays with its machine: whoever administers there says what becomes of it. */
export function worksFor(state: Readonly<State>, name: string): OwnerId[] {
  const jobs = [...state.active].flatMap((id) => state.jobs.get(id) ?? []);
  return [
    ...jobs.filter((it) => it.sponsor === name && !hasEnded(it)).map((it) => it.id),
    ...[...state.crews.values()].filter((it) => it.sponsor === name && !crewHasEnded(it)).map((it) => it.id),
  ];
}
