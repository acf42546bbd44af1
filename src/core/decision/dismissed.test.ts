import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { AgentWorld } from "../../../test/fakes/agents.ts";
import {
  agentAtWork,
  approval,
  crewAtWork,
  due,
  exited,
  plan,
  prompted,
  question,
  questions,
  stopped,
  tail,
} from "../../../test/fakes/agents.ts";
import { asker } from "../../../test/fakes/core.ts";
import { asked } from "../../../test/fakes/requests.ts";
import { killAgent, sendToAgent } from "../control/agent-send.ts";
import { resumeCrew } from "../control/crew.ts";
import { resumeJob } from "../control/job.ts";
import type { JobId } from "../model/ids.ts";
import { resolveDecision } from "./give.ts";

const dismissal = {
  choices: [],
  option: "dismiss",
  text: null,
  message: null,
  by: "ana",
  via: "cli",
} as const;

const resume = ({ it: w, job }: AgentWorld, message: string | null) =>
  w.play((state, moment) =>
    resumeJob(state, { id: (job() as { id: JobId }).id, by: "ana", message }, moment),
  );

describe("a dialog whose question was dismissed", () => {
  it.each([approval, question, questions])("is asked about again on resume with a message: %#", (prompt) => {
    const made = agentAtWork();
    const { seen, answer, pending, job, agent, deliver, it: w } = made;
    seen(prompted(prompt));
    answer("dismiss");
    assert.deepEqual([pending(), job()?.status, due(w.state)], [[], "waiting", []]);
    resume(made, "The tests need a network.");
    const [again] = pending();
    assert.deepEqual([again?.source, again?.prompt_key], [prompt.kind, prompt.key]);
    assert.match(
      again?.context ?? "",
      /What it will be told once this is answered:\n> The tests need a network\./,
    );
    assert.equal(job()?.status, "waiting");
    if (prompt.questions.length > 1) answer(null, { choices: [[1], [1]] });
    else answer(prompt === approval ? "approve" : "1");
    assert.deepEqual(due(w.state), ["deliver"]);
    seen({ type: "answered", key: prompt.key });
    assert.deepEqual(due(w.state), []); // the words wait for the end of the turn
    seen(stopped);
    assert.deepEqual([pending(), due(w.state)], [[], ["deliver"]]);
    assert.equal(deliver().text, "The tests need a network.");
    seen({ type: "submitted", text: "The tests need a network." });
    assert.deepEqual([agent().outbox, job()?.status], [[], "running"]);
  });

  it("is asked about again on resume without a message, and nothing is owed", () => {
    const made = agentAtWork();
    made.seen(prompted(approval));
    made.answer("dismiss");
    resume(made, null);
    assert.deepEqual([made.pending().length, made.agent().outbox], [1, []]);
  });

  it.each([agentAtWork, crewAtWork])(
    "is asked about again while its agent has a request pending: %#",
    (made) => {
      const { it: w, id, seen, pending, job, crew } = made();
      const request = asked(w, { project: "shop", requester: asker("builder", { agent_id: id }) });
      seen(prompted(approval));
      const dialog = pending().find((one) => one.source === "approval")?.id ?? assert.fail("not asked");
      w.play((state, moment) => resolveDecision(state, { ...dismissal, id: dialog }, moment));
      assert.deepEqual(
        pending().map((one) => one.id),
        [request.id],
      );
      const input = { id: job()?.id ?? "crew-1", by: "ana", message: null };
      w.play((state, moment) => (job() ? resumeJob : resumeCrew)(state, input, moment));
      assert.deepEqual(
        pending().map((one) => one.source),
        ["request", "approval"],
      );
      assert.equal((job() ?? crew())?.status, "waiting");
    },
  );

  it("is asked about again if it is a plan, which has no Dismiss among its options", () => {
    const made = agentAtWork();
    made.seen(prompted(plan));
    const { state, answer, delivery } = made.answer("dismiss");
    assert.deepEqual(
      [state, answer?.chosen, answer?.labels, delivery.state],
      ["dismissed", null, ["Dismiss"], "none"],
    );
    assert.deepEqual([made.pending(), made.job()?.status], [[], "waiting"]);
    resume(made, null);
    assert.deepEqual(
      made.pending().map((it) => it.source),
      ["plan"],
    );
  });
});

