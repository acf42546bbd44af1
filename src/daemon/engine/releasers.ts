/** Keeps what a start has taken and how to release it: in reverse order, once, whatever happens to the others. */
import type { Clock } from "../../ports.ts";

export interface Releasers {
  /** Call this as soon as the thing exists. Anything added after the release has begun is released at once. */
  add(name: string, release: () => unknown, limitMs?: number): void;
  /**
   * Tries every release, then rejects if any failed. A second call returns the same outcome and releases nothing twice.
   */
  release(): Promise<void>;
}

/**
 * Much longer than any release takes. One that takes longer hangs, and must not keep the others from being released.
 */
const LIMIT_MS = 30_000;

interface Held {
  name: string;
  release: () => unknown;
  limitMs: number;
}

/** Starts something. If that fails halfway, what it has taken so far is released before the error is thrown. */
export async function withReleasers<T>(
  clock: Clock,
  start: (releasers: Releasers) => Promise<T>,
): Promise<T> {
  const releasers = startReleasers(clock);
  try {
    return await start(releasers);
  } catch (error) {
    await releasers.release().catch(() => {}); // people need to know why it did not start
    throw error;
  }
}

export function startReleasers(clock: Clock): Releasers {
  const stack: Held[] = [];
  const errors: Error[] = [];
  let outcome: Promise<void> | null = null;

  async function releaseAll(): Promise<void> {
    for (let held = stack.pop(); held; held = stack.pop()) await tried(held);
    if (errors.length > 0)
      throw new AggregateError(errors, `not released: ${errors.map((it) => it.message).join("; ")}`);
  }

  async function tried({ name, release, limitMs }: Held): Promise<void> {
    let disarm = () => {};
    const late = new Promise<never>((_, reject) => {
      disarm = clock.after(limitMs, () => reject(new Error(`it took longer than ${limitMs / 1000} s`)));
    });
    try {
      await Promise.race([(async () => release())(), late]);
    } catch (error) {
      errors.push(new Error(`${name}: ${(error as Error).message}`, { cause: error }));
    } finally {
      disarm();
    }
  }

  return {
    add(name, release, limitMs = LIMIT_MS) {
      const held = { name, release, limitMs };
      if (outcome === null) stack.push(held);
      else void tried(held);
    },
    release() {
      outcome ??= releaseAll();
      return outcome;
    },
  };
}
