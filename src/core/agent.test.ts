import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, approval, crewAtWork, plan, question, questions } from "../../test/fakes/agents.ts";
import { agentCooled, agentGateEnded, killAgent } from "./agent.ts";
import { draftOn } from "./draft.ts";
import { cancelJob, resumeJob } from "./job.ts";
import { owed } from "./owed.ts";
import { owe, parcelDelivered } from "./parcel.ts";
import { encodeState, replay } from "./state.ts";

const tail = "line 1\nline 2";
const stopped = { type: "stopped", last_message: "I think I am finished.", tail } as const;
const exited = { type: "exited", incarnation: 1, code: 1, signal: null, error: null, tail } as const;
const errored = { type: "errored", kind: "rate_limited", message: "429", tail } as const;
const due = (state: Parameters<typeof owed>[0]) => owed(state).map((one) => one.type);

describe("idle", () => {
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

  it("Nudge tells the agent, and its prompt with these words is the receipt", () => {
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

  it("Done completes the step, and the session ends", () => {
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

  it("Cancel waits for the agent to end, then the job is cancelled", () => {
    const { seen, answer, job } = agentAtWork();
    seen(stopped);
    answer("cancel");
    assert.equal(job()?.status, "running");
    seen(exited);
    assert.equal(job()?.status, "cancelled");
  });

  it("Dismiss changes nothing, and the agent may go on by itself", () => {
    const { seen, answer, job, pending } = agentAtWork();
    seen(stopped);
    assert.equal(answer("dismiss").state, "dismissed");
    assert.equal(job()?.status, "waiting");
    seen({ type: "submitted", text: "typed by a person" });
    assert.equal(job()?.status, "running");
    assert.deepEqual(pending(), []);
  });

  it("after Dismiss, resuming the job tells the same agent to go on", () => {
    const { it: w, seen, answer, agent, job } = agentAtWork();
    seen(stopped);
    answer("dismiss");
    const id = job()?.id ?? "";
    w.play((state, moment) => resumeJob(state, { id, by: "ana", message: "Go on." }, moment));
    assert.equal(w.state.agents.size, 1);
    assert.equal(agent().outbox[0]?.text, "Go on.");
    assert.equal(job()?.status, "running");
  });

  it("asks nothing more when its work is over and its session not yet", () => {
    const { seen, pending } = agentAtWork();
    seen({ type: "signalled", signal: "done", message: null, tail });
    seen(stopped);
    assert.deepEqual(pending(), []);
  });

  it("closes its question when somebody types in the terminal first", () => {
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

describe("dead", () => {
  it("asks with the exit code; Retry starts it again on the same conversation with the words", () => {
    const { seen, pending, answer, agent, it: w, decision } = agentAtWork();
    seen({ type: "conversation", conversation: "c-1", transcript: null });
    seen(exited);
    assert.equal(pending()[0]?.source, "dead");
    assert.match(pending()[0]?.title ?? "", /exit code 1/);
    const { id } = answer("retry", { message: "once more" });
    assert.equal(agent().status, "starting");
    assert.equal(agent().incarnation, 2);
    assert.equal(agent().conversation, "c-1");
    assert.deepEqual(due(w.state), ["start-agent"]);
    seen({ type: "spawned", incarnation: 2 });
    seen({ type: "submitted", text: "once more" });
    assert.equal(decision(id).delivery.state, "acknowledged");
  });

  it("Skip completes the step", () => {
    const { seen, answer, job } = agentAtWork();
    seen(exited);
    answer("skip");
    assert.equal(job()?.step, "after");
  });

  it("resumes by itself as often as the runbook allows, then says what was tried", () => {
    const { seen, pending, agent } = agentAtWork({ on_dead: { action: "resume", attempts: 2 } });
    for (const incarnation of [1, 2]) {
      seen({ ...exited, incarnation });
      assert.deepEqual(pending(), []);
      assert.equal(agent().status, "starting");
      seen({ type: "spawned", incarnation: incarnation + 1 });
    }
    seen({ ...exited, incarnation: 3 });
    assert.match(pending()[0]?.context ?? "", /Tried before asking: resume 2 times \(on_dead\)/);
  });

  it("follows the runbook when a person killed it", () => {
    const { it: w, id, seen, pending, agent } = agentAtWork();
    w.play((state, moment) => killAgent(state, { id }, moment));
    assert.deepEqual(due(w.state), ["stop-agent"]);
    seen({ ...exited, code: null, signal: "SIGTERM" });
    assert.equal(pending()[0]?.source, "dead");
    assert.equal(agent().stopping, null);
  });

  it("ignores the late exit of an earlier incarnation", () => {
    const { seen, answer, agent } = agentAtWork();
    seen(exited);
    answer("retry");
    seen({ type: "spawned", incarnation: 2 });
    seen(exited);
    assert.equal(agent().status, "working");
  });

  it("is not brought back by what is told late of it, or by the screen it left", () => {
    const { seen, agent, pending, answer, decision, deliver } = agentAtWork();
    seen(stopped);
    const { id } = answer("nudge", { message: "Add tests" });
    seen(exited);
    const [dead] = pending();
    seen({ type: "prompted", prompt: approval, tail });
    for (const late of [{ type: "worked" } as const, stopped, errored]) seen(late);
    deliver();
    assert.deepEqual([agent().status, agent().prompt], ["exited", null]);
    assert.deepEqual(pending(), [dead]);
    assert.equal(decision(id).delivery.state, "owed", "it is told when it is started again");
    seen({ type: "submitted", text: "Add tests" });
    assert.equal(decision(id).delivery.state, "acknowledged", "it had heard it");
    assert.deepEqual(pending(), [dead]);
  });

  it("keeps an answer that the agent did not live to hear, and tells it in words", () => {
    const { seen, answer, agent } = agentAtWork({ on_dead: { action: "resume" } });
    seen({ type: "prompted", prompt: question, tail });
    answer(null, { choices: [[1]] });
    seen(exited);
    const texts = agent().outbox.map((one) => one.text);
    assert.match(texts[0] ?? "", /Which database\?\n→ Postgres/);
    assert.equal(agent().outbox[0]?.reply, null);
    assert.equal(agent().status, "starting");
  });
});

describe("error", () => {
  it("is its own source with its own options", () => {
    const { seen, pending } = agentAtWork();
    seen(errored);
    assert.equal(pending()[0]?.source, "error");
    assert.deepEqual(
      pending()[0]?.options.map((one) => one.label),
      ["Retry", "Skip", "Cancel", "Dismiss"],
    );
    assert.match(pending()[0]?.context ?? "", /429/);
  });

  it("follows the first entry that matches, waits for the cooldown, and keeps count", () => {
    const {
      seen,
      pending,
      agent,
      it: w,
      id,
    } = agentAtWork({
      on_error: [
        { match: "rate_limited", action: "resume", cooldown_ms: 60_000, attempts: 2 },
        { action: "escalate" },
      ],
    });
    seen(errored);
    assert.equal(agent().outbox.length, 1);
    seen({ type: "submitted", text: agent().outbox[0]?.text ?? "" });
    seen(errored);
    assert.equal(agent().outbox.length, 0);
    assert.ok(agent().cooling);
    assert.deepEqual(due(w.state), ["wake-agent"]);
    w.play((state, moment) => agentCooled(state, { id }, moment));
    assert.equal(agent().outbox.length, 1);
    seen({ type: "submitted", text: agent().outbox[0]?.text ?? "" });
    seen(errored);
    assert.match(pending()[0]?.context ?? "", /Tried before asking: resume 2 times/);
    seen({ ...errored, kind: "unauthorized" });
    assert.equal(pending().length, 1);
  });
});

describe("an agent that fails again and again, for ever and without a cooldown", () => {
  it("rests between its attempts after the tenth, for longer each time", () => {
    const { seen, agent, it: w, id } = agentAtWork({ on_dead: { action: "resume", attempts: "forever" } });
    const dies = () => {
      const { incarnation } = agent();
      seen({ type: "spawned", incarnation });
      seen({ type: "exited", incarnation, code: 1, signal: null, error: null, tail: "" });
    };
    const rests: number[] = [];
    for (let n = 0; n < 18; n++) {
      dies();
      const { cooling, attempts } = agent();
      if (!cooling) continue;
      rests.push((cooling.until_ms - (attempts.on_dead?.at_ms ?? 0)) / 1000);
      w.play((state, moment) => agentCooled(state, { id }, moment));
    }
    assert.deepEqual(rests, [4, 8, 16, 32, 60, 60], "the first two are over before it dies again");
  });
});

describe("approval", () => {
  it("shows the exact action; Approve and Deny answer the dialog and the job goes on either way", () => {
    for (const [key, reply] of [
      ["approve", { type: "approve", message: null }],
      ["deny", { type: "deny", message: null }],
    ] as const) {
      const { seen, pending, answer, agent, job, deliver, decision, it: w } = agentAtWork();
      seen({ type: "prompted", prompt: approval, tail });
      assert.deepEqual(pending()[0]?.action, { tool: "Bash", input: { command: "rm x" }, sha256: "abc" });
      assert.equal(job()?.status, "waiting");
      const { id } = answer(key);
      assert.deepEqual(agent().outbox[0]?.reply, reply);
      assert.equal(job()?.status, "running");
      assert.deepEqual(due(w.state), ["deliver"]);
      deliver();
      seen({ type: "answered", key: "tool-1" });
      assert.equal(decision(id).delivery.state, "acknowledged");
      assert.equal(agent().status, "working");
    }
  });

  it("is closed when it was answered in the terminal", () => {
    const { seen, pending, it: w, job } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    seen({ type: "answered", key: "tool-1" });
    assert.deepEqual(pending(), []);
    assert.equal([...w.state.decisions.values()][0]?.ended?.reason, "answered in the terminal");
    assert.equal(job()?.status, "running");
  });

  it("refused in the terminal, the agent is idle and a person is asked about that", () => {
    const { seen, pending } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    seen({ type: "closed", key: "tool-1", tail });
    assert.deepEqual(
      pending().map((one) => one.source),
      ["idle"],
    );
  });

  it("does not replace a question or a plan that waits", () => {
    const { seen, pending } = agentAtWork();
    seen({ type: "prompted", prompt: question, tail });
    seen({ type: "prompted", prompt: approval, tail });
    assert.deepEqual(
      pending().map((one) => one.source),
      ["question", "approval"],
    );
  });

  it("wants a choice: words alone are neither yes nor no", () => {
    const { seen, answer } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    assert.throws(() => answer(null, { message: "hm" }), { code: "decision.choice-required" });
  });

  it("the same dialog seen twice asks once", () => {
    const { seen, pending } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    seen({ type: "prompted", prompt: approval, tail });
    assert.equal(pending().length, 1);
  });
});

describe("question", () => {
  const one = () => {
    const made = agentAtWork();
    made.seen({ type: "prompted", prompt: question, tail });
    return made;
  };

  it("offers its own options, then Other, Cancel and Dismiss", () => {
    assert.deepEqual(
      one()
        .pending()[0]
        ?.options.map((it) => it.label),
      ["Postgres", "SQLite", "Other", "Cancel", "Dismiss"],
    );
  });

  it("takes a number, Other with text, or a message alone", () => {
    const answers = (more: Parameters<ReturnType<typeof one>["answer"]>[1]) => {
      const made = one();
      made.answer(null, more);
      const [parcel] = made.agent().outbox;
      return parcel?.reply?.type === "answers" ? parcel.reply.answers : null;
    };
    assert.deepEqual(answers({ choices: [[2]] }), [
      { question: "Which database?", labels: ["SQLite"], text: null },
    ]);
    assert.deepEqual(answers({ choices: [[3]], text: "DuckDB" }), [
      { question: "Which database?", labels: [], text: "DuckDB" },
    ]);
    assert.deepEqual(answers({ message: "DuckDB" }), [
      { question: "Which database?", labels: [], text: "DuckDB" },
    ]);
  });

  it("refuses Other without words", () => {
    assert.throws(() => one().answer(null, { choices: [[3]] }), { code: "decision.text-required" });
  });

  it("takes a choice for each of several, with multi-select", () => {
    const { seen, answer, agent, pending } = agentAtWork();
    seen({ type: "prompted", prompt: questions, tail });
    assert.deepEqual(
      pending()[0]?.options.map((it) => it.key),
      ["cancel", "dismiss"],
    );
    assert.throws(() => answer(null, { choices: [[1]] }), { code: "decision.wrong-count" });
    assert.throws(() => answer(null, { choices: [[1], [9]] }), { code: "decision.out-of-range" });
    assert.throws(() => answer(null, { choices: [[1, 2], [1]] }), { code: "decision.wrong-count" });
    answer(null, { choices: [[1], [1, 3]] });
    const [parcel] = agent().outbox;
    assert.deepEqual(parcel?.reply?.type === "answers" && parcel.reply.answers, [
      { question: "Which database?", labels: ["Postgres"], text: null },
      { question: "Which features?", labels: ["Auth", "Export"], text: null },
    ]);
  });
});

describe("plan", () => {
  it("is shown once: what its terminal shows of it is left out of the context", () => {
    const { seen, pending } = agentAtWork();
    const input = { plan: "# Do **it**\n\n1. Now" };
    seen({
      type: "prompted",
      prompt: { ...plan, input },
      tail: "● Ready\n  Here it is:\n   Do it\n   1. Now\n ❯ 1. Yes",
    });
    assert.match(pending()[0]?.context ?? "", /The last lines of its output:\n> ● Ready\n> {3}Here it is:$/);
  });

  it("is accepted in each mode, or sent back with what to change", () => {
    for (const mode of ["clear", "auto", "manual"] as const) {
      const { seen, answer, agent } = agentAtWork();
      seen({ type: "prompted", prompt: plan, tail });
      answer(`accept-${mode}`);
      assert.deepEqual(agent().outbox[0]?.reply, { type: "accept", mode, message: null });
    }
    const { seen, answer, agent, pending } = agentAtWork();
    seen({ type: "prompted", prompt: plan, tail });
    const [asked] = pending();
    assert.deepEqual([asked?.title, asked?.action?.input], ["Plan: Do it", plan.input]);
    assert.throws(() => answer(null, { choices: [[4]] }), { code: "decision.text-required" });
    answer("revise", { message: "Add tests" });
    assert.deepEqual(agent().outbox[0]?.reply, { type: "revise", message: "Add tests" });
  });
});

describe("an answer that is under way", () => {
  it("has arrived when the context was cleared for the plan", () => {
    const { seen, answer, agent, decision } = agentAtWork();
    seen({ type: "conversation", conversation: "one", transcript: null });
    seen({ type: "prompted", prompt: plan, tail });
    const { id } = answer("accept-clear");
    seen({ type: "conversation", conversation: "two", transcript: null });
    assert.equal(decision(id).delivery.state, "acknowledged");
    assert.equal(agent().status, "working");
  });

  it("has failed when the agent's work is over before it is there, and says so", () => {
    const { seen, answer, decision } = agentAtWork();
    seen(stopped);
    const { id } = answer("nudge");
    seen({ type: "signalled", signal: "fail", message: null, tail });
    assert.equal(decision(id).delivery.state, "failed");
    assert.match(decision(id).delivery.error ?? "", /over before/);
  });
});

describe("several things for one agent", () => {
  it("an answer to its dialog does not wait for words that came before", () => {
    const { it: w, id, seen, answer } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    w.play((state, moment) => {
      const draft = draftOn(state, moment);
      owe(draft, id, { decision_id: null, prompt_key: null, reply: null, text: "By the way" });
      return draft.facts;
    });
    answer("approve");
    const [effect] = owed(w.state);
    assert.deepEqual(effect?.type === "deliver" && effect.parcel.reply, { type: "approve", message: null });
  });

  it("all that it was started with arrives with its first prompt", () => {
    const { it: w, id, seen, agent } = agentAtWork();
    w.play((state, moment) => {
      const draft = draftOn(state, moment);
      for (const text of ["First.", "Second, and\nmore."]) {
        owe(draft, id, { decision_id: null, prompt_key: null, reply: null, text });
        parcelDelivered(draft, id, draft.agent(id).outbox.at(-1)?.id ?? "");
      }
      return draft.facts;
    });
    assert.equal(agent().outbox.length, 2);
    seen({ type: "submitted", text: "Build it\n\nFirst.\n\nSecond, and more." });
    assert.deepEqual(agent().outbox, []);
  });

  it("the next dialog proves nothing about the one before: they may be open at once", () => {
    const { seen, answer, deliver, decision, agent } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    const { id } = answer("approve");
    deliver();
    seen({ type: "prompted", prompt: { ...approval, key: "tool-9" }, tail });
    assert.equal(decision(id).delivery.state, "delivered");
    seen({ type: "answered", key: approval.key });
    assert.equal(decision(id).delivery.state, "acknowledged");
    assert.equal(agent().prompt?.key, "tool-9");
  });
});

describe("a client that prints and ends with its turn", () => {
  const prints = { run: "claude -p" };

  it("is done when it ends well, and asks nothing when its turn ends", () => {
    const { seen, pending, job } = agentAtWork(prints);
    seen(stopped);
    assert.deepEqual(pending(), []);
    seen({ ...exited, code: 0 });
    assert.equal(job()?.step, "after");
    assert.deepEqual(pending(), []);
  });

  it("goes through its gate when it ends well, and is started again with what that said", () => {
    const { it: w, id, seen, agent } = agentAtWork({ ...prints, on_signal: { action: "gate", run: "make" } });
    seen(stopped);
    seen({ ...exited, code: 0 });
    assert.deepEqual(due(w.state), ["run-gate"]);
    const run_id = agent().gate?.run_id ?? "";
    const outcome = { exit_code: 2, error: null, output: "no rule", prime: "", tail };
    w.play((state, moment) => agentGateEnded(state, { id, run_id, ...outcome }, moment));
    assert.deepEqual(due(w.state), ["start-agent"]);
    assert.match(agent().outbox[0]?.text ?? "", /no rule/);
  });

  it("asks about its error once it has ended, and about its death when there was none", () => {
    const one = agentAtWork(prints);
    one.seen(errored);
    assert.deepEqual(one.pending(), []);
    one.seen(exited);
    assert.deepEqual(
      one.pending().map((it) => [it.source, it.title]),
      [["error", "rate_limited: 429"]],
    );
    const other = agentAtWork(prints);
    other.seen(exited);
    assert.deepEqual(
      other.pending().map((it) => it.source),
      ["dead"],
    );
  });
});

describe("a signal", () => {
  const done = { type: "signalled", signal: "done", message: null, tail } as const;

  it("done completes the step unless the runbook says otherwise", () => {
    const { seen, job } = agentAtWork();
    seen(done);
    assert.equal(job()?.step, "after");
  });

  it("what was asked during a turn stands when the turn ends", () => {
    const { seen, pending, agent } = agentAtWork();
    seen({ type: "signalled", signal: "escalate", message: "Which API?", tail });
    const [decision] = pending();
    seen(stopped);
    assert.deepEqual(pending(), [decision]);
    assert.match(decision?.context ?? "", /Which API\?/);
    assert.equal(agent().status, "idle");
    seen({ type: "submitted", text: "v2" });
    seen(stopped);
    assert.notEqual(pending()[0]?.id, decision?.id);
  });

  it("fail fails the step, escalate asks a person", () => {
    const one = agentAtWork();
    one.seen({ ...done, signal: "fail", message: "can't" });
    assert.equal(one.job()?.error, "can't");
    const other = agentAtWork();
    other.seen({ ...done, signal: "escalate", message: "which way?" });
    assert.match(other.pending()[0]?.context ?? "", /which way\?/);
  });
});

describe("a crew", () => {
  it("has the same decisions; Done ends it, Cancel cancels it", () => {
    const one = crewAtWork();
    one.seen(stopped);
    assert.equal(one.crew()?.status, "waiting");
    assert.equal(one.pending()[0]?.owner.kind, "crew");
    one.answer("nudge");
    assert.equal(one.crew()?.status, "running");
    one.seen({ type: "submitted", text: one.agent().outbox[0]?.text ?? "" });
    one.seen(stopped);
    one.answer("done");
    assert.equal(one.crew()?.status, "completed");
    const other = crewAtWork();
    other.seen(exited);
    other.answer("cancel");
    assert.equal(other.crew()?.status, "cancelled");
    assert.equal(other.agent().status, "ended");
  });
});

describe("a job that is cancelled from outside", () => {
  it("withdraws the agent's question and ends its session first", () => {
    const { it: w, seen, job, pending } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    w.play((state, moment) => cancelJob(state, { id: job()?.id ?? "", by: "ana", reason: null }, moment));
    assert.deepEqual(pending(), []);
    assert.deepEqual(due(w.state), ["stop-agent"]);
    seen(exited);
    assert.equal(job()?.status, "cancelled");
  });
});

it("replay gives the same state, byte for byte", () => {
  const { it: w, seen, answer } = agentAtWork({ on_idle: { action: "nudge", attempts: 1 } });
  seen(stopped);
  seen({ type: "submitted", text: "x" });
  seen({ type: "prompted", prompt: questions, tail });
  answer(null, { choices: [[1], [1, 2]] });
  seen(exited);
  assert.equal(encodeState(replay(JSON.parse(JSON.stringify(w.events)))), encodeState(w.state));
});
