import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, crewAtWork, due, exited, stopped, tail } from "../../../test/fakes/agents.ts";
import { requestInput } from "../../../test/fakes/core.ts";
import { resumeJob } from "../control/job.ts";
import { requestDecision } from "../request/request.ts";

const hung = { type: "hung", quiet_ms: 600_000, tail } as const;

describe("an agent that hangs", () => {
  it("is asked about once for each silence, with what it printed last", () => {
    const { seen, pending, job, agent } = agentAtWork();
    seen(hung);
    const [decision, ...others] = pending();
    assert.deepEqual(others, []);
    assert.equal(decision?.source, "idle");
    assert.equal(decision?.title, "Hung: no output and no report for 10 minutes");
    assert.deepEqual(
      decision?.options.map((it) => it.label),
      ["Restart", "Done", "Cancel", "Dismiss"],
    );
    assert.match(
      decision?.context ?? "",
      /^The agent seems to hang: no output and no report for 10 minutes\n/,
    );
    assert.match(decision?.context ?? "", /> line 2$/);
    assert.equal(job()?.status, "waiting");
    assert.equal(agent().status, "working");
    assert.deepEqual(seen({ ...hung, quiet_ms: 1_200_000 }), []);
  });

  it.each([
    ["prints something", { type: "stirred" }],
    ["works", { type: "worked" }],
    ["is heard of in another way", { type: "heard" }],
  ] as const)("is no longer asked about once it %s, and may hang again", (_, sign) => {
    const { seen, pending, job, agent, decision } = agentAtWork();
    seen(hung);
    const [first] = pending();
    seen(sign);
    assert.deepEqual(pending(), []);
    assert.equal(decision(first?.id ?? "dec-").ended?.reason, "the agent went on by itself");
    assert.equal(job()?.status, "running");
    assert.equal(agent().hung_since_ms, null);
    seen(hung);
    assert.equal(pending().length, 1);
  });

  it("asks what it has to ask after that, in place of the old question", () => {
    const { seen, pending } = agentAtWork();
    seen(hung);
    seen(stopped);
    assert.deepEqual(
      pending().map((it) => it.title),
      ["Stopped: I think I am finished."],
    );
  });

  it("is restarted by Restart, and then told what happened", () => {
    const { it: w, seen, answer, agent, job } = agentAtWork();
    seen(hung);
    answer("restart");
    assert.deepEqual(due(w.state), ["stop-agent"]);
    seen(exited);
    assert.equal(agent().incarnation, 2);
    assert.equal(agent().hung_since_ms, null);
    assert.equal(job()?.status, "running");
    assert.match(agent().outbox[0]?.text ?? "", /^You were interrupted: there was no output/);
  });

  it("is restarted with a person's words too", () => {
    const { it: w, seen, answer, agent } = agentAtWork();
    seen(hung);
    answer(null as never, { message: "Skip the slow test" });
    assert.deepEqual(due(w.state), ["stop-agent"]);
    seen(exited);
    assert.match(agent().outbox[0]?.text ?? "", /Skip the slow test$/);
  });

  it("is left alone by Dismiss, and restarted if its job is resumed", () => {
    const { it: w, seen, answer, pending, job } = agentAtWork();
    seen(hung);
    answer("dismiss");
    seen({ ...hung, quiet_ms: 1_200_000 });
    assert.deepEqual(pending(), [], "not asked again about the same silence");
    assert.equal(job()?.status, "waiting");
    w.play((state, moment) => resumeJob(state, { id: job()?.id ?? "", by: "ana", message: null }, moment));
    assert.deepEqual(due(w.state), ["stop-agent"]);
  });

  it("goes on with its job if it stirs after Dismiss", () => {
    const { seen, answer, job } = agentAtWork();
    seen(hung);
    answer("dismiss");
    seen({ type: "stirred" });
    assert.equal(job()?.status, "running");
  });

  it("may be silent while a person has to answer what it asked", () => {
    const { it: w, id, seen, pending } = agentAtWork();
    w.play((state, moment) =>
      requestDecision(
        state,
        requestInput({ requester: { name: "builder", is_agent: true, agent_id: id, session: null } }),
        moment,
      ),
    );
    assert.deepEqual(seen(hung), []);
    assert.deepEqual(
      pending().map((it) => it.source),
      ["request"],
    );
  });

  it("may be silent when it is idle, and ends like any other agent", () => {
    const { seen, crew, pending } = crewAtWork();
    seen(stopped);
    assert.deepEqual(seen(hung), []);
    seen({ type: "submitted", text: "go on" });
    seen(hung);
    assert.equal(crew()?.status, "waiting");
    seen(exited);
    assert.deepEqual(
      pending().map((it) => it.source),
      ["dead"],
    );
  });
});
