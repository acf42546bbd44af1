import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import type { FakeLog } from "../../../test/fakes/fake-log.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { emptyState, replay } from "../../core/model/state/state.ts";
import { encodeState } from "../../core/model/state/state-text.ts";
import { requestDecision } from "../../core/request/request.ts";
import { startEngine } from "./engine.ts";
import { loadState } from "./load-state.ts";

/** A log that another daemon compacts as often as is said, each time right before we read it. */
async function compactedLog(times: number): Promise<{ log: FakeLog; whole: string }> {
  const ports = fakePorts();
  const { log } = ports;
  const engine = startEngine(ports, emptyState());
  const ask = (n: number) =>
    engine.run((state, moment) =>
      requestDecision(state, requestInput({ project: "p", requester: asker(`${n}`) }), moment),
    );
  for (let n = 0; n < 3; n++) await ask(n);
  let whole = encodeState(replay(log.committed()));
  await log.snapshot(1);
  let left = times;
  const compacting: FakeLog = {
    ...log,
    async read(after, limit) {
      if (left > 0) {
        left -= 1;
        await ask(left + 10);
        whole = await engine.read(encodeState);
        await log.snapshot(engine.seq() - 1);
        await log.compact(engine.seq() - 1);
      }
      return log.read(after, limit);
    },
  };
  return {
    log: compacting,
    get whole() {
      return whole;
    },
  };
}

describe("a start while another machine compacts the log", () => {
  for (const times of [0, 1, 3])
    it(`begins again from the newer snapshot: ${times} times`, async () => {
      const found = await compactedLog(times);
      const { state } = await loadState(found.log);
      assert.equal(encodeState(state), found.whole);
    });

  it("is refused if there is always something missing", async () => {
    const { log } = await compactedLog(Number.POSITIVE_INFINITY);
    await assert.rejects(loadState(log), {
      code: "store.failed",
      message: /^Events 10 to 11 were compacted/,
    });
  });
});
