import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { AgentWorld } from "../../../test/fakes/agents.ts";
import {
  agentAtWork,
  approval,
  comingAgent,
  comingCrew,
  due,
  errored,
  exited,
  plan,
  question,
  stopped,
  tail,
} from "../../../test/fakes/agents.ts";
import type { Observation } from "./agent.ts";

const spawned = { type: "spawned", incarnation: 1 } as const;

/** Everything that an agent can report about itself, and what a person may answer. */
const REPORTS: Record<string, { seen: Observation; answer?: string; says?: { choices: number[][] } }> = {
  conversation: { seen: { type: "conversation", conversation: "c1", transcript: null } },
  submitted: { seen: { type: "submitted", text: "Build it" } },
  worked: { seen: { type: "worked" } },
  approval: { seen: { type: "prompted", prompt: approval, tail }, answer: "approve" },
  plan: { seen: { type: "prompted", prompt: plan, tail }, answer: "accept-auto" },
  question: { seen: { type: "prompted", prompt: question, tail }, says: { choices: [[1]] } },
  stopped: { seen: stopped, answer: "nudge" },
  errored: { seen: errored, answer: "retry" },
  escalated: { seen: { type: "signalled", signal: "escalate", message: "help", tail }, answer: "nudge" },
};

const OWNERS = { job: comingAgent, crew: comingCrew };
const cases = Object.entries(REPORTS).flatMap(([name, report]) =>
  Object.entries(OWNERS).map(([owner, begin]) => ({ name, owner, begin, ...report })),
);

describe("an agent that reports before its start is recorded", () => {
  it.each(cases)("is still started, and gets its answer: $name of a $owner", ({ begin, seen, ...given }) => {
    const early = begin();
    early.seen(seen);
    assert.deepEqual(due(early.it.state), ["start-agent"], "a start that is not recorded is still owed");
    const id = answerTo(early, given);
    assert.deepEqual(due(early.it.state), ["start-agent"]);
    early.seen(spawned);
    assert.equal(early.agent().spawned, true);
    assert.equal(early.agent().incarnation, 1, "it was not started twice");
    if (id === null) return;
    if (early.agent().status === "working") early.seen(stopped); // words wait until it stops
    assert.deepEqual(due(early.it.state), ["deliver"]);
  });

  it.each(cases)(
    "ends up like one that reports afterwards: $name of a $owner",
    ({ begin, seen, ...given }) => {
      const [early, usual] = [begin(), begin()];
      early.seen(seen);
      early.seen(spawned);
      usual.seen(spawned);
      usual.seen(seen);
      for (const it of [early, usual]) answerTo(it, given);
      const kept = ({ status, spawned, prompt, outbox }: ReturnType<AgentWorld["agent"]>) => ({
        status,
        spawned,
        prompt,
        outbox,
      });
      assert.deepEqual(kept(early.agent()), kept(usual.agent()));
    },
  );

  it("is dead if it exits before its start is recorded, and the late record changes nothing", () => {
    const { seen, agent, pending } = comingAgent();
    seen({ type: "submitted", text: "Build it" });
    seen(exited);
    assert.equal(agent().status, "exited");
    assert.deepEqual(
      pending().map((it) => it.source),
      ["dead"],
    );
    seen(spawned);
    assert.equal(agent().spawned, false);
  });

  it("is started even if a report from its last start comes late", () => {
    const { seen, answer, agent, it: world } = agentAtWork();
    seen(exited);
    answer("retry");
    assert.deepEqual(due(world.state), ["start-agent"]);
    seen(stopped); // from the first start: on its way when that one died
    assert.deepEqual(due(world.state), ["start-agent"]);
    seen({ type: "spawned", incarnation: 2 });
    assert.equal(agent().spawned, true);
  });
});

function answerTo(
  { answer, pending }: AgentWorld,
  given: { answer?: string; says?: { choices: number[][] } },
): string | null {
  if (given.answer === undefined && given.says === undefined) return null;
  assert.equal(pending().length, 1);
  return answer(given.answer ?? null, given.says).id;
}
