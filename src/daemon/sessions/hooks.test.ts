import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { forever } from "../../../test/fakes/forever.ts";
import { hookedSession as setup } from "../../../test/fakes/hooked-session.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { DecisionId } from "../../core/model/ids.ts";

describe("a message for a session", () => {
  it("is sent again if the response did not arrive, and not if it did", async () => {
    const { send, put } = setup();
    await put("a");
    const first = await send("PostToolUse");
    assert.match(
      JSON.stringify(first.body),
      /"hookEventName":"PostToolUse","additionalContext":".*text of a"/,
    );
    assert.deepEqual((await send("PostToolUse")).body, {}, "it is in somebody's hand");
    first.sent?.(false);
    await settled();
    await put("b");
    const second = await send("UserPromptSubmit");
    assert.match(JSON.stringify(second.body), /2 messages.*text of a.*text of b/);
    second.sent?.(true);
    await settled();
    assert.deepEqual((await send("PostToolUse")).body, {});
  });

  it("is sent again if only the hook of a client that was killed had taken it", async () => {
    const { send, put, isRunning } = setup();
    await put("a");
    isRunning.running.add("7.100");
    const left = await send("PostToolUse", {}, { client: "7.100" });
    assert.match(JSON.stringify(left.body), /text of a/);
    isRunning.running.clear();
    left.sent?.(true);
    await settled();
    const elsewhere = await send("PostToolUse", {}, { client: "8.100" });
    assert.match(JSON.stringify(elsewhere.body), /text of a/);
    elsewhere.sent?.(true); // that process was never seen: it may run in a container
    await settled();
    assert.deepEqual((await send("PostToolUse")).body, {});
  });

  it("waits for the session itself: a subagent's call does not take it", async () => {
    const { send, put } = setup();
    await put("a");
    assert.deepEqual((await send("PostToolUse", { agent_id: "sub", agent_type: "Explore" })).body, {});
    assert.match(JSON.stringify((await send("PostToolUse")).body), /text of a/);
  });

  it("comes with its start, its prompts and its commands, and with nothing else", async () => {
    const { send, put } = setup();
    await put("a");
    for (const event of ["Stop", "SessionEnd", "Notification", "", "PreToolUse"])
      assert.doesNotMatch(JSON.stringify((await send(event)).body), /text of a/, event);
    assert.match(JSON.stringify((await send("SessionStart")).body), /text of a/);
  });
});

