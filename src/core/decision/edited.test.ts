import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  agentAtWork,
  approval,
  crewAtWork,
  due,
  exited,
  plan,
  prompted,
  question,
  stopped,
} from "../../../test/fakes/agents.ts";
import { changeLost, dialogAnswered } from "../agent/dialog.ts";
import type { Prompt } from "../model/agent-types.ts";
import { canonical, sha256 } from "../text/hash.ts";

const asked: Prompt = {
  ...approval,
  input: { command: "rm -rf build", description: "Clean up" },
  sha256: sha256(canonical({ tool: "Bash", input: { command: "rm -rf build", description: "Clean up" } })),
};
const input = { command: "ls build", description: "Clean up" };
const hash = sha256(canonical({ tool: "Bash", input }));
const ran = (ran_sha256?: string) =>
  ({ type: "answered", key: asked.key, ran: true, ...(ran_sha256 ? { ran_sha256 } : {}) }) as const;
const keys: Prompt = { ...asked, key: "shown:1", choices: [{ label: "Yes", keys: "1" }] };

function changed(more: { message?: string } = {}, made = agentAtWork) {
  const world = made();
  world.seen(prompted(asked));
  const { id } = world.answer("approve", { input, ...more });
  const sent = () =>
    world.it.play((state, moment) =>
      dialogAnswered(state, { id: world.id, parcel_id: id, taken: false }, moment),
    );
  return { ...world, sent, now: () => world.decision(id) };
}

describe.each([agentAtWork, crewAtWork])("an approval with a change: %#", (made) => {
  it("records both, and owes the agent the changed input and why it differs", () => {
    const { now, agent } = changed({}, made);
    assert.deepEqual(now().action?.input, asked.input);
    assert.deepEqual([now().answer?.input, now().answer?.input_sha256], [input, hash]);
    const told = "A person changed the command before it ran: ls build";
    assert.deepEqual(agent().outbox[0]?.reply, { type: "approve", message: null, edit: { input, told } });
  });

  it.each([
    [{}, "A person changed the command before it ran: ls build"],
    [
      { message: "Just look." },
      "A person changed the command before it ran: ls build\n\nThe user adds: Just look.",
    ],
  ])("is followed by words with the tool's result: %j", (more, text) => {
    const { seen, sent, agent, now, deliver } = changed(more, made);
    sent();
    seen(ran(hash));
    const [parcel] = agent().outbox;
    assert.deepEqual([parcel?.text, parcel?.beside, parcel?.reply], [text, asked.key, null]);
    deliver(true);
    seen({ type: "heard" });
    assert.deepEqual([now().delivery.state, agent().outbox], ["acknowledged", []]);
  });

  it.each([
    ["sent, and it ran as changed", true, ran(hash), "delivered"],
    ["sent, and it ran; nobody knows as what", true, ran(), "delivered"],
    ["sent, but it ran as it was asked about", true, ran(asked.sha256), "failed"],
    ["not known to be sent, and it ran as changed", false, ran(hash), "delivered"],
    ["not sent, and it ran as it was asked about", false, ran(asked.sha256), "failed"],
    ["not sent, and it ran; nobody knows as what", false, ran(), "failed"],
    ["not sent, and it was refused in the terminal", false, { ...ran(), refused: true } as const, "failed"],
  ])("that was %s: %s", (_, isSent, end, state) => {
    const { seen, sent, now } = changed({}, made);
    if (isSent) sent();
    seen(end);
    assert.equal(now().delivery.state, state);
  });

  it("that may or may not have arrived says so", () => {
    const { seen, now } = changed({}, made);
    seen(ran());
    assert.match(now().delivery.error ?? "", /^it is not known whether the change arrived/);
  });

  it("whose hook is gone fails, and the same dialog is asked about again", () => {
    const { it: w, id, agent, now, pending, answer } = changed({}, made);
    w.play((state, moment) => changeLost(state, { id, key: asked.key }, moment));
    assert.match(now().delivery.error ?? "", /nothing was approved$/);
    assert.deepEqual([now().delivery.state, agent().outbox, pending().length], ["failed", [], 1]);
    const [again] = pending();
    assert.deepEqual([again?.prompt_key, again?.action?.input], [asked.key, asked.input]);
    assert.match(again?.context ?? "", /an approval with a change could not be delivered/);
    answer("deny");
    assert.deepEqual(due(w.state), ["deliver"]);
  });

  it("is told in words if the agent died before it got it, and never as a plain yes", () => {
    const { seen, agent, answer } = changed({}, made);
    seen(exited);
    const parcel = agent().outbox.find((it) => it.decision_id !== null);
    assert.deepEqual([parcel?.reply, parcel?.prompt_key], [null, null]);
    assert.equal(
      parcel?.text,
      "Your request to use Bash was approved with a change.\n\nUse this command instead: ls build",
    );
    answer("retry");
  });
});

