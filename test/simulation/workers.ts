/** Several processes play seeds, each takes the next one; what came of them is handed on in the order of the seeds. */
import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import type { Played, Trouble } from "./play.ts";
import { play } from "./play.ts";
import type { Shrunk } from "./shrink.ts";
import { shrink } from "./shrink.ts";

export interface Result {
  played: Played;
  /** If it broke, and less is enough for that. */
  smallest: Shrunk | null;
}

interface Order {
  seed: number;
  without: readonly Trouble[];
}

export interface Orders {
  from: number;
  seeds: number;
  without: readonly Trouble[];
  workers: number;
  abort: AbortSignal;
}

const NAME = "OJ_SIMULATION_WORKER";
/** Most of what a step makes is garbage before the next one: with V8's own small nursery, much of it is copied first. */
const OPTIONS = ["--max-semi-space-size=32"];

export function isWorker(): boolean {
  return process.env[NAME] !== undefined;
}

/** In a worker: plays what it is sent, until the one who sends is gone. */
export function work(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {}); // the first process ends us
  process.on("disconnect", () => process.exit());
  process.on("message", async ({ seed, without }: Order) => {
    const played = await play(seed, { without });
    const smallest = played.violation === null ? null : await shrink(played, { without });
    process.send?.({ played, smallest: smallest?.played === played ? null : smallest } satisfies Result);
  });
}

/** False: not all were played, because it was told to stop, or because a worker ended. */
export async function playAll(orders: Orders, add: (result: Result) => void): Promise<boolean> {
  const { from, seeds, without, abort } = orders;
  const results = new Map<number, Result>();
  let next = from;
  let shown = from;
  let isOver = false;

  const give = (child: ChildProcess): void => {
    if (next < from + seeds) child.send({ seed: next++, without } satisfies Order);
    else child.disconnect();
  };
  const take = (result: Result): void => {
    results.set(result.played.seed, result);
    for (let it = results.get(shown); it; it = results.get(shown)) {
      results.delete(shown++);
      add(it);
    }
  };
  const life = (child: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      child.on("message", (result: Result) => {
        take(result);
        give(child);
      });
      child.once("exit", (code, signal) => {
        resolve();
        if (code === 0 || isOver) return;
        process.stderr.write(
          `a worker has ended (${signal ?? code}): the seeds after these are not played\n`,
        );
        stop();
      });
      give(child);
    });

  const count = Math.max(1, Math.min(orders.workers, seeds));
  const children = Array.from({ length: count }, () =>
    fork(process.argv[1] as string, [], {
      env: { ...process.env, [NAME]: "1" },
      execArgv: [...process.execArgv, ...OPTIONS],
    }),
  );
  const stop = () => {
    isOver = true;
    for (const it of children) it.kill("SIGKILL");
  };
  abort.addEventListener("abort", stop);
  await Promise.all(children.map(life));
  return shown === from + seeds;
}