describe("an agent that stands still", () => {
  it("raises both questions, about its dialog and about being stuck, and neither answer leaves the other behind", () => {
    const { seen, answer, pending, job, agent } = agentAtWork();
    const sources = () => pending().map((it) => it.source);
    seen(prompted(approval));
    seen({ type: "signalled", signal: "escalate", message: "help", tail });
    assert.deepEqual(sources(), ["approval", "idle"]);
    answer("dismiss");
    answer("nudge");
    assert.deepEqual([sources(), job()?.status, agent().outbox.length], [["approval"], "waiting", 1]);
  });

  it("raises a question if its turn had ended before its answer was known to have arrived", () => {
    const { seen, answer, pending, job } = agentAtWork();
    seen(prompted(approval));
    answer("approve");
    seen(stopped);
    seen({ type: "answered", key: approval.key });
    assert.deepEqual([pending().map((it) => it.source), job()?.status], [["idle"], "waiting"]);
  });

  it("can be delivered to once its start is recorded, even if a hook came before that", () => {
    const { seen, answer, agent, it: w } = agentAtWork();
    seen(exited);
    answer("retry");
    seen(prompted(approval));
    assert.deepEqual([agent().spawned, due(w.state)], [false, ["start-agent"]]);
    seen({ type: "spawned", incarnation: 2 });
    assert.deepEqual([agent().spawned, agent().status], [true, "prompting"]);
    answer("approve");
    assert.deepEqual(due(w.state), ["deliver"]);
    seen({ ...exited, incarnation: 2 });
    assert.equal(agent().status, "exited");
  });
});

describe("an agent that is gone, and whose death was dismissed", () => {
  const send = ({ it: w, id }: AgentWorld) =>
    w.play((state, moment) => sendToAgent(state, { id, text: "Try the other branch." }, moment));

  it.each([agentAtWork, crewAtWork])("is started again to hear a message: %#", (made) => {
    const world = made();
    const { seen, answer, agent, it: w, job, crew } = world;
    seen(exited);
    answer("dismiss");
    assert.deepEqual(due(w.state), []);
    send(world);
    assert.deepEqual([due(w.state), agent().incarnation], [["start-agent"], 2]);
    assert.equal((job() ?? crew())?.status, "running");
    seen({ type: "spawned", incarnation: 2 });
    seen({ type: "submitted", text: "Build it\n\nTry the other branch." });
    assert.equal(agent().status, "working");
  });

  it("keeps its messages while a person is still asked about it", () => {
    const world = crewAtWork();
    world.seen(exited);
    send(world);
    assert.deepEqual([due(world.it.state), world.pending().length], [[], 1]);
    world.answer("retry");
    assert.deepEqual(due(world.it.state), ["start-agent"]);
    assert.deepEqual(
      world.agent().outbox.map((it) => it.text),
      [
        "Try the other branch.",
        "You were interrupted: your process died (exit code 1).\n\nPlease continue where you left off.",
      ],
    );
  });

  it("can't be killed, and the refusal says what can be done", () => {
    const kill = ({ it: w, id }: AgentWorld) => w.play((state, moment) => killAgent(state, { id }, moment));
    const crew = crewAtWork();
    crew.seen(exited);
    const [asked] = crew.pending();
    assert.throws(() => kill(crew), { code: "agent.gone", hint: `oj decision show ${asked?.id}` });
    crew.answer("dismiss");
    assert.throws(() => kill(crew), {
      message: `the process of ${crew.id} is already gone (exit code 1)`,
      hint: "oj crew resume crew-1, or: oj crew cancel crew-1",
    });
    assert.equal(crew.agent().stopping, null);
  });
});
