import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  agentAtWork,
  approval,
  crewAtWork,
  errored,
  exited,
  prompted,
  stopped,
  tail,
} from "../../../test/fakes/agents.ts";

const asking = { ...stopped, last_message: "Two ways work. Which one do you want?" };
const signal = (signal: "done" | "escalate", message: string | null) =>
  ({ type: "signalled", signal, message, tail }) as const;

const offered = (world: ReturnType<typeof agentAtWork>) =>
  world.pending()[0]?.options.map((it) => `${it.label}${it.recommended ? "★" : ""}`);

describe.each([
  ["job", agentAtWork],
  ["crew", crewAtWork],
] as const)("what a person is offered about the agent of a %s", (_, made) => {
  it.each([
    ["merely stopped", stopped, ["Nudge★", "Done", "Cancel", "Dismiss"]],
    ["stopped with a question", asking, ["Reply★", "Done", "Cancel", "Dismiss"]],
    ["says it is done", signal("done", null), ["Nudge", "Done★", "Cancel", "Dismiss"]],
    ["asks for a person", signal("escalate", "help"), ["Nudge★", "Done", "Cancel", "Dismiss"]],
    ["asks a person", signal("escalate", "Which one?"), ["Reply★", "Done", "Cancel", "Dismiss"]],
    ["died", exited, ["Retry★", "Skip", "Cancel", "Dismiss"]],
    ["met an error", errored, ["Retry★", "Skip", "Cancel", "Dismiss"]],
  ])("if it %s", (_, seen, options) => {
    const world = made({ on_signal: { action: "escalate" } });
    world.seen(seen);
    assert.deepEqual(offered(world), options);
  });

  it.each([
    ["Reply, with a message", "reply", { message: "The first." }],
    ["Reply, in words of one's own", "reply", { text: "The first." }],
    ["a message alone", null, { message: "The first." }],
    ["words alone", null, { text: "The first." }],
  ] as const)("is told %s, and its prompt with these words is the receipt", (_, key, words) => {
    const { seen, answer, deliver, decision, agent, pending } = made();
    seen(asking);
    const { id } = answer(key, words);
    assert.equal(deliver().text, "The first.");
    assert.equal(decision(id).delivery.state, "delivered");
    seen({ type: "submitted", text: "The first." });
    assert.deepEqual(
      [decision(id).delivery.state, agent().status, pending()],
      ["acknowledged", "working", []],
    );
  });

  it("is told the words after it died in between, when it is started again", () => {
    const { seen, answer, deliver, decision } = made();
    seen(asking);
    const { id } = answer("reply", { message: "The first." });
    seen(exited);
    answer("retry");
    seen({ type: "spawned", incarnation: 2 });
    assert.equal(deliver(true).text, "The first.");
    seen({ type: "worked" });
    seen({ type: "submitted", text: "Build it\n\nThe first." });
    assert.equal(decision(id).delivery.state, "acknowledged");
  });
});

describe("Reply", () => {
  it.each([["reply"], [null]])("needs words, by key or by number: %s", (key) => {
    const { seen, answer } = agentAtWork();
    seen(asking);
    assert.throws(() => answer(key, key === null ? { choices: [[1]] } : {}), {
      code: "decision.text-required",
      hint: /^oj decision resolve \S+ 1 -m "…"$/,
    });
  });

  it("does not take the place of a dialog's own options", () => {
    const { seen, pending } = agentAtWork();
    seen(prompted(approval, { last_message: "Shall I?" }));
    assert.deepEqual(
      pending()[0]?.options.map((it) => it.key),
      ["approve", "deny", "cancel", "dismiss"],
    );
  });

  it("is in the title with the question", () => {
    const { seen, pending } = agentAtWork();
    seen({
      ...asking,
      last_message: "I read it all.\n\nWhich one do you want?\n\n1. The old one\n2. The new one",
    });
    assert.equal(pending()[0]?.title, "Stopped: Which one do you want?");
  });
});
