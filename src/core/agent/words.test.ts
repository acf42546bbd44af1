import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  agentAtWork,
  approval,
  errored,
  exited,
  plan,
  prompted,
  question,
  questions,
  stopped,
  tail,
} from "../../../test/fakes/agents.ts";
import { draftOn } from "../model/state/draft.ts";
import { replyDelivered, replyTaken } from "../outbox/parcel.ts";
import { agentGateEnded } from "./agent.ts";

type World = ReturnType<typeof agentAtWork>;

/** What a person made of `approval`. */
const CHANGED = { command: "rm y" };
const last_message = "I was about to push.";
const asks = (prompt: typeof approval) => (w: World) => w.seen(prompted(prompt, { last_message }));

/** How each source comes about, and what a Retry tells the agent about it. */
const SOURCES: Record<string, { begins: (w: World) => unknown; failure: string | null }> = {
  idle: { begins: (w) => w.seen({ ...stopped, last_message }), failure: null },
  dead: {
    begins: (w) => w.seen({ ...exited, last_message }),
    failure: "You were interrupted: your process died (exit code 1).",
  },
  error: {
    begins: (w) => w.seen({ ...errored, last_message }),
    failure: "An error interrupted you: 429",
  },
  gate: {
    begins: failedGate,
    failure: "A check failed:\n\n$ npm test\nexit code 1\n\nnot ok 1\n\n1 of 7 failed",
  },
  approval: { begins: asks(approval), failure: null },
  question: { begins: asks(question), failure: null },
  plan: { begins: asks(plan), failure: null },
};

function failedGate(w: World): void {
  w.seen({ type: "signalled", signal: "done", message: null, tail });
  const run_id = w.agent().gate?.run_id ?? "";
  const error = "exit code 1\nnot ok 1";
  const ended = {
    id: w.id,
    run_id,
    exit_code: 1,
    error,
    output: "1 of 7 failed",
    prime: "",
    tail,
    last_message,
  };
  w.it.play((state, moment) => agentGateEnded(state, ended, moment));
}

const GATED = { on_signal: { action: "gate", run: "npm test", attempts: 0 } } as const;

describe("a question about an agent", () => {
  it.each(Object.keys(SOURCES))("includes its last message and its last lines (%s)", (source) => {
    const w = agentAtWork(GATED);
    SOURCES[source]?.begins(w);
    const [decision] = w.pending();
    assert.equal(decision?.source, source);
    assert.match(decision?.context ?? "", /^Its last message:\n> I was about to push\.$/m);
    assert.match(decision?.context ?? "", /^The last lines of its output:\n> line 1\n> line 2$/m);
  });

  it("includes what it said in an earlier turn if nothing newer is known", () => {
    const w = agentAtWork();
    w.seen(stopped);
    w.answer("nudge");
    w.seen({ type: "submitted", text: "x" });
    w.seen(prompted(approval, { last_message: "" }));
    assert.match(w.pending()[0]?.context ?? "", /Its last message:\n> I think I am finished\./);
  });

  it("includes the questions that it asks", () => {
    const w = agentAtWork();
    asks(questions)(w);
    assert.match(
      w.pending()[0]?.context ?? "",
      /^What it asks:\n> \[DB\] Which database\?\n> Which features\?$/m,
    );
  });
});

describe("a retry", () => {
  const heard = (source: string, message?: string): string => {
    const w = agentAtWork(GATED);
    SOURCES[source]?.begins(w);
    w.answer(source === "idle" ? "nudge" : "retry", message === undefined ? {} : { message });
    return w.agent().outbox[0]?.text ?? "";
  };

  it.each(["idle", "dead", "error", "gate"])("passes on what failed, and the person's message (%s)", (it) => {
    const { failure } = SOURCES[it] ?? { failure: null };
    assert.equal(
      heard(it, "Mind the tests."),
      [failure, "Mind the tests."].filter((one) => one).join("\n\n"),
    );
  });

  it.each(["dead", "error", "gate"])("passes on only what failed, not the whole card (%s)", (it) => {
    const words = heard(it);
    assert.ok(words.startsWith(`${SOURCES[it]?.failure}\n\nPlease `), words);
    assert.doesNotMatch(words, /Agent builder|last lines|last message/);
  });
});

describe("a message with an answer that ends or leaves the work", () => {
  it.each([
    ["idle", "done"],
    ["error", "skip"],
    ["dead", "skip"],
    ["gate", "skip"],
  ])("is not reported as heard (%s, %s)", (source, key) => {
    const ends = (message?: string) => {
      const w = agentAtWork(GATED);
      SOURCES[source]?.begins(w);
      const { id } = w.answer(key, message === undefined ? {} : { message });
      assert.equal(w.job()?.step, "after");
      return w.decision(id).delivery;
    };
    assert.equal(ends().state, "acknowledged");
    const { state, error } = ends("Well done.");
    assert.deepEqual([state, error], ["failed", "the agent's work is over: it did not get the message"]);
  });

  it.each(["idle", "dead", "error", "approval", "question"])(
    "is reported as not heard after a dismissal (%s)",
    (source) => {
      const left = (message?: string) => {
        const w = agentAtWork();
        SOURCES[source]?.begins(w);
        const { id } = w.answer("dismiss", message === undefined ? {} : { message });
        assert.deepEqual(w.agent().outbox, []);
        return w.decision(id).delivery;
      };
      assert.equal(left().state, "none");
      const { state, error } = left("Later.");
      assert.deepEqual([state, error], ["failed", "dismissed: the agent did not get the message"]);
    },
  );

  it.each(Object.keys(SOURCES))("is the reason of a cancellation (%s)", (source) => {
    const w = agentAtWork(GATED);
    SOURCES[source]?.begins(w);
    const { id } = w.answer("cancel", { message: "Not needed any more." });
    assert.equal(w.job()?.reason ?? w.job()?.cancelling?.reason, "Not needed any more.");
    assert.equal(w.decision(id).delivery.state, "acknowledged");
  });
});

