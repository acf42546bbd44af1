import assert from "node:assert/strict";
import { it } from "vitest";
import { everySource, NUMBERS } from "../support/every-source.ts";
import { openTerminal } from "../support/terminal.ts";

it("the terminal inbox takes two keys per answer, for every source, one decision after the other", async () => {
  const { stage, sources, ended } = await everySource();
  const terminal = await openTerminal(stage, ["decision", "watch"], { columns: 120, rows: 40 });
  const left = new Set(sources.keys());
  let keys = 0;
  while (left.size > 0) {
    const id = await stage.until(
      async () => {
        const focus = /│ +decision +(dec-\w+),[\s\S]*│ .?1 {3}\S/.exec(await terminal.screen())?.[1];
        return focus !== undefined && left.has(focus) ? focus : null;
      },
      `one of ${[...left].join(", ")} in focus`,
    );
    const source = sources.get(id) ?? "request";
    const { number, label } = NUMBERS[source];
    for (const key of [number, "Enter"]) {
      await terminal.press(key);
      keys += 1;
    }
    const { answer } = await stage.until(async () => {
      const decision = await stage.decision(id);
      return decision.state === "resolved" && decision;
    }, `an answer to ${id}`);
    assert.deepEqual([answer?.labels, answer?.via], [[label], "tui"], source);
    left.delete(id);
  }
  assert.equal(keys, 2 * sources.size);
  await ended();
});
