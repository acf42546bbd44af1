/** Our metrics against Prometheus' own reader. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "vitest";
import { totalsOf } from "../../src/core/figures/totals.ts";
import { emptyState } from "../../src/core/model/state/state.ts";
import { metricsText } from "../../src/daemon/views/metrics.ts";
import { randomHistory } from "../fakes/histories.ts";

const isInstalled = spawnSync("promtool", ["--version"]).status === 0;
const running = { version: "0.1.0", uptime_ms: 61_500, seq: 7, memory_bytes: 7e7, live_agents: 2 };

describe("the metrics", () => {
  it.skipIf(!isInstalled)("are clean for promtool (skipped where Prometheus is not installed)", () => {
    const { state, now } = randomHistory(7, 400);
    for (const it of [state, emptyState()]) {
      const input = metricsText(totalsOf(it), { ...running, now });
      const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
        input,
        encoding: "utf8",
      });
      assert.deepEqual([status, stdout, stderr], [0, "", ""]);
    }
  });

  it("are refused by promtool when they are wrong, so that a clean result means something", (context) => {
    if (!isInstalled) return context.skip("Prometheus is not installed");
    const { status } = spawnSync("promtool", ["check", "metrics"], { input: 'oj_x{a="b} 1\n' });
    assert.notEqual(status, 0);
  });
});
