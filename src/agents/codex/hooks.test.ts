import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hooks, patch } from "../../../test/fakes/codex/recorded.ts";
import { callName, readHook } from "./hooks.ts";
import { replyBody } from "./reply.ts";

describe("hooks of Codex", () => {
  it("name the conversation once there is something to resume", () => {
    assert.equal(readHook(hooks.started).conversation, null);
    const { conversation, prime, turn } = readHook(hooks.resumed);
    assert.deepEqual([conversation?.id, prime, turn], [hooks.resumed.session_id, "resume", "ready"]);
    assert.equal(readHook(hooks.prompted).conversation?.transcript, hooks.prompted.transcript_path);
  });

  it("ask for permission; the model's reason is shown, and is not part of what runs", () => {
    const { staysOpen, seen } = readHook(hooks.asks);
    const [it] = seen;
    assert.ok(staysOpen && it?.type === "prompted");
    assert.deepEqual(it.prompt.input, hooks.asks.tool_input);
    assert.equal(it.prompt.key, readHook(hooks.before).tool?.key);
    assert.equal(it.prompt.key, callName("Bash", hooks.before.tool_input));
    assert.notEqual(it.prompt.key, callName("Bash", { command: "touch other" }));
  });

  it("ask about a patch, which is the whole input", () => {
    const [it] = readHook(hooks.asksPatch).seen;
    assert.deepEqual(it?.type === "prompted" && it.prompt.input, { command: patch });
  });

  it("tell that a call has run, and which answers its questions got", () => {
    const [byUse, byName] = readHook(hooks.after).seen;
    assert.deepEqual(byUse, { type: "answered", key: hooks.after.tool_use_id, ran: true });
    assert.deepEqual(byName, { type: "answered", key: readHook(hooks.before).tool?.key, ran: true });
    const [answered] = readHook(hooks.answered).seen;
    assert.deepEqual(answered?.type === "answered" && answered.answers, {
      "Which database?": "None of the above, MySQL",
      "Which colour?": "Red",
    });
  });

  it("tell what was said, when the model reads, and how the turn ended", () => {
    assert.deepEqual(readHook(hooks.prompted).seen, [{ type: "submitted", text: "!ls" }]);
    assert.equal(readHook(hooks.asksModel).reads, true);
    assert.deepEqual(readHook(hooks.stopped).seen, [{ type: "stopped", last_message: "Made it" }]);
    assert.deepEqual(readHook(hooks.interrupted).seen, []); // the screen tells what came of it
  });

  it("of a subagent say nothing about the agent's turn, conversation or rest", () => {
    for (const hook of [hooks.stopped, hooks.prompted, hooks.asksModel]) {
      const { turn, conversation, reads, seen } = readHook({ ...hook, agent_id: "a1" });
      assert.deepEqual([turn, conversation, reads], [null, null, false]);
      assert.ok(!seen.some((it) => it.type === "stopped"));
    }
  });

  it("are refused if they make no sense", () => {
    for (const hook of [
      null,
      [],
      "x",
      {},
      { ...hooks.before, tool_use_id: 1 },
      { ...hooks.asks, tool_input: "rm" },
    ])
      assert.throws(() => readHook(hook), { code: "request.invalid" });
  });
});

describe("a reply to Codex", () => {
  const [it_] = readHook(hooks.asks).seen;
  const prompt = it_?.type === "prompted" ? it_.prompt : assert.fail();
  const decision = (reply: Parameters<typeof replyBody>[1]) =>
    (replyBody(prompt, reply) as { hookSpecificOutput: { decision: object } } | null)?.hookSpecificOutput
      .decision;

  it("allows as it is, or denies with the reason", () => {
    assert.deepEqual(decision({ type: "approve", message: "x" }), { behavior: "allow" });
    assert.deepEqual(decision({ type: "deny", message: "No." }), { behavior: "deny", message: "No." });
    assert.deepEqual(decision({ type: "deny", message: null }), {
      behavior: "deny",
      message: "The user denied this.",
    });
  });

  it("never changes what will run, and answers no questions: keys do", () => {
    const edit = { input: { command: "ls" }, told: "" };
    assert.equal(replyBody(prompt, { type: "approve", message: null, edit }), null);
    assert.equal(replyBody(prompt, { type: "answers", answers: [], message: null }), null);
  });
});
