import assert from "node:assert/strict";
import { it } from "vitest";
import { agentDef } from "../../test/fakes/agents.ts";
import { world } from "../../test/fakes/core.ts";
import { observe } from "./agent/agent.ts";
import { finishOwner } from "./agent/end.ts";
import { startCrew } from "./flow/agent-start.ts";
import type { AgentId, CrewId } from "./model/ids.ts";
import { draftOn } from "./model/state/draft.ts";
import { effectsOf, owed } from "./owed.ts";

it("only so many agents of one name start at a time, and the next when one has ended", () => {
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
  const exited = { type: "exited", incarnation: 1, code: 0, signal: null, error: null, tail: "" } as const;
  const events = it.play((state, moment) => observe(state, { id: first, seen: exited }, moment));
  const next = effectsOf(it.state, events).flatMap((one) => ("agent_id" in one ? [one.agent_id] : []));
  assert.deepEqual(next, [second]);
});
