/** A daemon's engine and chores with a fake clock, where somebody is told of what waits: for tests of escalations. */

import { startJob } from "../../src/core/control/job.ts";
import { releaseAnswer } from "../../src/core/decision/give.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import type { Event, Fact } from "../../src/core/model/events.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import type { EscalationDef } from "../../src/core/model/reach-types.ts";
import type { DecisionDef } from "../../src/core/model/runbook.ts";
import { emptyState, replay } from "../../src/core/model/state/state.ts";
import type { ReachConfig } from "../../src/core/reach/config-types.ts";
import { NOBODY_TOLD } from "../../src/core/reach/escalation.ts";
import { oweNotices } from "../../src/core/reach/notices.ts";
import { startChores } from "../../src/daemon/engine/chores.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import { escalateNow, expireNow } from "../../src/daemon/reach/escalations.ts";
import { jobDef, jobInput } from "./core.ts";
import type { FakeClock } from "./fake-clock.ts";
import { fakePorts } from "./ports.ts";
import { settled } from "./settled.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `15 minutes: level ana` … */
export interface Told {
  /** Since the question, in minutes. */
  minute: number;
  reason: string;
  names: readonly string[];
}

export function escalation(more: Partial<EscalationDef> = {}): EscalationDef {
  return {
    name: "prod",
    levels: [
      { notify: ["ana"], via: null, remind_ms: 5 * MINUTE, next_ms: 15 * MINUTE },
      { notify: ["ben"], via: null, remind_ms: null, next_ms: 30 * MINUTE },
    ],
    repeat: 0,
    claim_for_ms: 30 * MINUTE,
    clock: "always",
    deadline_ms: null,
    default: null,
    ...more,
  };
}

export interface Escalated {
  clock: FakeClock;
  told: Told[];
  id: DecisionId;
  decision(): Promise<Decision>;
  events(): readonly Event[];
  types(): string[];
  /** Lets time pass in steps, so that chores have their turn in between. */
  pass(ms: number, step?: number): Promise<void>;
  /** The daemon ends, time passes without it, and the next one starts. */
  restart(away_ms?: number): Promise<void>;
  run: ReturnType<typeof startEngine>["run"];
  stop(): Promise<void>;
}

interface Given {
  escalation?: EscalationDef;
  decision?: Partial<DecisionDef>;
  config?: ReachConfig | null;
  unreachable?: readonly string[];
  at_ms?: number;
}

const DECISION: Partial<DecisionDef> = {
  options: [{ key: "go" }, { key: "stop", action: "cancel" }],
};

export async function escalated(given: Given = {}): Promise<Escalated> {
  const { config = null, unreachable = [] } = given;
  const ports = fakePorts();
  const { clock, log } = ports;
  if (given.at_ms !== undefined) clock.jump(given.at_ms - clock.now());
  const told: Told[] = [];
  const begun = clock.now();
  const tell = (decision: Decision, telling: { names: readonly string[]; reason: string }) => {
    const names = telling.names.filter((it) => !unreachable.includes(it));
    if (names.length === 0) return NOBODY_TOLD;
    told.push({ minute: Math.round((clock.now() - begun) / MINUTE), reason: telling.reason, names });
    return { facts: notices(decision, names), isReached: true };
  };
  const boot = () => {
    const engine = startEngine(ports, replay(log.committed(), emptyState()));
    const chores = startChores(engine, ports, async (effect, record) => {
      if (effect.type === "escalate") await escalateNow(effect, { config, tell }, record);
      if (effect.type === "expire") await expireNow(effect, record);
      if (effect.type === "release-answer")
        await record((state, moment) => releaseAnswer(state, { id: effect.decision_id }, moment));
    });
    return { engine, chores };
  };
  let daemon = boot();
  const chain = given.escalation;
  const asked = { ...DECISION, ...given.decision, ...(chain ? { escalation: chain.name, chain } : {}) };
  await daemon.engine.run((state, moment) =>
    startJob(state, { ...jobInput(jobDef({ ask: { decision: asked } })), id: moment.id("job") }, moment),
  );
  await settled();
  const [id] = await daemon.engine.read((state) => [...state.pending]);
  if (!id) throw new Error("nothing was asked");
  return {
    clock,
    told,
    id,
    async decision() {
      const found = await daemon.engine.read((state) => state.decisions.get(id) ?? null);
      if (!found) throw new Error("the decision is gone");
      return found;
    },
    events: () => log.committed(),
    types: () => log.committed().map((it) => it.type),
    async pass(ms, step = MINUTE) {
      for (let left = ms; left > 0; left -= step) {
        clock.pass(Math.min(step, left));
        await settled();
      }
    },
    async restart(away_ms = 0) {
      await daemon.chores.stop();
      await daemon.engine.stop();
      clock.pass(away_ms);
      daemon = boot();
      await daemon.chores.begin();
      await settled();
    },
    run: (rule) => daemon.engine.run(rule),
    async stop() {
      await daemon.chores.stop();
      await daemon.engine.stop();
    },
  };
}

/** Each of them is owed a message. */
function notices(decision: Decision, names: readonly string[]): Fact[] {
  const of = (person: string) =>
    ({ channel: "exec", kind: "exec", person, names: [person], to: person, reason: "level" }) as const;
  return oweNotices(decision, { notices: names.map(of), missed: [] });
}
