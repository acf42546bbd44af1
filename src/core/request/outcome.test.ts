import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { AgentWorld } from "../../../test/fakes/agents.ts";
import { agentAtWork, crewAtWork } from "../../../test/fakes/agents.ts";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { acknowledge, cancelDecision, deliver, undeliver } from "../decision/decision.ts";
import type { Decision } from "../model/decision-types.ts";
import { replay } from "../model/state/state.ts";
import { encodeState } from "../model/state/state-text.ts";
import { owed } from "../owed.ts";
import { requestDecision } from "./request.ts";

const tail = "";
const stopped = { type: "stopped", last_message: "I wait.", tail } as const;
const exited = { type: "exited", incarnation: 1, code: 1, signal: null, error: null, tail } as const;

/** The agent makes a request with its token. */
function asks({ it, id }: AgentWorld, blocks: string[] = []): Decision["id"] {
  const events = it.play((state, moment) =>
    requestDecision(
      state,
      requestInput({
        project: "shop",
        requester: asker("builder", { agent_id: id }),
        prompt: "Which?",
        options: [
          { label: "Left", description: null },
          { label: "Right", description: null },
        ],
        blocks,
      }),
      moment,
    ),
  );
  const created = events.find((one) => one.type === "decision:created");
  return created?.type === "decision:created" ? created.id : assert.fail("nothing was asked");
}

const due = ({ it }: AgentWorld) => owed(it.state).map((one) => one.type);
const right = { choices: [[2]], message: "because" };