describe("a message with an answer whose dialog has no place for it", () => {
  const CASES: [string, typeof approval, string][] = [
    ["approve", approval, "the tool ran"],
    ["accept-clear", plan, "the context was cleared"],
    ["accept-auto", plan, "the tool ran"],
    ["accept-manual", plan, "the tool ran"],
  ];

  it.each(CASES)("is owed until it was heard (%s)", (key, prompt, how) => {
    const w = agentAtWork();
    w.seen({ type: "conversation", conversation: "one", transcript: null });
    asks(prompt)(w);
    const { id } = w.answer(key, { message: "Then test it." });
    w.deliver();
    if (how === "the tool ran") w.seen({ type: "answered", key: prompt.key, ran: true });
    else w.seen({ type: "conversation", conversation: "two", transcript: null });
    assert.equal(w.agent().status, "working");
    assert.equal(w.decision(id).delivery.state, "delivered");
    const [parcel] = w.agent().outbox;
    assert.deepEqual(
      [parcel?.text, parcel?.reply, parcel?.beside, parcel?.state],
      ["The user adds: Then test it.", null, prompt.key, "owed"],
    );
    w.deliver(true);
    assert.equal(w.decision(id).delivery.state, "delivered");
    w.seen({ type: "heard" });
    assert.equal(w.decision(id).delivery.state, "acknowledged");
    assert.deepEqual(w.agent().outbox, []);
  });

  it("is not considered delivered with the answer if its tool ran before that was noted", () => {
    const w = agentAtWork();
    asks(approval)(w);
    const { id } = w.answer("approve", { message: "Then test it." });
    w.seen({ type: "answered", key: approval.key, ran: true });
    w.it.play((state, moment) => {
      const draft = draftOn(state, moment);
      replyDelivered(draft, w.id, id);
      replyTaken(draft, w.id, id);
      return draft.facts;
    });
    assert.deepEqual(
      w.agent().outbox.map((it) => [it.text, it.state]),
      [["The user adds: Then test it.", "owed"]],
    );
  });

  it("is said when the agent stops if no hook could pass it on", () => {
    const w = agentAtWork({ on_idle: { action: "done" } });
    asks(approval)(w);
    const { id } = w.answer("approve", { message: "Then test it." });
    w.deliver();
    w.seen(stopped);
    assert.equal(w.job()?.step, "build", "it is not done: it has to hear something");
    w.seen({ type: "submitted", text: w.deliver().text });
    assert.equal(w.decision(id).delivery.state, "acknowledged");
    w.seen(stopped);
    assert.equal(w.job()?.step, "after");
  });

  it.each([
    [{ message: "Then test it." }, /^only the message with it: the answer itself arrived/],
    [{ input: CHANGED }, /^only the word that a person changed it: the change itself arrived/],
    [{ input: CHANGED, message: "Then test it." }, /^only the message with it: the answer itself arrived/],
  ])(
    "is not heard by an agent whose work is over first; that is said, and that the answer arrived (%o)",
    (more, error) => {
      const w = agentAtWork();
      asks(approval)(w);
      const { id } = w.answer("approve", more);
      w.deliver();
      w.seen({ type: "answered", key: approval.key, ran: true });
      w.seen({ type: "signalled", signal: "fail", message: null, tail });
      const { delivery } = w.decision(id);
      assert.equal(delivery.state, "failed");
      assert.match(delivery.error ?? "", error);
    },
  );

  it("reaches an agent that died in the meantime when it comes back", () => {
    const w = agentAtWork();
    asks(approval)(w);
    const { id } = w.answer("approve", { message: "Then test it." });
    w.deliver();
    w.seen({ type: "answered", key: approval.key, ran: true });
    w.deliver(true);
    w.seen(exited);
    w.answer("retry");
    const texts = w.agent().outbox.map((it) => it.text);
    assert.equal(texts[0], "The user adds: Then test it.");
    w.seen({ type: "spawned", incarnation: 2 });
    for (const text of texts) w.seen({ type: "submitted", text });
    assert.equal(w.decision(id).delivery.state, "acknowledged");
  });

  it("goes along with free text", () => {
    const w = agentAtWork();
    w.seen(stopped);
    w.answer("nudge", { text: "First this.", message: "Then that." });
    assert.equal(w.agent().outbox[0]?.text, "First this.\n\nThen that.");
  });

  it("is a note to the choice if no Other asks for text", () => {
    const w = agentAtWork();
    asks(questions)(w);
    w.answer(null, { choices: [[1], [1, 3]], text: "v16" });
    const [parcel] = w.agent().outbox;
    assert.deepEqual(parcel?.reply, {
      type: "answers",
      answers: [
        { question: "Which database?", labels: ["Postgres"], text: null, note: "v16" },
        { question: "Which features?", labels: ["Auth", "Export"], text: null },
      ],
      message: null,
    });
    assert.match(parcel?.text ?? "", /Which database\?\n→ Postgres, v16\n/);
  });
});
