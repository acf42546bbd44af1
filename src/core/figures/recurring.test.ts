import assert from "node:assert/strict";
import { it } from "vitest";
import { asker, requestInput, world } from "../../../test/fakes/core.ts";
import { requestDecision } from "../request/request.ts";
import { statsOf } from "./stats.ts";

it("counts what was asked again and again, the most frequent first, and not what was asked once", () => {
  const { play, state } = world();
  const ids = ["Which port?", "Which database?", "Which port?", "Why?", "Which database?", "Which port?"].map(
    (prompt, n) => {
      const input = requestInput({ prompt, requester: asker(`bot-${n}`) });
      const [created] = play((it, moment) => requestDecision(it, input, moment));
      return created && "id" in created ? created.id : assert.fail();
    },
  );
  const query = { since_ms: null, until_ms: null, project: null, source: null, zone: "UTC" };
  assert.deepEqual(statsOf(state, query, 2_000_000).recurring, [
    { count: 3, last_id: ids[5] },
    { count: 2, last_id: ids[4] },
  ]);
});
