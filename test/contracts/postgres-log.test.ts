/** The contract of the log on a real PostgreSQL. */
import { describe } from "vitest";
import { logContract } from "./log.contract.ts";
import { keeper, logAt, noPostgres, sharedServer } from "./postgres-support.ts";

const server = sharedServer();

describe.skipIf(noPostgres !== null)("PostgreSQL", () => {
  logContract("PostgreSQL", async () => {
    const url = await server().database();
    const self = keeper();
    let log = logAt(url, { keeper: self });
    return {
      log,
      async restart() {
        await log.close();
        log = logAt(url, { keeper: self });
        return log;
      },
    };
  });
});
