/**
 * `npm run simulate -- --seeds N [--from SEED] [--without kills,store,…]`: plays so many seeds, shows what broke and how
 * little is needed to break it, and says at the end how much was played.
 */
import { parseArgs } from "node:util";
import type { Played, Trouble } from "./play.ts";
import { play, TROUBLES } from "./play.ts";
import { shrink } from "./shrink.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    without: { type: "string", default: "" },
  },
});
const seeds = Number(values.seeds);
const from = Number(values.from);
const without = values.without.split(",").filter((it): it is Trouble => TROUBLES.includes(it as Trouble));
/** The last things that happened before it broke. */
const SHOWN = 30;
const EVERY = 100;

const began = performance.now();
const sum = { seeds: 0, steps: 0, decisions: 0, kills: 0, faults: 0, violations: 0 };

function show({ seed, steps, violation }: Played, left: readonly Trouble[]): void {
  if (!violation) return;
  const how = left.length > 0 ? ` --without ${left.join()}` : "";
  process.stdout.write(`seed ${seed}, step ${steps}: ${violation.truth}\n  ${violation.text}\n`);
  for (const line of violation.last.slice(-SHOWN)) process.stdout.write(`    ${line}\n`);
  process.stdout.write(`  → npm run simulate -- --seeds 1 --from ${seed}${how}\n`);
}

function tell(): void {
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(
    `${sum.seeds} seeds, ${sum.steps} steps, ${sum.decisions} decisions, ${sum.kills} kills, ` +
      `${sum.faults} other faults, ${sum.violations} violations ` +
      `in ${seconds.toFixed(1)} s (${(sum.seeds / seconds).toFixed(2)} seeds a second)\n`,
  );
}

for (let seed = from; seed < from + seeds; seed++) {
  const played = await play(seed, { without });
  sum.seeds += 1;
  sum.steps += played.steps;
  sum.decisions += played.decisions;
  sum.kills += played.kills;
  sum.faults += played.faults;
  if (played.violation !== null) {
    sum.violations += 1;
    show(played, without);
    const smallest = await shrink(played, { without });
    if (smallest.played !== played) {
      process.stdout.write("less is enough:\n");
      show(smallest.played, smallest.without);
    }
  }
  if (sum.seeds % EVERY === 0 && seed + 1 < from + seeds) tell();
}
tell();
process.exitCode = sum.violations > 0 ? 1 : 0;
