/** How late timers are when there are a hundred thousand of them. */
import { systemClock } from "../../src/adapters/system/clock.ts";
import { startTimers } from "../../src/daemon/engine/timers.ts";
import type { Row } from "./rows.ts";
import { ms, quantile, row } from "./rows.ts";

const COUNT = 100_000;
const OVER_MS = 20_000;

export async function measureTimers(): Promise<Row[]> {
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
