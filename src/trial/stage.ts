/**
 * Where a job is played: the daemon's own engine, rules, chores and timers over ports in which nothing is run, in time
 * that passes only when everybody waits for it.
 */
import type { ReachEffect } from "../core/model/effects.ts";
import type { Event, Fact } from "../core/model/events.ts";
import type { State } from "../core/model/state/state.ts";
import { emptyState } from "../core/model/state/state.ts";
import { pauseEnded } from "../core/reach/claim.ts";
import { expire } from "../core/reach/deadline.ts";
import type { Teller } from "../core/reach/escalation.ts";
import { escalate, NOBODY_TOLD } from "../core/reach/escalation.ts";
import type { Recorder } from "../daemon/engine/chores.ts";
import { startChores } from "../daemon/engine/chores.ts";
import type { Rule, Watcher } from "../daemon/engine/engine.ts";
import { startEngine } from "../daemon/engine/engine.ts";
import { performer } from "../daemon/engine/perform.ts";
import { startCast } from "./agents.ts";
import { chanceOf } from "./chance.ts";
import { virtualClock } from "./clock.ts";
import { memoryLog } from "./memory-log.ts";
import { trialPorts } from "./ports.ts";
import type { Behaviour } from "./script.ts";

export interface Stage {
  run(rule: Rule): Promise<Event[]>;
  read<T>(look: (state: State) => T): T;
  /** Milliseconds since the beginning. */
  now(): number;
  /** Everybody does what they can without time passing. */
  settle(): Promise<void>;
  /** Lets time pass until something happens, but not beyond `until`. False: nothing happens until then. */
  goOn(until: number): Promise<boolean>;
}

/** Nobody is told of anything: whoever should answer is part of the script. */
const NOBODY: Teller = { config: null, tell: () => NOBODY_TOLD };

/** Everything is quiet after this many rounds of the loop in which nothing was written. */
const QUIET_ROUNDS = 4;

export function openStage(
  behaviour: Behaviour,
  { seed, hungAfterMs, watch }: { seed: number; hungAfterMs: number; watch: Watcher },
): Stage {
  const clock = virtualClock();
  const log = memoryLog();
  const state = emptyState();
  const random = chanceOf(seed);
  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  const ports = trialPorts(behaviour, pause, state.jobs);
  const engine = startEngine({ log, clock, journal: ports.journal, random: random.bytes }, state, {
    review: (_, facts) => facts.map(withMadeUpPeople),
  });
  engine.watch(watch);
  const cast = startCast(engine, behaviour, { pause, hungAfterMs });
  const { perform } = performer(ports, {}, cast.perform, undefined, whileNobodyAnswers);
  startChores(engine, { clock, journal: ports.journal }, perform);

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_ROUNDS; ) {
      const before = log.events().length;
      await new Promise<void>((resolve) => setImmediate(resolve));
      quiet = log.events().length === before ? quiet + 1 : 0;
    }
  }

  return {
    run: (rule) => engine.run(rule),
    read: (look) => look(state),
    now: () => clock.monotonic(),
    settle,
    async goOn(until) {
      for (;;) {
        const next = clock.next();
        if (next === null || next > until) return false;
        const before = log.events().length;
        clock.goTo(next);
        await settle();
        if (log.events().length > before) return true;
      }
    },
  };
}

/** People in a trial prove who they are by being in it, and nobody knows who is in a group. */
function withMadeUpPeople(fact: Fact): Fact {
  if (fact.type !== "decision:created" || !fact.rule) return fact;
  const { fresh: _, approvers = [], ...rule } = fact.rule;
  const isEnough = approvers.filter((it) => it !== fact.sponsor).length >= (rule.min ?? 1);
  return { ...fact, rule: isEnough ? { ...rule, approvers } : rule };
}

async function whileNobodyAnswers(effect: ReachEffect, record: Recorder): Promise<void> {
  if (effect.type === "expire") await record((state, moment) => expire(state, effect, moment));
  if (effect.type !== "escalate") return;
  const isPause = effect.what === "release" || effect.what === "wake";
  await record((state, moment) =>
    (isPause ? pauseEnded : escalate)(state, { effect, teller: NOBODY }, moment),
  );
}
