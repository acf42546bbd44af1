import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentDef } from "../../test/fakes/agents.ts";
import { asker, jobDef, requestInput, world } from "../../test/fakes/core.ts";
import type { Observation } from "./agent/agent.ts";
import { observe } from "./agent/agent.ts";
import { finishOwner } from "./agent/end.ts";
import { deleteCrew } from "./control/crew.ts";
import { ownerPurged } from "./control/job.ts";
import { cancelDecision } from "./decision/decision.ts";
import { holdAnswer } from "./decision/give.ts";
import { undoAnswer } from "./decision/undo.ts";
import { startCrew } from "./flow/agent-start.ts";
import type { Effect } from "./model/effects.ts";
import type { AgentId, CrewId, DecisionId } from "./model/ids.ts";
import { draftOn } from "./model/state/draft.ts";
import { decodeState, encodeState } from "./model/state/state-text.ts";
import { effectsOf, owed, owedFor } from "./owed.ts";
import { claimDecision, releaseDecision, snoozeDecision } from "./reach/claim.ts";
import { grownOld } from "./request/age.ts";
import { requestDecision } from "./request/request.ts";

/** Two crews of one agent that runs once at a time: the first at work, the second waiting for its place. */
function twoForOnePlace() {
  const it = world();
  const def = agentDef({ max_concurrency: 1 });
  const crews: CrewId[] = ["crew-a", "crew-b"];
  for (const id of crews)
    it.play((state, moment) =>
      startCrew(
        state,
        { id, project: "p", name: "c", def, args: {}, env: {}, invoke: "/", root: "/", by: "ana" },
        moment,
      ),
    );
  const [first, second] = [...it.state.agents.keys()] as [AgentId, AgentId];
  const starting = () => owed(it.state).flatMap((one) => (one.type === "start-agent" ? [one.agent_id] : []));
  assert.deepEqual(starting(), [first]);
  it.play((state, moment) =>
    observe(state, { id: first, seen: { type: "spawned", incarnation: 1 } }, moment),
  );
  assert.deepEqual(starting(), []);
  it.play((state, moment) => {
    const draft = draftOn(state, moment);
    finishOwner(draft, draft.agent(first), { type: "completed" });
    return draft.facts;
  });
  return { it, first, second };
}

const agentsIn = (effects: readonly Effect[]) =>
  effects.flatMap((one) => ("agent_id" in one ? [one.agent_id] : []));

it("only so many agents of one name start at a time, and the next when one has ended", () => {
  const { it, first, second } = twoForOnePlace();
  const exited = { type: "exited", incarnation: 1, code: 0, signal: null, error: null, tail: "" } as const;
  const events = it.play((state, moment) => observe(state, { id: first, seen: exited }, moment));
  assert.deepEqual(agentsIn(effectsOf(it.state, events)), [second]);
});

it("the next one starts, too, when one is deleted before its terminal is closed", () => {
  const { it, second } = twoForOnePlace();
  it.play((state, moment) => deleteCrew(state, { id: "crew-a", by: "ana" }, moment));
  const events = it.play((state) => ownerPurged(state, { id: "crew-a" }));
  assert.deepEqual(agentsIn(effectsOf(it.state, events)), [second]);
});

it("a job's folder goes only after its agent", () => {
  const it = world();
  const build = { run: { type: "agent", agent: "builder" } } as const;
  const library = { jobs: {}, agents: { builder: agentDef() }, templates: {} };
  const job = it.start(jobDef({ build }, { workspace: { type: "folder" } }), { library });
  it.prepared(job);
  const [id] = [...it.state.agents.keys()] as [AgentId];
  const seen = (what: Observation) => {
    const events = it.play((state, moment) => observe(state, { id, seen: what }, moment));
    return effectsOf(it.state, events).map((one) => one.type);
  };
  seen({ type: "spawned", incarnation: 1 });
  assert.deepEqual(seen({ type: "signalled", signal: "done", message: null, tail: "" }), ["stop-agent"]);
  assert.equal(it.job(job).status, "completed");
  const exited = { type: "exited", incarnation: 1, code: 0, signal: null, error: null, tail: "" } as const;
  assert.deepEqual(seen(exited), ["remove-workspace"]);
});

describe("decisions that wait for a time", () => {
  const HOUR = 3_600_000;
  const duties = { routes: false, stale_after_ms: HOUR };
  const overdue = { escalation: null, deadline_ms: HOUR, default: "1" };
  const person = { by: "ana", via: "cli" as const };
  const answer = { ...person, choices: [[1]], text: null, message: null, delay_ms: 5000 };
  const kinds: Record<string, Parameters<typeof requestInput>[0]> = {
    plain: {},
    "with a deadline": { overdue },
    "that expire by themselves": { auto_close_ms: HOUR },
  };
  type It = ReturnType<typeof world>;
  const fates: Record<string, (it: It, id: DecisionId) => void> = {
    asked: () => {},
    claimed: (it, id) =>
      it.play((state, moment) => claimDecision(state, { id, ...person, for_ms: HOUR }, moment)),
    released: (it, id) => {
      it.play((state, moment) => claimDecision(state, { id, ...person, for_ms: HOUR }, moment));
      it.play((state, moment) => releaseDecision(state, { id, ...person, config: null }, moment));
    },
    snoozed: (it, id) =>
      it.play((state, moment) => snoozeDecision(state, { id, ...person, for_ms: HOUR }, moment)),
    "on hold": (it, id) => it.play((state, moment) => holdAnswer(state, { id, ...answer }, moment)),
    undone: (it, id) => {
      it.play((state, moment) => holdAnswer(state, { id, ...answer }, moment));
      it.play((state, moment) => undoAnswer(state, { id, by: "ana" }, moment));
    },
    stale: (it, id) => {
      const [effect] = owedFor(it.state, id, duties).filter((one) => one.type === "mark-stale");
      if (effect) it.play((state, moment) => grownOld(state, effect, moment));
    },
    settled: (it, id) =>
      it.play((state, moment) => cancelDecision(state, { id, by: "ana", reason: "no" }, moment)),
    deleted: (it, id) => it.play(() => [{ type: "decision:deleted", id, project: "p" }]),
  };

  for (const [kind, input] of Object.entries(kinds))
    for (const [fate, happen] of Object.entries(fates))
      it(`${kind}, ${fate}: a start owes the same, also from an older snapshot`, () => {
        const it = world();
        const [created] = it.play((state, moment) =>
          requestDecision(state, requestInput({ requester: asker("bot"), ...input }), moment),
        );
        const { id } = created as { id: DecisionId };
        happen(it, id);
        const now = owedFor(it.state, id, duties);
        const text = encodeState(it.state);
        const older = text.replace(/"timed":\[.*?\],"fresh":\[.*?\]\}/, '"nothing":0}');
        assert.notEqual(older, text);
        for (const state of [it.state, decodeState(text), decodeState(older)])
          assert.deepEqual(owed(state, duties), now);
        assert.equal(
          now.length > 0,
          !["settled", "deleted"].includes(fate) && !(kind === "plain" && fate === "stale"),
        );
      });

  it("a start reads none of those that only may become stale", () => {
    const it = world();
    it.play((state, moment) => requestDecision(state, requestInput({ requester: asker("bot") }), moment));
    const [first = "", ...rest] = encodeState(it.state).split("\n");
    const unread = [first, ...rest.map((line) => line.replace(/ .*/, " not to be read"))].join("\n");
    assert.deepEqual(
      owed(decodeState(unread), duties).map((one) => one.type),
      ["mark-stale"],
    );
  });
});
