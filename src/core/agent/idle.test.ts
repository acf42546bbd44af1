import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, due, exited, stopped, tail } from "../../../test/fakes/agents.ts";
import { resumeJob } from "../control/job.ts";
import { replay } from "../model/state/state.ts";
import { encodeState } from "../model/state/state-text.ts";

describe("an idle agent", () => {
  it("asks with the last message and the last lines, and the job waits", () => {
    const { seen, pending, job } = agentAtWork();
    seen(stopped);
    const [decision] = pending();
    assert.equal(decision?.source, "idle");
    assert.deepEqual(
      decision?.options.map((one) => one.label),
      ["Nudge", "Done", "Cancel", "Dismiss"],
    );
    assert.match(decision?.context ?? "", /\nIts last message:\n> I think I am finished\.\n/);
    assert.match(decision?.context ?? "", /\nThe last lines of its output:\n> line 1\n> line 2$/);
    assert.match(decision?.context ?? "", /step "build"/);
    assert.equal(job()?.status, "waiting");
  });

  it.each([
    ["one line", "Fix the login", "> Fix the login"],
    ["blank lines", "Fix it\n\n\nand test it\n", "> Fix it\n> and test it"],
    ["many lines", "a\nb\nc\nd", "> a\n> b\n> c …"],
    ["a long line", "x".repeat(300), `> ${"x".repeat(240)} …`],
    ["a line that would pass for ours", "go\rIts last message:\rdone", "> go\n> Its last message:\n> done"],
  ])("shows its task by its beginning: %s", (_, prompt, shown) => {
    const { seen, pending } = agentAtWork({ prompt });
    seen(stopped);
    const context = pending()[0]?.context ?? "";
    assert.ok(context.includes(`\n\nIts task:\n${shown}\n\nThe last lines`), context);
  });

  it("is told by Nudge, and its prompt with these words is the receipt", () => {
    const { it: w, seen, answer, agent, deliver, job, decision } = agentAtWork();
    seen(stopped);
    const { id, delivery } = answer("nudge", { message: "Add tests" });
    assert.equal(delivery.state, "owed");
    assert.equal(job()?.status, "running");
    assert.deepEqual(due(w.state), ["deliver"]);
    assert.equal(deliver().text, "Add tests");
    assert.equal(decision(id).delivery.state, "delivered");
    seen({ type: "submitted", text: "Add  tests\n" });
    assert.equal(decision(id).delivery.state, "acknowledged");
    assert.equal(agent().status, "working");
    assert.deepEqual(agent().outbox, []);
  });

  it("completes its step with Done, and its terminal ends", () => {
    const { it: w, seen, answer, job, agent } = agentAtWork();
    seen(stopped);
    answer("done");
    assert.equal(job()?.step, "after");
    assert.equal(agent().stopping, "end");
    assert.deepEqual(due(w.state).sort(), ["run-shell", "stop-agent"]);
    seen({ ...exited, code: 0 });
    assert.equal(agent().status, "ended");
    assert.equal(job()?.step, "after");
  });

  it("is waited for after Cancel, then the job is cancelled", () => {
    const { seen, answer, job } = agentAtWork();
    seen(stopped);
    answer("cancel");
    assert.equal(job()?.status, "running");
    seen(exited);
    assert.equal(job()?.status, "cancelled");
  });

  it("stays as it is after Dismiss, and may go on by itself", () => {
    const { seen, answer, job, pending } = agentAtWork();
    seen(stopped);
    assert.equal(answer("dismiss").state, "dismissed");
    assert.equal(job()?.status, "waiting");
    seen({ type: "submitted", text: "typed by a person" });
    assert.equal(job()?.status, "running");
    assert.deepEqual(pending(), []);
  });

  it("is told to go on if the job is resumed after Dismiss", () => {
    const { it: w, seen, answer, agent, job } = agentAtWork();
    seen(stopped);
    answer("dismiss");
    const id = job()?.id ?? "";
    w.play((state, moment) => resumeJob(state, { id, by: "ana", message: "Go on." }, moment));
    assert.equal(w.state.agents.size, 1);
    assert.equal(agent().outbox[0]?.text, "Go on.");
    assert.equal(job()?.status, "running");
  });

  it("asks nothing more once its work is over, even if its terminal is still there", () => {
    const { seen, pending } = agentAtWork();
    seen({ type: "signalled", signal: "done", message: null, tail });
    seen(stopped);
    assert.deepEqual(pending(), []);
  });

  it("closes its question if somebody types in the terminal first", () => {
    const { seen, pending, it: w, job } = agentAtWork();
    seen(stopped);
    seen({ type: "submitted", text: "hello" });
    assert.deepEqual(pending(), []);
    const [decision] = w.state.decisions.values();
    assert.equal(decision?.state, "withdrawn");
    assert.equal(decision?.answer, null);
    assert.equal(job()?.status, "running");
  });
});

describe("the message of a trigger", () => {
  it("is filled in when the agent is told", () => {
    const {
      it: w,
      seen,
      agent,
    } = agentAtWork({
      on_idle: { action: "nudge", message: "Go on with ${job.name}.", append: true },
    });
    seen(stopped);
    assert.match(agent().outbox[0]?.text ?? "", /\n\nGo on with work\.$/);
    assert.equal(encodeState(replay(w.events)), encodeState(w.state));
  });

  it("is filled in when it is why the step failed", () => {
    const { seen, job } = agentAtWork({ on_dead: { action: "fail", message: "${agent.name} is gone" } });
    seen(exited);
    assert.equal(job()?.error, "builder is gone");
  });
});
