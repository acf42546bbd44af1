import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  agentAtWork,
  approval,
  due,
  plan,
  question,
  questions,
  stopped,
  tail,
} from "../../../test/fakes/agents.ts";
import { saying } from "../outbox/delivery.ts";

describe("an approval", () => {
  it("shows the exact action; Approve and Deny answer the dialog, and the job goes on either way", () => {
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

  it.each([
    ["deny", "failed", /^it is not known whether the answer arrived/],
    ["approve", "failed", /^it is not known whether the answer arrived/],
  ])(
    "whose call never ended, though the agent went on, did not get a %s as far as is known",
    (key, state, error) => {
      const { seen, answer, deliver, decision } = agentAtWork();
      seen({ type: "prompted", prompt: approval, tail });
      const { id } = answer(key);
      deliver();
      seen({ type: "answered", key: "tool-1", unended: true });
      assert.equal(decision(id).delivery.state, state);
      assert.match(decision(id).delivery.error ?? "", error);
    },
  );

  it("closes when it is answered in the terminal", () => {
    const { seen, pending, it: w, job } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    seen({ type: "answered", key: "tool-1" });
    assert.deepEqual(pending(), []);
    assert.equal([...w.state.decisions.values()][0]?.ended?.reason, "answered in the terminal");
    assert.equal(job()?.status, "running");
  });

  it("that is refused in the terminal leaves the agent idle, and a person is asked about that", () => {
    const { seen, pending } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    seen({ type: "closed", key: "tool-1", tail });
    assert.deepEqual(
      pending().map((one) => one.source),
      ["idle"],
    );
  });

  it("does not replace a pending question or plan", () => {
    const { seen, pending } = agentAtWork();
    seen({ type: "prompted", prompt: question, tail });
    seen({ type: "prompted", prompt: approval, tail });
    assert.deepEqual(
      pending().map((one) => one.source),
      ["question", "approval"],
    );
  });

  it("needs a choice: a message alone is neither yes nor no", () => {
    const { seen, answer } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    assert.throws(() => answer(null, { message: "hm" }), { code: "decision.choice-required" });
  });

  it("is asked once, even if the same dialog is seen twice", () => {
    const { seen, pending } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    seen({ type: "prompted", prompt: approval, tail });
    assert.equal(pending().length, 1);
  });
});

describe("a question", () => {
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

  it("refuses Other without text", () => {
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

describe("a plan", () => {
  it("is shown once: the copy on its screen is left out of the context", () => {
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

it("an approval that somebody refused in its dialog did not get a Yes that went out too late", () => {
  const { seen, answer, deliver, decision } = agentAtWork();
  seen({ type: "prompted", prompt: approval, tail });
  const { id } = answer("approve");
  deliver();
  seen({ type: "answered", key: approval.key, refused: true, rejected: true });
  assert.equal(decision(id).delivery.state, "failed");
});

describe("a No with a reason, where somebody in the terminal says No too", () => {
  it.each([
    ["with a reason of their own", { refused: true, rejected: true, result: "Not that one." }, "failed"],
    ["with Esc", { refused: true }, "failed"],
    [
      "and it was our keys, which wrote it in one line",
      { refused: true, rejected: true, result: "Too slow." },
      "acknowledged",
    ],
  ] as const)("is heard only if its reason is (%s)", (_, end, state) => {
    for (const [prompt, option] of [
      [approval, "deny"],
      [plan, "revise"],
    ] as const) {
      const { seen, answer, decision } = agentAtWork();
      seen({ type: "prompted", prompt, tail });
      const { id } = answer(option, { message: "Too\n  slow." });
      seen({ type: "answered", key: prompt.key, ...end });
      assert.equal(decision(id).delivery.state, state);
    }
  });

  it("is one No if ours has no reason", () => {
    const { seen, answer, decision } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    const { id } = answer("deny");
    seen({ type: "answered", key: approval.key, refused: true, rejected: true, result: "Not that one." });
    assert.equal(decision(id).delivery.state, "acknowledged");
  });
});

it.each([
  ["Postgres", "acknowledged"],
  ["SQLite", "failed"],
])("a question whose result says %s, where only that is reported, got that answer", (got, state) => {
  const { seen, answer, decision } = agentAtWork();
  seen({ type: "prompted", prompt: question, tail });
  const { id } = answer("1");
  const result = `Your questions have been answered: "Which database?"="${got}".`;
  seen({ type: "answered", key: question.key, result });
  assert.equal(decision(id).delivery.state, state);
});

it("an answer that is said in words, as its dialog is gone, is not received by another prompt", () => {
  const { it: w, id, seen, answer, decision, deliver, agent } = agentAtWork();
  seen({ type: "prompted", prompt: approval, tail });
  const { id: parcel_id } = answer("approve");
  seen(stopped);
  w.play((state, moment) => saying(state, { id, incarnation: 1, parcel_id, shown: 0 }, moment));
  deliver();
  for (const what of [{ type: "submitted", text: "Do something else." } as const, stopped]) {
    seen(what);
    assert.equal(decision(parcel_id).delivery.state, "delivered");
  }
  seen({ type: "submitted", text: agent().outbox[0]?.text ?? "" });
  assert.equal(decision(parcel_id).delivery.state, "acknowledged");
});

describe("a dialog that was refused in the terminal after our answer went out", () => {
  it.each([
    ["a question: our answer was lost", question, "failed"],
    ["a plan: our answer was lost", plan, "failed"],
    ["a call: it may have been interrupted while it ran with our answer", approval, "acknowledged"],
  ] as const)("is %s", (_, prompt, state) => {
    const { seen, pending, answer, deliver, decision } = agentAtWork();
    seen({ type: "prompted", prompt, tail });
    const { id } = answer(pending()[0]?.options[0]?.key ?? "");
    deliver();
    seen({ type: "answered", key: prompt.key, refused: true });
    assert.equal(decision(id).delivery.state, state);
  });
});

describe("a dialog that is gone, and nothing tells how it ended", () => {
  it.each([
    ["had not gone out: nobody can say that it was heard", "owed", "failed"],
    ["had gone out: that is what it got", "delivered", "acknowledged"],
  ] as const)("when our answer %s", (_, state, expected) => {
    for (const prompt of [approval, question, plan]) {
      const { seen, pending, answer, deliver, decision, agent } = agentAtWork();
      seen({ type: "prompted", prompt, tail });
      const { id } = answer(pending()[0]?.options[0]?.key ?? "");
      if (state === "delivered") deliver();
      seen({ type: "answered", key: prompt.key, unseen: true });
      assert.equal(decision(id).delivery.state, expected, prompt.kind);
      assert.equal(agent().status, "working");
    }
  });
});

it("a plan that was accepted with a cleared context in the terminal was not sent back by us", () => {
  for (const [key, message, state] of [
    ["revise", "Add tests", "failed"],
    ["clear", null, "acknowledged"],
  ] as const) {
    const { seen, pending, answer, deliver, decision } = agentAtWork();
    seen({ type: "prompted", prompt: plan, tail });
    const option = pending()[0]?.options.find((it) => it.key.includes(key)) ?? assert.fail(key);
    const { id } = answer(option.key, message === null ? {} : { message });
    deliver();
    seen({ type: "conversation", conversation: "another", transcript: null });
    assert.equal(decision(id).delivery.state, state, key);
  }
});