const drafted: Prompt = { ...plan, input: { plan: "# Do it", planFilePath: "/plans/a.md" } };
const built = { plan: "# Do it, with tests", planFilePath: "/plans/a.md" };
const NO = "decision.not-editable";

describe("a plan that is accepted with a change", () => {
  const accepted = () => {
    const world = agentAtWork();
    world.seen(prompted(drafted));
    const { id, answer } = world.answer("accept-manual", { input: built });
    const parcel = { id: world.id, parcel_id: id };
    world.it.play((state, moment) => dialogAnswered(state, { ...parcel, taken: false }, moment));
    return { ...world, answer, state: () => world.decision(id).delivery.state };
  };
  const end = (ran_sha256: string) =>
    ({ type: "answered", key: drafted.key, ran: true, ran_sha256 }) as const;
  const hashOf = (it: object) => sha256(canonical({ tool: drafted.tool, input: it }));

  it("is recorded beside the agent's own, and arrives as it was changed", () => {
    const { agent, answer, seen, state } = accepted();
    assert.deepEqual(answer?.input, built);
    const told = "A person changed your plan before accepting it.";
    const reply = { type: "accept", mode: "manual", message: null, edit: { input: built, told } };
    assert.deepEqual(agent().outbox[0]?.reply, reply);
    seen(end(hashOf(built)));
    assert.notEqual(state(), "failed");
    assert.match(agent().outbox[0]?.text ?? "", /A person changed your plan/);
  });

  it("has failed if somebody accepted the agent's own in its terminal", () => {
    const { seen, state } = accepted();
    seen(end(hashOf({})));
    assert.equal(state(), "failed");
  });

  it("is told in words, with its text, if the agent died before it got it", () => {
    const world = agentAtWork();
    world.seen(prompted(drafted));
    world.answer("accept-auto", { input: built });
    world.seen(exited);
    const parcel = world.agent().outbox.find((it) => it.decision_id !== null);
    const words = "Your plan was accepted with a change.\n\nUse this plan instead:\n\n# Do it, with tests";
    assert.equal(parcel?.text, words);
    world.answer("retry");
  });
});

describe("a change is refused", () => {
  it.each([
    ["with Deny", asked, "deny", { input }, "decision.not-editable", /only goes with Approve/],
    ["with Dismiss", asked, "dismiss", { input }, "decision.not-editable", /only goes with Approve/],
    ["for keys", keys, "1", { input }, "decision.not-editable", /answered with keys/],
    [
      "for a plan that clears the context",
      drafted,
      "accept-clear",
      { input: built },
      NO,
      /keeps the context/,
    ],
    ["for a plan that is sent back", drafted, "revise", { input: built, message: "No" }, NO, /keeps the/],
    [
      "for the file of a plan",
      drafted,
      "accept-auto",
      { input: { ...built, planFilePath: "/etc/passwd" } },
      "decision.input-invalid",
      /only the text of the plan/,
    ],
    ["for a question", question, "1", { input: {} }, "decision.not-editable", /only an approval/],
    [
      "of another shape",
      asked,
      "approve",
      { input: { command: "ls" } },
      "decision.input-invalid",
      /description is missing/,
    ],
    ["that is no object", asked, "approve", { input: "ls" }, "decision.input-invalid", /must be an object/],
  ] as const)("%s", (_, prompt, key, more, code, message) => {
    const { seen, answer, pending } = agentAtWork();
    seen(prompted(prompt));
    assert.throws(() => answer(key, more), { code, message });
    assert.equal(pending().length, 1);
  });

  it("for an agent that merely stopped", () => {
    const { seen, answer } = agentAtWork();
    seen(stopped);
    assert.throws(() => answer("nudge", { input }), { code: "decision.not-editable" });
  });
});

it("an input that is just as it was is a plain Approve", () => {
  const { seen, answer, agent } = agentAtWork();
  seen(prompted(asked));
  const { answer: given } = answer("approve", {
    input: { description: "Clean up", command: "rm -rf build" },
  });
  assert.deepEqual([given?.input, agent().outbox[0]?.reply], [undefined, { type: "approve", message: null }]);
});
