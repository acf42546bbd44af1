/** One connection that is kept and made again when it broke, used by one caller at a time. */
import type { Address } from "./address.ts";
import type { Connection } from "./connection.ts";
import { connect } from "./connection.ts";
import { isLost, Lost } from "./errors.ts";

type Work<T> = (connection: Connection, left: () => number) => Promise<T>;

export interface Lane {
  /**
   * Runs the work alone. Whenever the connection is lost, it starts again with a new one, until the time is over. What
   * is left of it is `left`.
   */
  use<T>(limitMs: number, work: Work<T>): Promise<T>;
  close(): Promise<void>;
}

const PAUSES_MS = [20, 50, 100, 250];

export function lane(address: Address): Lane {
  let connection: Connection | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function attempts<T>(limitMs: number, work: Work<T>): Promise<T> {
    const deadline = performance.now() + limitMs;
    const left = () => Math.max(1, deadline - performance.now());
    for (let failures = 0; ; failures++) {
      try {
        return await work(await connected(left()), left);
      } catch (error) {
        if (!isLost(error)) throw error;
        connection?.destroy();
        connection = null;
        const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
        if (isClosed || performance.now() + pause >= deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async function connected(limitMs: number): Promise<Connection> {
    if (isClosed) throw new Lost("the store was closed");
    if (connection?.isOpen()) return connection;
    connection = await connect(address, limitMs);
    return connection;
  }

  return {
    use(limitMs, work) {
      const mine = queue.then(() => attempts(limitMs, work));
      queue = mine.catch(() => {});
      return mine;
    },
    async close() {
      isClosed = true;
      await queue;
      await connection?.close();
      connection = null;
    },
  };
}
