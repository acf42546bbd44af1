/** A process of its own that writes to the log for ever, one event a turn, and prints each that was acknowledged. */

import { postgresLog } from "../../src/adapters/postgres/log.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import { throwawayKey } from "../fakes/throwaway-key.ts";
import { writeNext } from "../fakes/write-next.ts";

const [url = "", name = ""] = process.argv.slice(2);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const keeper = { folder: "/state", key: throwawayKey(), load: async () => null, save: async () => {} };
const log = postgresLog({
  url,
  password: null,
  version: "1.2.3",
  keeper,
  journal: silent,
  worker: "",
});

void main();

async function main(): Promise<void> {
  const at = { seen: (await log.open()).tip };
  for (let n = 0; ; n++) {
    const id: DecisionId = `dec-${name}-${n}`;
    try {
      await writeNext(log, at, id);
      process.stdout.write(`${id}\n`);
    } catch (error) {
      process.stdout.write(`refused ${(error as Error).message}\n`);
    }
  }
}
