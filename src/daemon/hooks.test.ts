import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "vitest";
import { agentDef } from "../../test/fakes/agents.ts";
import { fakeClock } from "../../test/fakes/fake-clock.ts";
import { fakeLog } from "../../test/fakes/fake-log.ts";
import { settled } from "../../test/fakes/settled.ts";
import { clientOf } from "../agents/clients.ts";
import { observe } from "../core/agent.ts";
import { startCrew } from "../core/agent-start.ts";
import { emptyState } from "../core/state.ts";
import { startEngine } from "./engine.ts";
import { startHolds } from "./holds.ts";
import { startHooks } from "./hooks.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const forever = new AbortController().signal;

/** A crew's agent at work, and its hooks. */
async function setup() {
  const engine = startEngine(
    { log: fakeLog(), clock: fakeClock(), journal: silent, random: randomBytes },
    emptyState(),
  );
  await engine.run((state, moment) =>
    startCrew(
      state,
      {
        id: "crew-1",
        project: "p",
        name: "c",
        def: agentDef(),
        args: {},
        env: {},
        invoke: "/",
        root: "/",
        by: "ana",
      },
      moment,
    ),
  );
  const id = await engine.read((state) => [...state.agents.keys()][0] ?? assert.fail("no agent"));
  await engine.run((state, moment) =>
    observe(state, { id, seen: { type: "spawned", incarnation: 1 } }, moment),
  );
  const holds = startHolds();
  const sessions = { screen: async () => "the last line" } as never;
  const primer = { text: async (_: unknown, source: string) => `primed for ${source}` };
  const hooks = startHooks(engine, { sessions, journal: silent }, holds, primer, clientOf);
  const send = (body: object, abort = forever) => hooks.handle(id, { session_id: "s", ...body }, abort);
  const agent = () => engine.read((state) => state.agents.get(id) ?? assert.fail("gone"));
  const pending = () => engine.read((state) => [...state.pending].map((it) => state.decisions.get(it)));
  return { engine, id, holds, hooks, send, agent, pending };
}

const call = (event: string, command: string, use = "t1") => ({
  hook_event_name: event,
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: use,
});

describe("hooks", () => {
  it("hold a permission request until it is answered", async () => {
    const { send, agent, pending, holds, id } = await setup();
    await send(call("PreToolUse", "rm x"));
    let reply: object | null = null;
    const asking = send(call("PermissionRequest", "rm x")).then((it) => (reply = it));
    await settled();
    const [decision] = await pending();
    assert.deepEqual(
      [decision?.source, decision?.action?.input, reply],
      ["approval", { command: "rm x" }, null],
    );
    assert.match(decision?.context ?? "", /the last line/);
    holds.answer(id, (await agent()).prompt?.key ?? "", { ok: true });
    await asking;
    assert.deepEqual(reply, { ok: true });
  });

  it("refuse a call that was approved and then wants to run as something else", async () => {
    const { send, agent, holds, id } = await setup();
    await send(call("PreToolUse", "ls"));
    const asking = send(call("PermissionRequest", "ls"));
    await settled();
    holds.answer(id, (await agent()).prompt?.key ?? "", { ok: true });
    await asking;
    assert.deepEqual(await send(call("PreToolUse", "ls")), {});
    const refused = (await send(call("PreToolUse", "rm -rf /"))) as {
      hookSpecificOutput?: { permissionDecision?: string };
    };
    assert.equal(refused.hookSpecificOutput?.permissionDecision, "deny");
    assert.deepEqual(await send(call("PreToolUse", "rm -rf /", "t2")), {}, "another call asks for itself");
  });

  it("close the question when the connection breaks: it was refused in the terminal", async () => {
    const { send, agent, pending } = await setup();
    const gone = new AbortController();
    const asking = send(call("PermissionRequest", "ls"), gone.signal);
    await settled();
    gone.abort();
    await asking;
    assert.equal((await agent()).status, "idle");
    assert.deepEqual(
      (await pending()).map((it) => it?.source),
      ["idle"],
    );
  });

  it("say nothing about the agent when the daemon stops", async () => {
    const { send, agent, hooks } = await setup();
    const gone = new AbortController();
    const asking = send(call("PermissionRequest", "ls"), gone.signal);
    await settled();
    hooks.stop();
    gone.abort();
    await asking;
    assert.equal((await agent()).status, "prompting");
  });

  it("cost no commit for a tool call that nobody asked about", async () => {
    const { send, engine } = await setup();
    const before = engine.seq();
    for (const event of ["PreToolUse", "PostToolUse"]) await send(call(event, "ls"));
    await send({ hook_event_name: "PostToolBatch", tool_calls: [call("", "ls")] });
    assert.equal(engine.seq(), before);
  });

  it("give the text to begin with", async () => {
    const { send } = await setup();
    assert.deepEqual(await send({ hook_event_name: "SessionStart", source: "resume" }), {
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "primed for resume" },
    });
  });

  it("make nothing of what makes no sense", async () => {
    const { hooks, id, engine } = await setup();
    const before = engine.seq();
    for (const body of [
      null,
      7,
      "x",
      [],
      {},
      { hook_event_name: 1 },
      { hook_event_name: "Nope" },
      { hook_event_name: "PostToolBatch", tool_calls: "x" },
    ]) {
      assert.deepEqual(await hooks.handle(id, body, forever), {});
    }
    assert.equal(engine.seq(), before);
  });
});