describe("a turn that ends with a question pending", () => {
  const WAIT = { wait_s: 60 };
  const isOpen = async (reply: Promise<unknown>) => {
    await settled();
    return (await Promise.race([reply, "open"])) === "open";
  };

  it("waits for the answer if that is wanted, and continues with it", async () => {
    const { send, ask, answer } = setup();
    await send("UserPromptSubmit", { prompt: "go" });
    const id = await ask();
    assert.deepEqual((await send("Stop")).body, {}, "without --wait it ends");
    const stop = send("Stop", {}, WAIT);
    assert.ok(await isOpen(stop));
    await answer(id);
    const { body, sent } = await stop;
    assert.match(JSON.stringify(body), /"hookEventName":"Stop","additionalContext":".*Postgres/);
    sent?.(true);
    await settled();
    assert.deepEqual((await send("Stop", {}, WAIT)).body, {}, "and then it may end");
  });

  it("follows a question to the one that replaced it", async () => {
    const { send, ask, answer } = setup();
    await send("UserPromptSubmit", { prompt: "go" });
    await ask();
    const stop = send("Stop", {}, WAIT);
    assert.ok(await isOpen(stop));
    const newer = await ask();
    assert.ok(await isOpen(stop));
    await answer(newer);
    assert.match(JSON.stringify((await stop).body), /Postgres/);
  });

  it("ends at its time, or when somebody presses Esc, and the answer is not lost", async () => {
    const { send, ask, answer, clock } = setup();
    await send("UserPromptSubmit", { prompt: "go" });
    const id = await ask();
    const late = send("Stop", {}, WAIT);
    assert.ok(await isOpen(late));
    clock.pass(60_000);
    assert.deepEqual((await late).body, {});
    const esc = new AbortController();
    const left = send("Stop", {}, WAIT, esc.signal);
    assert.ok(await isOpen(left));
    esc.abort();
    await left;
    await answer(id);
    assert.match(JSON.stringify((await send("UserPromptSubmit", { prompt: "and?" })).body), /Postgres/);
  });

  it("does not wait if no decision was offered, or tasks are still running", async () => {
    const { send, ask } = setup();
    await send("UserPromptSubmit", { prompt: "go" });
    assert.match(JSON.stringify((await send("Stop", {}, WAIT)).body), /"decision":"block"/);
    await ask();
    assert.deepEqual((await send("Stop", { background_tasks: [{}] }, WAIT)).body, {});
  });
});

describe("a session that stops", () => {
  const STOPS = { stops: true };
  const asks = { last_assistant_message: "All tests pass.\n\nShall I push it?" };
  const stopsOf = async ({ engine }: ReturnType<typeof setup>) =>
    engine.read((state) =>
      [...state.decisions.gists()].flatMap((it) => {
        const decision = state.decisions.get(it.id);
        return decision?.source === "idle" ? [decision] : [];
      }),
    );
  const reply = (
    id: DecisionId,
    { engine }: ReturnType<typeof setup>,
    choice = 1,
    message: string | null = "yes, push it",
  ) =>
    engine.run((state, moment) =>
      resolveDecision(state, { id, choices: [[choice]], text: null, message, by: "ana", via: "cli" }, moment),
    );

  it("ends its turn at once, and its last words are a decision until it continues", async () => {
    const it = setup();
    await it.send("UserPromptSubmit", { prompt: "go" });
    assert.deepEqual((await it.send("Stop", asks, STOPS)).body, {});
    const [stop] = await stopsOf(it);
    assert.equal(stop?.title, "Stopped: Shall I push it?");
    assert.match(stop?.context ?? "", /> All tests pass\.\n>\n> Shall I push it\?/);
    assert.deepEqual(
      [stop?.state, stop?.urgency, stop?.options.map((option) => option.label)],
      ["pending", "medium", ["Reply", "Dismiss"]],
    );
    await it.send("UserPromptSubmit", { prompt: "yes" });
    const [after] = await stopsOf(it);
    assert.deepEqual([after?.state, after?.ended?.reason], ["withdrawn", "it continued in its terminal"]);
    assert.equal(await it.engine.read((state) => state.queues.size), 0, "it knows that itself");
  });

  it("is over once a tool has run: another hook may have sent it on, and a subagent's call says nothing", async () => {
    const it = setup();
    await it.send("Stop", asks, STOPS);
    await it.send("PostToolUse", { agent_id: "sub" });
    const states = async () => (await stopsOf(it)).map((stop) => stop.ended?.reason ?? stop.state);
    assert.deepEqual(await states(), ["pending"]);
    await it.send("PostToolUse");
    assert.deepEqual(await states(), ["it continued in its terminal"]);
  });

  it("hears the reply with its next prompt, and nothing of a dismissal", async () => {
    const it = setup();
    await it.send("Stop", asks, STOPS);
    const [first] = await stopsOf(it);
    await reply(first!.id, it, 2, null);
    assert.deepEqual((await it.send("UserPromptSubmit", { prompt: "go" })).body, {});
    await it.send("Stop", asks, STOPS);
    const [, second] = await stopsOf(it);
    await reply(second!.id, it);
    const { body, sent } = await it.send("UserPromptSubmit", { prompt: "go" });
    assert.match(JSON.stringify(body), /ana replies to dec-\w+ \(Stopped: Shall I push it\?\): yes, push it/);
    sent?.(true);
    await settled();
    const [, last] = await stopsOf(it);
    assert.equal(last?.delivery.state, "acknowledged");
  });

  it("waits for the reply if it asked something and that is wanted, and continues with it", async () => {
    const it = setup();
    const held = it.send("Stop", asks, { ...STOPS, wait_s: 60 });
    await settled();
    const [stop] = await stopsOf(it);
    assert.equal(stop?.options[0]?.description, "It continues with your words");
    await reply(stop!.id, it);
    assert.match(JSON.stringify((await held).body), /"hookEventName":"Stop".*yes, push it/);
    const done = { last_assistant_message: "Pushed." };
    assert.deepEqual((await it.send("Stop", done, { ...STOPS, wait_s: 60 })).body, {}, "that is no question");
    assert.equal((await stopsOf(it)).at(-1)?.urgency, "low");
  });

  it("goes on with an answer that came before it stopped, and is not asked about", async () => {
    const it = setup();
    await it.send("UserPromptSubmit", { prompt: "go" });
    await it.answer(await it.ask());
    assert.match(JSON.stringify((await it.send("Stop", asks, { ...STOPS, wait_s: 60 })).body), /Postgres/);
    assert.deepEqual(await stopsOf(it), []);
    await it.put("b");
    assert.deepEqual((await it.send("Stop", asks, STOPS)).body, {}, "without --wait it hears nothing yet");
    assert.equal((await stopsOf(it)).length, 1);
  });

  it("has one such decision at a time, none while a request is open, and none when it is over", async () => {
    const it = setup();
    await it.send("Stop", asks, STOPS);
    await it.send("Stop", asks, STOPS);
    assert.deepEqual(
      (await stopsOf(it)).map((stop) => stop.state),
      ["withdrawn", "pending"],
    );
    await it.send("SessionEnd", { reason: "other" });
    assert.deepEqual(
      (await stopsOf(it)).map((stop) => stop.ended?.reason),
      ["it stopped again", "the session has ended"],
    );
    await it.ask();
    await it.send("Stop", asks, STOPS);
    assert.equal((await stopsOf(it)).length, 2);
  });

  it("is held if that is wanted too", async () => {
    const it = setup();
    const hold = { ...STOPS, hold: true };
    for (let n = 0; n < 3; n++)
      assert.match(JSON.stringify((await it.send("Stop", asks, hold)).body), /"decision":"block"/);
    assert.equal((await stopsOf(it)).length, 0);
    assert.match(JSON.stringify((await it.send("Stop", asks, hold)).body), /systemMessage/);
    assert.equal((await stopsOf(it)).length, 1, "it has stopped after all");
  });
});

describe("a session's hooks", () => {
  it("record a turn when a person writes, and not when a background task has ended", async () => {
    const { send, engine } = setup();
    const turns = () => engine.read((state) => state.sessions.get("s1")?.turns);
    await send("UserPromptSubmit", { prompt: "<task-notification>build" });
    assert.equal(await turns(), 0);
    await send("UserPromptSubmit", { prompt: "go on" });
    assert.equal(await turns(), 1);
    assert.equal(await engine.read((state) => state.sessions.get("s1")?.project), "shop");
  });

  it("let a turn end if its own tasks will wake it", async () => {
    const { send } = setup();
    assert.deepEqual((await send("Stop", { background_tasks: [{ id: 1 }] })).body, {});
    assert.match(JSON.stringify((await send("Stop", { background_tasks: [] })).body), /"decision":"block"/);
  });

  it("mean nothing if they say nothing", async () => {
    const { hooks, send } = setup();
    for (const hook of [null, 7, "x", [], {}, { session_id: "" }, { session_id: "x".repeat(201) }])
      assert.deepEqual(await hooks.handle(hook, {}, forever), { body: {} });
    for (const more of [{ cwd: 7 }, { cwd: "relative" }, { tool_response: [1], duration_ms: "x" }])
      assert.deepEqual((await send("PostToolUse", more)).body, {});
  });
});
