/**
 * `npm run simulate -- --seeds N [--from SEED] [--without kills,store,…] [--workers N] [--prints]`: plays so many seeds,
 * shows what broke and how little is needed to break it, and says at the end how much was played, and of which code.
 * What it says comes in the order of the seeds, however many processes play them.
 */
import { execFileSync } from "node:child_process";
import os from "node:os";
import { parseArgs } from "node:util";
import type { Played, Trouble } from "./play.ts";
import { TROUBLES } from "./play.ts";
import type { Shrunk } from "./shrink.ts";
import type { Result } from "./workers.ts";
import { isWorker, playAll, work } from "./workers.ts";

/** The last things that happened before it broke. */
const SHOWN = 30;
const EVERY = 100;

if (isWorker()) work();
else await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "100" },
      from: { type: "string", default: "1" },
      without: { type: "string", default: "" },
      workers: { type: "string", default: String(os.availableParallelism()) },
      prints: { type: "boolean", default: false },
    },
  });
  const [seeds, from] = [Number(values.seeds), Number(values.from)];
  const without = values.without.split(",").filter((it): it is Trouble => TROUBLES.includes(it as Trouble));
  const code = codeNow();
  const began = performance.now();
  const sum = { seeds: 0, steps: 0, decisions: 0, kills: 0, faults: 0, violations: 0 };
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());

  const tell = () => {
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(
      `${sum.seeds} seeds, ${sum.steps} steps, ${sum.decisions} decisions, ${sum.kills} kills, ` +
        `${sum.faults} other faults, ${sum.violations} violations in ${seconds.toFixed(1)} s ` +
        `(${(sum.seeds / seconds).toFixed(2)} seeds a second), from seed ${from}, on ${code}\n`,
    );
  };
  const add = ({ played, smallest }: Result) => {
    sum.seeds += 1;
    sum.steps += played.steps;
    sum.decisions += played.decisions;
    sum.kills += played.kills;
    sum.faults += played.faults;
    if (values.prints) say(`seed ${played.seed}: ${played.steps} steps, ${played.print}`);
    if (played.violation !== null) {
      sum.violations += 1;
      show(played, without);
      if (smallest) showSmallest(smallest);
    }
    if (sum.seeds % EVERY === 0 && sum.seeds < seeds) tell();
  };
  const isWhole = await playAll(
    { from, seeds, without, workers: Number(values.workers), abort: abort.signal },
    add,
  );
  tell();
  process.exitCode = sum.violations > 0 || !isWhole ? 1 : 0;
}

function showSmallest({ played, without }: Shrunk): void {
  say("less is enough:");
  show(played, without);
}

function show({ seed, steps, violation }: Played, left: readonly Trouble[]): void {
  if (!violation) return;
  const how = left.length > 0 ? ` --without ${left.join()}` : "";
  say(`seed ${seed}, step ${steps}: ${violation.truth}`, `  ${violation.text}`);
  for (const line of violation.last.slice(-SHOWN)) say(`    ${line}`);
  say(`  → npm run simulate -- --seeds 1 --from ${seed}${how}`);
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** What is played: a figure means nothing without it. */
function codeNow(): string {
  const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8", stdio: "pipe" }).trim();
  try {
    const hasChanges = git("status", "--porcelain", "--", "src", "test") !== "";
    return `commit ${git("rev-parse", "--short=12", "HEAD")}${hasChanges ? " with changes" : ""}`;
  } catch {
    return "a commit that git does not know";
  }
}
