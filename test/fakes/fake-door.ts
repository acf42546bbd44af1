/** What a channel may ask of the daemon, without one: decisions in memory, answered once, and a record of the answers. */
import type { DecisionView, Rememberable } from "../../src/api/api.ts";
import type { Person } from "../../src/core/reach/config-types.ts";
import type { Door, GivenAnswer } from "../../src/daemon/reach/channel.ts";
import { describe } from "../../src/inbox/card/describe.ts";
import { NOW } from "./fake-client.ts";

export interface FakeDoor extends Door {
  all: Map<string, DecisionView>;
  /** Where notices say that messages are. */
  sent: string[];
  answers: GivenAnswer[];
  /** The rules that approvals would become, by decision; and what was remembered. */
  rules: Map<string, NonNullable<Rememberable["rule"]>>;
  remembered: { id: string; person: string; via: string; hash: string; scope: string }[];
  failures: { decision_id: string; key: string; error: string }[];
  /** What the next answers are refused with; null: they are taken. */
  refuses: string | null;
  /** Answers stay on hold, as with an undo window. */
  holds: boolean;
}

export function person(
  name: string,
  addresses: Person["addresses"] = { mail: `${name}@example.com` },
): Person {
  return { name, addresses, hours: null, digest: null };
}

export function fakeDoor(
  decisions: readonly DecisionView[],
  people: readonly Person[] = [person("ana")],
): FakeDoor {
  const all = new Map(decisions.map((it) => [it.id as string, it]));
  const door: FakeDoor = {
    all,
    sent: [],
    answers: [],
    failures: [],
    rules: new Map(),
    remembered: [],
    refuses: null,
    holds: false,
    personBy: (kind, address, fits = () => true) =>
      people.find((it) => it.addresses[kind]?.toLowerCase() === address.toLowerCase() && fits(it)) ?? null,
    async decision(id) {
      const found = all.get(id);
      return found ? { decision: found, card: describe(found, NOW), isElsewhere: false } : null;
    },
    pendingFor: async () => [...all.values()].filter((it) => it.state === "pending"),
    addressees: async (id) => [...new Set(all.get(id)?.notices.map((it) => it.to))],
    places: async () => door.sent,
    async answer(given) {
      const found = all.get(given.id);
      if (found?.state !== "pending" || found.held)
        return { type: "refused", words: "ben answered this at 14:02", decision: found ?? null };
      if (door.refuses !== null) return { type: "refused", words: door.refuses, decision: found };
      door.answers.push(given);
      const settled = door.holds ? held(found, given) : answered(found, given);
      all.set(given.id, settled);
      return { type: "taken", decision: settled };
    },
    async claim({ id, person, via }) {
      const found = all.get(id);
      const by = found?.claimed?.by ?? person;
      if (found?.state !== "pending" || by !== person || !people.some((it) => it.name === person))
        return { type: "refused", words: `${by} is on it`, decision: found ?? null };
      const claimed = { ...found, claimed: { by, via, from_ms: NOW, until_ms: NOW + 1_800_000 } };
      all.set(id, claimed);
      return { type: "taken", decision: claimed };
    },
    async rule(given) {
      const { id } = given;
      const found = all.get(id);
      if (found?.state !== "pending")
        return { type: "refused", words: "ben answered this at 14:02", decision: found ?? null };
      if (!people.some((it) => it.name === given.person))
        return { type: "refused", words: "This one is for ana.", decision: null };
      const rule = door.rules.get(id) ?? null;
      const why = rule === null ? "this deploys: a person decides that each time" : null;
      const tried = rule && { answered: 3, of: 8, agreed: 3, disagreed: [], saved_per_hour: 0.5 };
      return { type: "offered", found: { decision: found.id, rule, why, tried } };
    },
    async remember({ id, person, via, hash, scope, sawAll }) {
      const found = all.get(id);
      if (found?.state !== "pending")
        return { type: "refused", words: "ben answered this at 14:02", decision: found ?? null };
      const why =
        door.refuses ?? (door.rules.get(id)?.hash === hash ? null : "this is not the rule that would be");
      if (why !== null || !sawAll) return { type: "refused", words: why ?? "not all of it", decision: found };
      door.remembered.push({ id, person, via, hash, scope });
      const settled = answered(found, { person, via, option: "approve" });
      all.set(id, settled);
      return { type: "taken", decision: settled };
    },
    async failed(input) {
      door.failures.push(input);
    },
  };
  return door;
}

/** The decision after this answer. */
export function answered(
  decision: DecisionView,
  given: Partial<GivenAnswer> & { person: string },
): DecisionView {
  return { ...decision, state: "resolved", outcome: "answered", answer: answerOf(decision, given) };
}

function held(decision: DecisionView, given: GivenAnswer): DecisionView {
  const { choices, option, text, message } = given;
  return {
    ...decision,
    held: {
      given: { choices: choices.map((it) => [...it]), option, text, message },
      answer: answerOf(decision, given),
      held_at_ms: NOW,
      release_at_ms: NOW + 5000,
    },
  };
}

function answerOf(
  { options }: DecisionView,
  {
    choices = [],
    option = null,
    text = null,
    message = null,
    person,
    via = "mail",
  }: Partial<GivenAnswer> & { person: string },
): NonNullable<DecisionView["answer"]> {
  const numbers = choices.flat();
  const chosen = options.filter((it) => it.key === option || numbers.includes(it.number));
  return {
    chosen: chosen[0]?.number ?? null,
    choices: choices.map((it) => [...it]),
    labels: chosen.map((it) => it.label),
    text,
    message,
    by: person,
    via,
    resolved_at_ms: NOW,
  };
}
