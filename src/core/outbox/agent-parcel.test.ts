import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, approval, plan, question, stopped, tail } from "../../../test/fakes/agents.ts";
import type { CallEnd } from "../agent/dialog.ts";
import { draftOn } from "../model/state/draft.ts";
import { owed } from "../owed.ts";
import { owe, parcelDelivered } from "./parcel.ts";

describe("an answer on its way", () => {
  it("has arrived once the context was cleared for the plan", () => {
    const { seen, answer, agent, decision } = agentAtWork();
    seen({ type: "conversation", conversation: "one", transcript: null });
    seen({ type: "prompted", prompt: plan, tail });
    const { id } = answer("accept-clear");
    seen({ type: "conversation", conversation: "two", transcript: null });
    assert.equal(decision(id).delivery.state, "acknowledged");
    assert.equal(agent().status, "working");
  });

  it("has failed if the agent's work is over before it arrives, and says so", () => {
    const { seen, answer, decision } = agentAtWork();
    seen(stopped);
    const { id } = answer("nudge");
    seen({ type: "signalled", signal: "fail", message: null, tail });
    assert.equal(decision(id).delivery.state, "failed");
    assert.match(decision(id).delivery.error ?? "", /over before it got this/);
  });
});

describe("an answer to a dialog that was also answered in the terminal", () => {
  const FIRST = "the dialog was answered in the terminal first";
  const deliveryAfter = (key: "approve" | "deny", end: CallEnd, isSent: boolean) => {
    const { seen, answer, deliver, decision, agent } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    const { id } = answer(key);
    if (isSent) deliver();
    seen({ type: "answered", key: approval.key, ...end });
    assert.deepEqual(agent().outbox, []);
    assert.equal(agent().status, "working");
    return decision(id).delivery;
  };

  it.each([true, false])("did not arrive if it says no and the tool ran (sent: %s)", (isSent) => {
    const { state, error } = deliveryAfter("deny", { ran: true }, isSent);
    assert.deepEqual([state, error], ["failed", FIRST]);
    assert.equal(deliveryAfter("deny", {}, isSent).state, "acknowledged");
    assert.equal(deliveryAfter("approve", { ran: true }, isSent).state, "acknowledged");
  });

  it("did not arrive if it says no and the tool failed with words of its own", () => {
    const given = (message: string | null, result: string) => {
      const { seen, answer, deliver, decision } = agentAtWork();
      seen({ type: "prompted", prompt: approval, tail });
      const { id } = answer("deny", message === null ? {} : { message });
      deliver();
      seen({ type: "answered", key: approval.key, result });
      return decision(id).delivery.state;
    };
    assert.equal(given("Not here.\n", "Not here."), "acknowledged");
    assert.equal(given("Not here.", "Exit code 1\nmake: nothing to do"), "failed");
    assert.equal(given(null, "Exit code 1"), "failed");
    const long = "No. ".repeat(1000);
    assert.equal(given(long, long.slice(0, 300)), "acknowledged");
  });

  it("did not arrive if the question got another answer", () => {
    const got = (given: string) => {
      const { seen, answer: choose, decision } = agentAtWork();
      seen({ type: "prompted", prompt: question, tail });
      const { id } = choose(null, { choices: [[2]] });
      seen({ type: "answered", key: question.key, ran: true, answers: { "Which database?": given } });
      return decision(id).delivery.state;
    };
    assert.deepEqual(["Postgres", "SQLite", "SQLite · as a file"].map(got), [
      "failed",
      "acknowledged",
      "acknowledged",
    ]);
  });

  it("did not arrive if the dialog was gone before a key was pressed", () => {
    const { seen, answer, decision, agent } = agentAtWork();
    seen({ type: "prompted", prompt: approval, tail });
    const { id } = answer("approve");
    seen({ type: "missed", key: approval.key });
    assert.deepEqual([decision(id).delivery.state, decision(id).delivery.error], ["failed", FIRST]);
    assert.deepEqual([agent().status, agent().outbox], ["working", []]);
    seen({ type: "missed", key: approval.key });
    assert.equal(agent().status, "working");
  });
});

describe("several deliveries to one agent", () => {
  it("are independent: an answer to its dialog does not wait for an earlier message", () => {
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

  it("all arrive with its first prompt if it was started with them", () => {
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

  it("are not confirmed by the next dialog, since two may be open at once", () => {
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
