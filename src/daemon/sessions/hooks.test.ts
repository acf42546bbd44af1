import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import type { HookQuery } from "../../api/api.ts";
import { resolveDecision } from "../../core/decision/decision.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { sessionRecipient } from "../../core/model/queue-types.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { enqueue } from "../../core/outbox/queue.ts";
import { requestDecision } from "../../core/request/request.ts";
import { startEngine } from "../engine/engine.ts";
import { startHub } from "../engine/hub.ts";
import { startSessionDialogs } from "./dialogs.ts";
import { startSessionHooks } from "./hooks.ts";

const forever = new AbortController().signal;

function setup() {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  const service = { engine, ports, hub: startHub(engine), stopping: forever };
  const hooks = startSessionHooks(service, startSessionDialogs(engine, ports, forever));
  const send = (hook_event_name: string, more: object = {}, query: HookQuery = {}, abort = forever) =>
    hooks.handle({ session_id: "s1", cwd: "/nowhere/shop", hook_event_name, ...more }, query, abort);
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
  const ask = async () => {
    const input = requestInput({ requester: asker("session-s1", { session: "s1" }) });
    const [created] = await engine.run((state, moment) => requestDecision(state, input, moment));
    return (created as { id: DecisionId }).id;
  };
  const answer = (id: DecisionId) =>
    engine.run((state, moment) =>
      resolveDecision(
        state,
        { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" },
        moment,
      ),
    );
  return { engine, hooks, send, put, ask, answer, ...ports };
}

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

describe("a session's dialog about a file", () => {
  it("is recorded with what would change", async () => {
    const { engine, send, readSource } = setup();
    readSource.sources.set("/nowhere/shop/a.ts", "one\n");
    const tool_input = { file_path: "a.ts", content: "two\n" };
    void send("PermissionRequest", { tool_name: "Write", tool_input });
    await settled();
    const asked = await engine.read((state) => [...state.pending].map((it) => state.decisions.get(it)));
    assert.equal(asked[0]?.action?.diff?.text, "@@ -1,1 +1,1 @@\n-one\n+two");
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
