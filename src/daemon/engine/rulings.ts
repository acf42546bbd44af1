/** Runs the rules of a turn, each on the state as it will be once the facts of those before it are recorded. */
import { clients } from "../../agents/known/clients.ts";
import type { Event, Fact, Stamp } from "../../core/model/events.ts";
import { idsOf } from "../../core/model/events.ts";
import { joined } from "../../core/model/fixed.ts";
import type { MachineName, Moment } from "../../core/model/ids.ts";
import { idFrom } from "../../core/model/ids.ts";
import { overlay } from "../../core/model/state/overlay.ts";
import type { State } from "../../core/model/state/state.ts";
import { apply } from "../../core/model/state/state.ts";
import type { Folding } from "../../core/model/state/state-types.ts";
import type { Ports } from "../../ports.ts";

export type Rule = (state: State, moment: Moment) => Fact[];
/** What is added to the facts of every rule, such as answers that nobody needs to be asked for. */
export type Review = (state: State, facts: Fact[], moment: Moment) => Fact[];

/** What came of a rule: its facts with their numbers, or what it threw. */
export interface Ruling {
  events: Event[];
  refusal: { error: unknown } | null;
}

export function ruleAll(
  state: State,
  rules: readonly Rule[],
  ports: Pick<Ports, "clock" | "random"> & {
    at_ms: number | null;
    review: Review;
    machine: MachineName | null;
  },
  /** Rules that go with what the others have recorded. They come last. */
  joining: (events: readonly Event[]) => readonly Rule[],
): Ruling[] {
  const moment: Moment = {
    at_ms: ports.at_ms ?? ports.clock.now(),
    id: (kind) => idFrom(kind, ports.random(32)),
    clients,
  };
  let ahead: Folding | null = null;
  let unfolded: readonly Event[] = [];
  let { seq } = state;
  const { at_ms } = moment;
  const stamp = ports.machine === null ? { at_ms } : { at_ms, machine: ports.machine };
  const take = (rule: Rule): Ruling => {
    if (unfolded.length > 0) {
      ahead ??= overlay(state);
      for (const event of unfolded) apply(ahead, event);
    }
    const reviewed: Rule = (now) => ports.review(now, rule(now, moment), moment);
    const ruling = ruleOne(reviewed, ahead ?? state, moment, { seq, ...stamp });
    seq += ruling.events.length;
    unfolded = ruling.events;
    return ruling;
  };
  const rulings = rules.map(take);
  return [...rulings, ...joining(rulings.flatMap((it) => it.events)).map(take)];
}

function ruleOne(rule: Rule, state: State, moment: Moment, stamp: Stamp): Ruling {
  try {
    const facts = rule(state, moment);
    const events = facts.map((fact, n) => joined({ ...stamp, seq: stamp.seq + 1 + n }, fact) as Event);
    return { events, refusal: null };
  } catch (error) {
    return { events: [], refusal: { error } };
  }
}

/** Rules that go with whatever happens to an id. */
export interface Joined {
  /** Until the returned function is called. */
  add(id: string, rule: Rule): () => void;
  /** Those that these events concern, each once. */
  by(events: readonly Event[]): readonly Rule[];
}

export function startJoined(): Joined {
  const rules = new Map<string, Set<Rule>>();
  return {
    add(id, rule) {
      const all = rules.get(id) ?? new Set();
      rules.set(id, all.add(rule));
      return () => {
        all.delete(rule);
        if (all.size === 0 && rules.get(id) === all) rules.delete(id);
      };
    },
    by(events) {
      if (rules.size === 0) return [];
      return [...new Set(events.flatMap(idsOf).flatMap((id) => [...(rules.get(id) ?? [])]))];
    },
  };
}
