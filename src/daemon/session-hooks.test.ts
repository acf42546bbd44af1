import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "vitest";
import { fakeClock } from "../../test/fakes/fake-clock.ts";
import { fakeLog } from "../../test/fakes/fake-log.ts";
import { settled } from "../../test/fakes/settled.ts";
import { enqueue } from "../core/queue.ts";
import { sessionRecipient } from "../core/queue-types.ts";
import { emptyState } from "../core/state.ts";
import { startEngine } from "./engine.ts";
import { startSessionDialogs } from "./session-dialogs.ts";
import { startSessionHooks } from "./session-hooks.ts";

const forever = new AbortController().signal;

function setup() {
  const ports = {
    log: fakeLog(),
    clock: fakeClock(),
    journal: { debug() {}, info() {}, warn() {}, error() {} },
    random: randomBytes,
  };
  const engine = startEngine(ports, emptyState());
  const hooks = startSessionHooks(engine, ports, startSessionDialogs(engine, ports, forever));
  const send = (hook_event_name: string, more: object = {}) =>
    hooks.handle({ session_id: "s1", cwd: "/nowhere/shop", hook_event_name, ...more }, {}, forever);
  const put = (id: string) =>
    engine.run((state) =>
      enqueue(state, {
        id,
        recipient: sessionRecipient("s1"),
        project: "shop",
        kind: "message",
        text: `text of ${id}`,
        decision_id: null,
        from: "ana",
      }),
    );
  return { engine, hooks, send, put };
}

describe("what a session hears", () => {
  it("is said again when the response did not get there, and not when it did", async () => {
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

  it("comes with its start, its prompts and its commands, and with nothing else", async () => {
    const { send, put } = setup();
    await put("a");
    for (const event of ["Stop", "SessionEnd", "Notification", "", "PreToolUse"])
      assert.doesNotMatch(JSON.stringify((await send(event)).body), /text of a/, event);
    assert.match(JSON.stringify((await send("SessionStart")).body), /text of a/);
  });
});

describe("a session's hooks", () => {
  it("record a turn when a person writes, and not when a task in the background has ended", async () => {
    const { send, engine } = setup();
    const turns = () => engine.read((state) => state.sessions.get("s1")?.turns);
    await send("UserPromptSubmit", { prompt: "<task-notification>build" });
    assert.equal(await turns(), 0);
    await send("UserPromptSubmit", { prompt: "go on" });
    assert.equal(await turns(), 1);
    assert.equal(await engine.read((state) => state.sessions.get("s1")?.project), "shop");
  });

  it("let a turn end while tasks of its own will wake it", async () => {
    const { send } = setup();
    assert.deepEqual((await send("Stop", { background_tasks: [{ id: 1 }] })).body, {});
    assert.match(JSON.stringify((await send("Stop", { background_tasks: [] })).body), /"decision":"block"/);
  });

  it("mean nothing when they say nothing", async () => {
    const { hooks, send } = setup();
    for (const hook of [null, 7, "x", [], {}, { session_id: "" }, { session_id: "x".repeat(201) }])
      assert.deepEqual(await hooks.handle(hook, {}, forever), { body: {} });
    for (const more of [{ cwd: 7 }, { cwd: "relative" }, { tool_response: [1], duration_ms: "x" }])
      assert.deepEqual((await send("PostToolUse", more)).body, {});
  });
});
