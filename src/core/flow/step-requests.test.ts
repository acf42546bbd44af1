import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, jobDef, requestInput, world } from "../../../test/fakes/core.ts";
import { resolveDecision } from "../decision/give.ts";
import type { DecisionId, RunId } from "../model/ids.ts";
import { promoteAwaited } from "../request/promote.ts";
import { requestOnce } from "../request/request.ts";
import type { RequestInput } from "../request/types.ts";

/** A job whose shell step asks. */
function asking() {
  const it = world();
  const job_id = it.start(jobDef({ a: { run: "./ask" } }));
  const run_id = it.job(job_id).steps[0]?.run_id as RunId;
  const requester = asker("work/a", { is_agent: false, asked_in: { job_id, step: "a", run_id } });
  const ask = (more: Partial<RequestInput>) => {
    const made = it.play(
      (state, moment) => requestOnce(state, requestInput({ requester, ...more }), moment).facts,
    );
    return (made[0] as { id: DecisionId }).id;
  };
  const answer = (id: DecisionId) =>
    it.play((state, moment) =>
      resolveDecision(
        state,
        { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" },
        moment,
      ),
    );
  return { it, ask, answer, status: () => it.job(job_id).status };
}

describe("a job whose step asks several things", () => {
  it("waits until all that it waits for is answered, and not for what it asked aside", () => {
    const { it: world, ask, answer, status } = asking();
    const aside = ask({ prompt: "Which logo?", wait: false });
    assert.equal(status(), "running");
    const [first, second] = [ask({ prompt: "Ship?" }), ask({ prompt: "Where to?" })];
    answer(first);
    assert.equal(status(), "waiting");
    answer(second);
    assert.equal(status(), "running");
    world.play((state) => promoteAwaited(state, { id: aside }));
    assert.equal(status(), "waiting");
    answer(aside);
    assert.equal(status(), "running");
  });
});