describe("an agent with an open request", () => {
  it("waits when it stops: nobody is asked why, and the job waits for the answer", () => {
    const world = agentAtWork({ on_idle: { action: "nudge", attempts: 5 } });
    const id = asks(world);
    world.seen(stopped);
    assert.deepEqual(
      world.pending().map((one) => one.id),
      [id],
    );
    assert.deepEqual(world.agent().outbox, []);
    assert.equal(world.job()?.status, "waiting");
    assert.equal(world.job()?.steps[0]?.decision_id, id);
  });

  it("is told the answer, which is owed, delivered and then acknowledged", () => {
    const world = agentAtWork();
    const id = asks(world);
    world.seen(stopped);
    assert.equal(world.answer(null, right).delivery.state, "owed");
    assert.equal(world.job()?.status, "running");
    assert.deepEqual(due(world), ["deliver"]);
    const { text } = world.deliver();
    assert.match(
      text,
      new RegExp(`^Your request ${id} \\(Which\\?\\) was answered by ana: Right\\..*because`),
    );
    assert.equal(world.decision(id).delivery.state, "delivered");
    world.seen({ type: "submitted", text });
    assert.equal(world.decision(id).delivery.state, "acknowledged");
    assert.equal(world.agent().status, "working");
    assert.equal(encodeState(replay(world.it.events)), encodeState(world.it.state));
  });

  it("is told when it next stops if it is working meanwhile, and is not asked why it stopped", () => {
    const world = agentAtWork();
    asks(world);
    world.answer(null, right);
    assert.deepEqual(due(world), []);
    world.seen(stopped);
    assert.deepEqual(world.pending(), []);
    assert.deepEqual(due(world), ["deliver"]);
  });

  it("has the answer once its await returned, and nothing else is said", () => {
    const world = agentAtWork();
    const id = asks(world);
    world.answer(null, right);
    world.it.play((state, moment) => deliver(state, { id }, moment));
    assert.equal(world.decision(id).delivery.state, "delivered");
    world.it.play((state, moment) => acknowledge(state, { id }, moment));
    assert.equal(world.decision(id).delivery.state, "acknowledged");
    assert.deepEqual(world.agent().outbox, []);
  });

  it("is owed the answer again if its await broke off", () => {
    const world = agentAtWork();
    const id = asks(world);
    world.answer(null, right);
    world.it.play((state, moment) => deliver(state, { id }, moment));
    world.it.play((state, moment) => undeliver(state, { id }, moment));
    world.seen(stopped);
    assert.deepEqual(due(world), ["deliver"]);
  });

  it("hears the answer in a hook's response, and what it does next is the receipt", () => {
    const world = agentAtWork();
    const id = asks(world);
    world.answer(null, right);
    world.deliver(true);
    assert.equal(world.decision(id).delivery.state, "delivered");
    world.seen({ type: "heard" });
    assert.equal(world.decision(id).delivery.state, "acknowledged");
    assert.deepEqual(world.agent().outbox, []);
  });

  it("is told again when it comes back if it died after hearing the answer", () => {
    const world = agentAtWork();
    const id = asks(world);
    world.answer(null, right);
    world.deliver(true);
    world.seen(exited);
    assert.deepEqual(
      world.agent().outbox.map((one) => [one.state, one.told]),
      [["owed", undefined]],
    );
    world.seen({ type: "heard" });
    assert.equal(world.decision(id).delivery.state, "delivered");
  });

  it("keeps its answer for the resume if it died, and the answer alone does not start it", () => {
    const world = agentAtWork();
    asks(world);
    world.seen(exited);
    const [, dead] = world.pending();
    assert.equal(dead?.source, "dead");
    world.answer(null, right); // the request, which is older
    assert.equal(world.agent().status, "exited");
    assert.equal(world.job()?.status, "waiting");
    world.answer("retry");
    assert.equal(world.agent().status, "starting");
    assert.equal(world.agent().outbox.length, 2);
  });

  it("waits too if it ends with its turn, and is started again with the answer", () => {
    const world = agentAtWork({ run: "claude -p" });
    asks(world);
    world.seen({ ...exited, code: 0 });
    assert.equal(world.job()?.status, "waiting");
    assert.equal(world.pending().length, 1);
    world.answer(null, right);
    assert.equal(world.agent().status, "starting");
    assert.equal(world.job()?.status, "running");
  });

  it("continues with the answer if it ends with its turn just afterwards", () => {
    const world = agentAtWork({ run: "claude -p" });
    asks(world);
    world.answer(null, right);
    world.seen({ ...exited, code: 0 });
    assert.equal(world.agent().status, "starting");
  });

  it("hears that its request was withdrawn, and goes on; that is not the delivery of an answer", () => {
    const world = agentAtWork();
    const id = asks(world);
    world.seen(stopped);
    world.it.play((state, moment) => cancelDecision(state, { id, by: "ana", reason: "later" }, moment));
    assert.equal(world.job()?.status, "running");
    const { text } = world.deliver();
    assert.match(text, /was withdrawn by ana: later\. There is no answer\./);
    world.seen({ type: "submitted", text });
    assert.equal(world.decision(id).delivery.state, "none");
  });

  it("hears nothing about a request that it withdrew itself", () => {
    const world = agentAtWork();
    const id = asks(world);
    world.it.play((state, moment) => cancelDecision(state, { id, by: "builder", reason: null }, moment));
    assert.deepEqual(world.agent().outbox, []);
  });

  it("takes its question with it when its work is over, and a late answerer is told", () => {
    const world = agentAtWork();
    const id = asks(world);
    world.seen({ type: "signalled", signal: "done", message: null, tail });
    assert.deepEqual(world.pending(), []);
    assert.match(world.decision(id).ended?.reason ?? "", /work is over/);
    const late = agentAtWork();
    const other = asks(late);
    late.answer(null, right);
    late.seen({ type: "signalled", signal: "done", message: null, tail });
    assert.equal(late.decision(other).delivery.state, "failed");
  });

  it("waits as a crew if it is outside any job", () => {
    const world = crewAtWork();
    asks(world);
    world.seen(stopped);
    assert.equal(world.crew()?.status, "waiting");
    world.answer(null, right);
    assert.equal(world.crew()?.status, "running");
  });
});
