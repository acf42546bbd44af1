/** How late timers are when there are a hundred thousand of them: in their queue, and as deadlines of decisions. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { Moment } from "../../src/core/model/ids.ts";
import type { State } from "../../src/core/model/state/state.ts";
import { emptyState } from "../../src/core/model/state/state.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import { startChores } from "../../src/daemon/engine/chores.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import { startTimers } from "../../src/daemon/engine/timers.ts";
import { expireNow } from "../../src/daemon/reach/escalations.ts";
import type { Clock } from "../../src/ports.ts";
import { asker, requestInput } from "../fakes/core.ts";
import { logIn } from "./data.ts";
import type { Row } from "./rows.ts";
import { ms, quantile, row } from "./rows.ts";

const COUNT = 100_000;
const OVER_MS = 20_000;
const AT_ONCE = 500;
const DAY_MS = 86_400_000;
const EXPIRING_MS = 120_000;

export async function measureTimers(dir: string): Promise<Row[]> {
  return [...(await inTheirQueue()), ...(await asDeadlines(path.join(dir, "deadlines")))];
}

/** Deadlines that pass, each on disk before it counts, while the engine and its chores do everything they always do. */
async function asDeadlines(dir: string): Promise<Row[]> {
  const log = logIn(dir);
  await log.open();
  const quiet = () => {};
  const journal = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  let ahead = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const ports = { log, clock, journal, random: (bytes: number) => randomBytes(bytes) };
  const engine = startEngine(ports as never, emptyState());
  const chores = startChores(engine, ports as never, async (effect, record) => {
    if (effect.type === "expire") await expireNow(effect, record);
  });
  const late: number[] = [];
  const all = new Promise<void>((resolve) => {
    const due = new Map<string, number>();
    engine.watch((events) => {
      const now = clock.now();
      for (const event of events) {
        if (event.type === "decision:created") due.set(event.id, event.deadline_at_ms ?? 0);
        if (event.type !== "decision:expired") continue;
        late.push(Math.max(0, now - (due.get(event.id) ?? 0)));
        if (late.length === COUNT) resolve();
      }
    });
  });
  const first = clock.now() + DAY_MS;
  const ask = (state: State, moment: Moment, due_ms: number) => {
    const overdue = { escalation: null, deadline_ms: Math.round(due_ms - moment.at_ms), default: "1" };
    const requester = { ...asker("person"), is_agent: false };
    return requestDecision(state, requestInput({ requester, overdue }), moment);
  };
  const began = performance.now();
  for (let from = 0; from < COUNT; from += AT_ONCE)
    await engine.run((state, moment) =>
      Array.from({ length: AT_ONCE }, (_, n) =>
        ask(state, moment, first + ((from + n) / COUNT) * EXPIRING_MS),
      ).flat(),
    );
  const askedMs = performance.now() - began;
  ahead = first - systemClock.now() - 5000; // a day has passed, but for five seconds
  await engine.run((state, moment) => ask(state, moment, moment.at_ms + DAY_MS)); // the queue looks at its clock
  await all;
  await chores.stop();
  await engine.stop();
  await log.close();
  const p99 = quantile(late, 0.99);
  const group = `deadlines (${COUNT.toLocaleString("en")} pending, over ${EXPIRING_MS / 1000} s, each on disk)`;
  return [
    row(group, "p99 late", {
      measured: ms(p99),
      target: "< 50 ms",
      ok: p99 < 50,
      values: { p99, p50: quantile(late, 0.5), worst: quantile(late, 1), askedMs },
    }),
  ];
}

async function inTheirQueue(): Promise<Row[]> {
  const timers = startTimers(systemClock);
  const far = systemClock.now() + 30 * 86_400_000;
  const began = performance.now();
  const disarm = Array.from({ length: COUNT }, (_, n) => timers.set(systemClock.now(), far + n, () => {}));
  const setMs = performance.now() - began;
  for (const it of disarm) it();
  const late: number[] = [];
  await new Promise<void>((resolve) => {
    const from = systemClock.now();
    for (let n = 0; n < COUNT; n++) {
      const until = from + 1000 + Math.random() * OVER_MS;
      timers.set(from, until, () => {
        late.push(Math.max(0, systemClock.now() - until));
        if (late.length === COUNT) resolve();
      });
    }
  });
  timers.stop();
  const p99 = quantile(late, 0.99);
  const group = `timers (${COUNT.toLocaleString("en")} in one queue, over ${OVER_MS / 1000} s)`;
  return [
    row(group, "p99 late", {
      measured: ms(p99),
      target: "< 50 ms",
      ok: p99 < 50,
      values: { p99, p50: quantile(late, 0.5), worst: quantile(late, 1) },
    }),
    row(group, "all of them set", { measured: ms(setMs), values: { setMs } }),
  ];
}
