/** Logs on a real PostgreSQL, one server for a file of tests. */
import { afterAll, beforeAll } from "vitest";
import type { Identity, Keeper } from "../../src/adapters/postgres/identity.ts";
import type { PostgresLogInput } from "../../src/adapters/postgres/log.ts";
import { postgresLog } from "../../src/adapters/postgres/log.ts";
import type { Log } from "../../src/ports.ts";
import { fakeJournal } from "../fakes/fake-journal.ts";
import type { Postgres } from "../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../fakes/servers/postgres.ts";
import { throwawayKey } from "../fakes/throwaway-key.ts";
import { bundled, tempDir } from "./log-support.ts";

export const noPostgres = whyNoPostgres();
if (noPostgres !== null) process.stderr.write(`tests of the log on PostgreSQL are skipped: ${noPostgres}\n`);

let worker = "";

/** The server that this file's tests share; it stops when they are done. */
export function sharedServer(how: { durable?: boolean } = {}): () => Postgres {
  let server: Postgres | null = null;
  beforeAll(async () => {
    if (noPostgres !== null) return;
    [worker = ""] = await bundled(tempDir(), ["postgres/snapshot-worker"]);
    server = await postgres(how);
  });
  afterAll(() => server?.close());
  return () => server as Postgres;
}

/** What a state folder keeps of its daemon, in memory. */
export function keeper(folder = "/state"): Keeper & { kept(): Identity | null } {
  let kept: Identity | null = null;
  return {
    folder,
    key: throwawayKey(),
    kept: () => kept,
    load: async () => kept,
    save: async (it) => {
      kept = it;
    },
  };
}

export function logAt(url: string, given: Partial<PostgresLogInput> = {}): Log {
  const journal = fakeJournal();
  return postgresLog({
    url,
    password: null,
    version: "1.2.3",
    journal,
    worker,
    keeper: keeper(),
    ...given,
  });
}
