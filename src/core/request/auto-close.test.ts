import assert from "node:assert/strict";
import { it } from "vitest";
import { asker, jobDef, requestInput, world } from "../../../test/fakes/core.ts";
import type { DecisionId } from "../model/ids.ts";
import { AUTO_CLOSE, autoClose, staleRequests } from "./auto-close.ts";
import { requestDecision } from "./request.ts";

const HOUR = 3_600_000;

function inbox() {
  const it = world();
  const ask = (name: string, project = "shop") =>
    it.play((state, moment) =>
      requestDecision(state, requestInput({ project, requester: asker(name) }), moment),
    )[0] as { id: DecisionId; created_at_ms: number };
  const old = ask("old");
  ask("elsewhere", "blog");
  it.start(jobDef({ ask: { decision: {} } }));
  const young = ask("young");
  return { ...it, old, young };
}

it("auto-close expires requests that waited longer than the threshold, under a name of its own", () => {
  const { play, state, old, young } = inbox();
  const input = { project: "shop", threshold_ms: HOUR, asked_at_ms: old.created_at_ms + HOUR + 1 };
  assert.deepEqual(
    staleRequests(state, input).map((one) => one.id),
    [old.id],
  );
  const events = play((it, moment) => autoClose(it, input, moment));
  assert.equal(events.filter((one) => one.type === "decision:expired").length, 1);
  const { state: now, ended, answer } = state.decisions.get(old.id) ?? {};
  assert.deepEqual(
    [now, ended?.reason, ended?.by, answer],
    ["expired", "no answer within 1h", AUTO_CLOSE, null],
  );
  assert.equal(state.decisions.get(young.id)?.state, "pending");
  assert.deepEqual(
    play((it, moment) => autoClose(it, input, moment)),
    [],
  );
});

it("auto-close spares what is exactly as old as the threshold", () => {
  const { state, old } = inbox();
  assert.deepEqual(
    staleRequests(state, { project: "shop", threshold_ms: HOUR, asked_at_ms: old.created_at_ms + HOUR }),
    [],
  );
});

it("auto-close never touches what a job asks, nor other projects", () => {
  const { play, state, pending } = inbox();
  const input = { project: "shop", threshold_ms: 0, asked_at_ms: Number.MAX_SAFE_INTEGER };
  play((it, moment) => autoClose(it, input, moment));
  assert.deepEqual(
    pending().map((id) => {
      const { project, source } = state.decisions.get(id as DecisionId) ?? {};
      return `${project} ${source}`;
    }),
    ["blog request", "shop step"],
  );
});

it("auto-close takes many in batches, until there are none", () => {
  const it = world();
  for (let number = 0; number < 450; number++)
    it.play((state, moment) =>
      requestDecision(state, requestInput({ requester: asker(`bot-${number}`) }), moment),
    );
  const input = { project: "shop", threshold_ms: 0, asked_at_ms: Number.MAX_SAFE_INTEGER };
  const expired = () =>
    it
      .play((state, moment) => autoClose(state, input, moment))
      .filter((event) => event.type === "decision:expired").length;
  assert.deepEqual([expired(), expired(), expired(), expired()], [200, 200, 50, 0]);
});
