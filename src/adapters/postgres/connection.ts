/**
 * One connection to PostgreSQL. Nothing is asked without a time limit, and where it is reached the socket is destroyed:
 * a query that is merely given up would be answered into the next one.
 */
import type { ClientConfig, QueryResult } from "pg";
import pg from "pg";
import type { Address } from "./address.ts";
import { Lost } from "./errors.ts";

export type Question = string | { text: string; values: unknown[] };
export type Row = Record<string, unknown>;
export interface Answer {
  rows: Row[];
  /** What was done: COMMIT, ROLLBACK, SELECT. */
  command: string;
}

export interface Connection {
  /** Sends them all at once and returns an answer to each. The first that fails is thrown. */
  ask(questions: readonly Question[], limitMs: number): Promise<Answer[]>;
  /** Calls with each notice. */
  heard(call: (payload: string) => void): void;
  /** Resolves once it is broken or closed. */
  readonly ended: Promise<void>;
  isOpen(): boolean;
  /** Nothing more is sent or received. */
  destroy(): void;
  close(): Promise<void>;
}

const CLOSE_MS = 1000;

export async function connect({ config }: Address, limitMs: number): Promise<Connection> {
  const given: ClientConfig & { pipeline: boolean } = {
    ...config,
    application_name: "oj",
    keepAlive: true,
    pipeline: true, // BEGIN and what follows it travel together
  };
  const client = new pg.Client(given);
  let isOpen = true;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = () => {
      isOpen = false;
      resolve();
    };
  });
  client.on("error", destroy); // the questions in progress fail with it too
  client.on("end", end);

  function destroy(): void {
    end();
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
    connection.stream.destroy();
  }

  /** After the limit the socket is gone, whatever the driver makes of that. */
  async function limited<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        destroy();
        reject(new Lost(`no answer ${what} within ${Math.round(ms)} ms`));
      }, ms);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      work.catch(() => {});
    }
  }

  await limited(client.connect(), limitMs, "to the connection").catch((error) => {
    destroy();
    throw error;
  });

  return {
    ended,
    isOpen: () => isOpen,
    destroy,
    heard: (call) => void client.on("notification", ({ payload }) => call(payload ?? "")),
    async ask(questions, limitMs) {
      if (!isOpen) throw new Lost("the connection was closed");
      const asked = questions.map((it) => client.query(it as string) as Promise<QueryResult<Row>>);
      for (const it of asked) it.catch(() => {}); // the first error is thrown, the others follow from it
      return limited(Promise.all(asked), limitMs, "to a query");
    },
    async close() {
      await limited(client.end(), CLOSE_MS, "to the end").catch(() => {});
      destroy();
    },
  };
}
