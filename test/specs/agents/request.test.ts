/** Requests that our agents make with `oj decision request`, and how the answer gets to them. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage, untilTaken } from "../support/agents.ts";
import { killDaemon } from "../support/http.ts";

const DONE = { signal: "done" };
const ASK = `oj decision request --prompt "Which way?" --option Left --option Right`;
const ask = (flags = "") => ({ run: `${ASK} ${flags} -o json` });
/** A tool call like the client's own, with its hooks. */
const bash = (input: string) => ({ tool: "Bash", input, real: true, asks: false });

const answer = async (stage: Stage, id: string) => {
  const { code, stderr } = await stage.run("decision", "resolve", id, "2", "-m", "by the sea");
  assert.equal(code, 0, stderr);
};
const ofDecision = (stage: Stage, id: string) =>
  stage.events.flatMap((it) => (it.id === id ? [it.type.replace("decision:", "")] : []));
const idles = (stage: Stage) => stage.events.filter((it) => it.source === "idle");
const words = (id: string) =>
  `Your request ${id} (Which way?) was answered by ana: Right. They say: by the sea`;
const untilStopped = (run: Run) =>
  run.until(() => run.events("agent:idle").length > 0, "the end of its turn");

describe("an agent with an open request", () => {
  it("waits when it stops, is told the answer, and goes on", async () => {
    const turns = [
      [ask(), { say: "I wait." }],
      [{ say: "Thank you." }, DONE],
    ];
    const stage = await agentStage({ asks: { scenario: { turns }, more: `on_idle = "done"` } });
    const run = await stage.job("asks");
    const { id, agent_id } = await run.asked("request");
    assert.equal(agent_id, run.agent);
    await untilStopped(run);
    await run.until(() => run.status() === "step:waiting", "the waiting job");
    const { stdout } = await stage.run("status");
    assert.match(stdout, /waiting .*asks · work +\[request\] Which way\?/);
    await answer(stage, id);
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(run.heard(), [words(id)]);
    assert.deepEqual(ofDecision(stage, id), ["created", "resolved", "delivered", "acknowledged"]);
    assert.deepEqual(idles(stage), []);
  });

  also("blocks nothing while it works on, and its job waits once it has nothing else to do", async () => {
    const works = bash("until [ -e stop ]; do sleep 0.05; done");
    const turns = [
      [ask(`--no-wait --meanwhile "the tests"`), works, { say: "I have nothing else to do." }],
      [{ say: "Thank you." }, DONE],
    ];
    const stage = await agentStage({ asks: { scenario: { turns } } });
    const run = await stage.job("asks");
    const { id } = await run.asked("request");
    assert.notEqual(run.status(), "step:waiting");
    assert.match((await stage.run("status")).stdout, /1 asked aside/);
    await killDaemon(stage);
    await stage.run("daemon", "start");
    stage.write({ stop: "" });
    await run.until(() => run.status() === "step:waiting", "the waiting job");
    const promoted = await run.until(
      () => stage.events.find((it) => it.type === "decision:promoted" && it.id === id),
      "the promotion",
    );
    assert.match(JSON.stringify(promoted), /has stopped and has nothing else to do/);
    await answer(stage, id);
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(run.heard(), [words(id)]);
  });

  it("hears the answer once, after its next tool call, if it is still working; what it does then is the receipt", async () => {
    const until = "until [ -e answered ]; do sleep 0.05; done";
    const turns = [[ask(), bash(until), bash("true"), bash("true"), { say: "Done." }, DONE]];
    const stage = await agentStage({ works: { scenario: { turns } } });
    const run = await stage.job("works");
    const { id } = await run.asked("request");
    await answer(stage, id);
    stage.write({ answered: "" });
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(
      run.told("context").map((it) => [it.event, it.text]),
      [["PostToolUse", words(id)]],
    );
    assert.deepEqual(run.heard(), []);
    const types = stage.events.flatMap((it) =>
      it.id === id || it.type === "agent:signalled" ? [it.type] : [],
    );
    assert.deepEqual(types, [
      "decision:created",
      "decision:resolved",
      "decision:delivered",
      "decision:acknowledged",
      "agent:signalled",
    ]);
  });

  also("gets the answer from its await, and is told nothing else", async () => {
    const turns = [[ask("--wait"), bash("true"), { say: "I know." }]];
    const stage = await agentStage({ awaits: { scenario: { turns }, more: `on_idle = "done"` } });
    const run = await stage.job("awaits");
    const { id } = await run.asked("request");
    await answer(stage, id);
    assert.equal(await run.ended(), "completed");
    const [told] = run.told("run") as unknown as { code: number; output: string }[];
    assert.equal(told?.code, 0);
    assert.match(told?.output ?? "", /"state": ?"resolved"/);
    assert.deepEqual([run.heard(), run.told("context")], [[], []]);
    assert.deepEqual(ofDecision(stage, id), ["created", "resolved", "delivered", "acknowledged"]);
  });

  it("is told even if its daemon was killed twice while it waited", async () => {
    const isBack = { run: "until [ -e back ]; do sleep 0.05; done" }; // what it does next must not meet the kill
    const turns = [
      [ask(), { say: "I wait." }],
      [isBack, DONE],
    ];
    const stage = await agentStage({ asks: { scenario: { turns } } });
    const run = await stage.job("asks");
    const { id } = await run.asked("request");
    await untilStopped(run);
    await killDaemon(stage);
    await answer(stage, id); // which starts a daemon again
    await killDaemon(stage).catch(() => {});
    await stage.run("daemon", "start");
    stage.write({ back: "" });
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(run.heard(), [words(id)]);
    assert.equal((await untilTaken(stage, id)).delivery.state, "acknowledged");
    assert.deepEqual(idles(stage), []);
  });

  also("finds the answer when it is resumed after dying", async () => {
    const until = "until [ -e answered ]; do sleep 0.05; done";
    const turns = [[ask(), { run: until }, { crash: 1 }, DONE]]; // resumed, it continues after its end
    const stage = await agentStage({
      dies: { scenario: { turns }, more: `on_dead = { action = "resume" }` },
    });
    const run = await stage.job("dies");
    const { id } = await run.asked("request");
    await answer(stage, id);
    stage.write({ answered: "" });
    assert.equal(await run.ended(), "completed");
    assert.ok(run.heard()[0]?.includes(words(id)), run.heard().join("\n"));
    assert.equal((await untilTaken(stage, id)).delivery.state, "acknowledged");
  });

  also("hears that a person withdrew the request, and goes on", async () => {
    const turns = [[ask(), { say: "I wait." }], [DONE]];
    const stage = await agentStage({ asks: { scenario: { turns } } });
    const run = await stage.job("asks");
    const { id } = await run.asked("request");
    await untilStopped(run);
    assert.equal((await stage.run("decision", "cancel", id, "--reason", "not now")).code, 0);
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(run.heard(), [
      `Your request ${id} (Which way?) was withdrawn by ana: not now. There is no answer.`,
    ]);
  });

  also("may finish although the request blocks its own job: the next step waits for the answer", async () => {
    const own = "$(oj job list -o json | grep -o 'job-[a-z0-9]*' | head -1)";
    const stage = await agentStage({ plans: { scenario: { turns: [[ask(`--blocks ${own}`), DONE]] } } });
    const run = await stage.job("plans");
    const { id } = await run.asked("request");
    await run.until(() => stage.events.some((it) => it.type === "job:waiting"), "the blocked job");
    assert.deepEqual(run.steps(), ["before", "work"]);
    const { stdout } = await stage.run("job", "show", run.owner);
    assert.match(stdout, new RegExp(`no further step starts until ${id} is answered: Which way\\?`));
    await answer(stage, id);
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(run.steps(), ["before", "work", "after"]);
    assert.equal((await stage.decision(id)).delivery.state, "acknowledged");
  });
});
