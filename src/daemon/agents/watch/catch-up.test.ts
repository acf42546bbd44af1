import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { until } from "../../../../test/contracts/temp.ts";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { dialogAnswered } from "../../../core/agent/dialog.ts";
import { resolveDecision } from "../../../core/decision/give.ts";
import { catchingUp } from "./catch-up.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");
const never = async () => assert.fail("no key is pressed");

/** A working agent, and a look at its screen that lasts as long as the test lets it. */
async function looking(shows: string) {
  const agent = await hookedAgent();
  const { hooks, turns, ports, clock, shown } = agent;
  shown.screen = screen(shows);
  const typist = { choose: never, say: never, submit: never };
  const catchUp = catchingUp(agent.engine, ports, { hooks, turns, typist, agentClientOf });
  async function look(meanwhile = async () => {}) {
    const looked = catchUp(await agent.agent());
    await settled();
    clock.pass(100);
    await meanwhile();
    let isOver = false;
    const over = looked.finally(() => (isOver = true));
    while (!isOver) {
      clock.pass(500);
      await settled();
    }
    await over;
  }
  return { ...agent, look };
}

/** The file of a conversation in which the call t1 has no result yet. */
function keepingCall(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-kept-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const transcript = path.join(folder, "kept.jsonl");
  const content = [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "touch made" } }];
  fs.writeFileSync(transcript, `${JSON.stringify({ type: "assistant", message: { content } })}\n`);
  return transcript;
}

const stop = (more: object = {}) => ({ hook_event_name: "Stop", last_assistant_message: "Done.", ...more });

describe("an agent that no hook reported on", () => {
  it("is idle if its screen is, once its turn had begun", async () => {
    const { look, agent, pending } = await looking("idle");
    await look();
    assert.equal((await agent()).status, "idle");
    assert.deepEqual(
      (await pending()).map((it) => it?.source),
      ["idle"],
    );
  });

  it("is not looked at if its program is gone: the screen it left says nothing", async () => {
    const { look, agent, shown } = await looking("idle");
    shown.end();
    await look();
    assert.equal((await agent()).status, "working");
  });

  it("with text in its composer is idle only if the text stays there", async () => {
    const composed = (it: string) => it.replace(/^❯\s*$/m, "❯ Go on.");
    for (const stays of [true, false]) {
      const { look, agent, shown, clock } = await looking("idle");
      shown.screen = composed(shown.screen);
      await look(async () => {
        clock.pass(5000);
        await settled();
        assert.equal((await agent()).status, "working");
        if (!stays) shown.screen = screen("working");
        clock.pass(10_000);
        await settled();
      });
      assert.equal((await agent()).status, stays ? "idle" : "working");
    }
  });

  it("that does not report is idle only once it was seen to have begun", async () => {
    const unheard = { type: "unheard", off: "all", by: null } as const;
    const above = (words: string) => `${words}\n${screen("idle").split("\n").slice(-6).join("\n")}`;
    for (const [shows, status] of [
      ["❯ Build it\n", "working"],
      ["❯ Build it\n\n● All is built.\n", "idle"],
    ] as const) {
      const { look, agent, hooks, turns, shown, id } = await looking("idle");
      turns.started(id);
      await hooks.saw(id, unheard);
      shown.screen = above(shows);
      await look();
      assert.equal((await agent()).status, status, shows);
    }
  });

  it("is not idle while it waits for background work", async () => {
    const { look, agent, send } = await looking("idle");
    await send(stop({ background_tasks: [{ id: "b1" }] }));
    await look();
    assert.equal((await agent()).status, "working");
    await send({
      hook_event_name: "PreToolUse",
      agent_id: "sub",
      tool_name: "Read",
      tool_input: {},
      tool_use_id: "t1",
    });
    await look();
    assert.equal((await agent()).status, "working", "a subagent's call says nothing of it");
  });

  it("is left alone if a hook comes while it is looked at", async () => {
    const { look, agent, send, pending } = await looking("working");
    await look(async () => void (await send(stop())));
    assert.equal((await agent()).status, "idle");
    assert.equal((await pending()).length, 1, "and its question is still open");
  });

  it.each([
    ["working", stop(), "idle"],
    ["working", { hook_event_name: "StopFailure", error: "rate_limit" }, "error"],
    ["approval-bash", stop(), "idle"],
    ["approval-bash", { hook_event_name: "StopFailure", error: "rate_limit" }, "error"],
  ])(
    "is left alone if a hook comes while tmux is slow to say that it lives (%s, %o)",
    async (shows, hook, source) => {
      const { look, send, pending, shown } = await looking(shows);
      shown.list = async () => void (await send(hook));
      await look();
      assert.deepEqual(
        (await pending()).map((it) => it?.source),
        [source],
      );
    },
  );

  it.each(["approval-bash", "idle"])(
    "is left alone if a hook overtakes what its screen says (%s) while that is recorded",
    async (shows) => {
      const { look, agent, send, pending, shown, openHooks, id } = await looking(shows);
      await send(call("PreToolUse", "touch made"));
      shown.tail = async () => {
        shown.tail = async () => {};
        void send(call("PermissionRequest", "touch made"));
        await settled();
      };
      await look();
      assert.equal((await agent()).prompt?.key, "t1");
      assert.ok(openHooks.has(id, "t1"), "its hook waits for the answer");
      assert.deepEqual(
        (await pending()).map((it) => it?.prompt_key),
        ["t1"],
      );
    },
  );

  it.each(["approval-bash", "idle", "working"])(
    "is left alone whenever a hook comes between two looks at the state (%s)",
    async (shows) => {
      for (let left = 2, came = true; came; left++) {
        // the first read is the test's own, before the look at the screen
        const { look, send, pending, engine } = await looking(shows);
        const { read } = engine;
        let n = 0;
        came = false;
        engine.read = async (glance) => {
          const found = await read(glance);
          n += 1;
          if (n !== left || came) return found;
          came = true;
          await send(stop());
          return found;
        };
        await look();
        engine.read = read;
        const sources = (await pending()).map((it) => it?.source);
        if (came) assert.deepEqual(sources, ["idle"], `after look ${left}`);
        else assert.ok(left > 4, "it looks several times");
      }
    },
  );

  it("asks about its newest call even if its file does not have the result of an equal one yet", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-kept-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const transcript = path.join(folder, "kept.jsonl");
    const use = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "touch made" } });
    const entries = ["t1", "t2"].map((id) => ({ type: "assistant", message: { content: [use(id)] } }));
    fs.writeFileSync(transcript, entries.map((it) => `${JSON.stringify(it)}\n`).join(""));
    const { send, look, agent, pending } = await looking("approval-bash");
    const ends = { session_id: "s2", transcript_path: transcript, tool_calls: [call("", "touch made")] };
    await send(call("PreToolUse", "touch made"));
    await send({ hook_event_name: "PostToolBatch", ...ends });
    await look();
    assert.equal((await agent()).prompt?.key, "t2");
    await send(call("PreToolUse", "touch made", "t2"));
    void send(call("PermissionRequest", "touch made"));
    await settled();
    assert.deepEqual(
      (await pending()).map((it) => [it?.prompt_key, it?.supersedes]),
      [["t2", null]],
      "the hook that comes late tells of the same dialog",
    );
  });

  it("is not asked about because of its screen while the hook about that dialog is on its way", async () => {
    const { send, look, pending, clock } = await looking("approval-bash");
    await send(call("PreToolUse", "touch made"));
    await look(async () => {
      for (let n = 0; n < 12; n++) {
        clock.pass(500);
        await settled();
      }
      assert.deepEqual(
        await pending(),
        [],
        "its file does not have the call, and nobody is asked for six seconds",
      );
      void send(call("PermissionRequest", "touch made"));
      await settled();
    });
    assert.deepEqual(
      (await pending()).map((it) => [it?.prompt_key, it?.supersedes]),
      [["t1", null]],
    );
  });

  it("does not say that a No has arrived while the call may be running", async () => {
    const transcript = keepingCall();
    const { send, look, agent, pending, engine, id } = await looking("working");
    const hook = (event: string) =>
      send({ ...call(event, "touch made"), session_id: "s2", transcript_path: transcript });
    await hook("PreToolUse");
    void hook("PermissionRequest");
    await until(async () => (await pending()).length > 0);
    const decision_id = (await pending())[0]?.id ?? assert.fail();
    const answer = { id: decision_id, option: "deny", choices: [], text: null, message: null } as const;
    await engine.run((state, moment) => resolveDecision(state, { ...answer, by: "ana", via: "cli" }, moment));
    await engine.run((state, moment) =>
      dialogAnswered(state, { id, parcel_id: decision_id, taken: false }, moment),
    );
    await look();
    const delivery = () => engine.read((state) => state.decisions.get(decision_id)?.delivery.state);
    assert.deepEqual([(await agent()).prompt?.key, await delivery()], ["t1", "delivered"]);
    await hook("PostToolUse");
    assert.equal(await delivery(), "failed", "somebody in the terminal had said yes before");
  });

  it.each([
    ["before anybody looks", "question-one", "approve", ["failed"]],
    ["before anybody looks", "idle", "approve", ["failed"]],
    ["while its screen is read", "working", "deny", ["owed"]],
    ["while its screen is read", "working", "approve", ["owed"]],
    ["while its screen is read", "question-one", "approve", ["owed"]],
    ["while its screen is read", "idle", "approve", ["owed"]],
  ] as const)(
    "has not got an answer that was given %s and not delivered (%s, %s)",
    async (when, shows, said, states) => {
      const transcript = keepingCall();
      const { send, look, pending, engine } = await looking(shows);
      const hook = (event: string) =>
        send({ ...call(event, "touch made"), session_id: "s2", transcript_path: transcript });
      await hook("PreToolUse");
      void hook("PermissionRequest");
      await until(async () => (await pending()).length > 0);
      const id = (await pending())[0]?.id ?? assert.fail();
      const given = {
        id,
        option: said,
        choices: [],
        text: null,
        message: null,
        by: "ana",
        via: "cli",
      } as const;
      const answer = () => engine.run((state, moment) => resolveDecision(state, given, moment));
      if (when === "before anybody looks") await answer();
      await look(async () => void (when === "while its screen is read" && (await answer())));
      assert.deepEqual([await engine.read((state) => state.decisions.get(id)?.delivery.state)], states);
    },
  );

  it("asks what its conversation says if that is what the screen shows, or else what is on the screen", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-kept-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const transcript = path.join(folder, "kept.jsonl");
    const use = (id: string, command: string) => ({
      type: "tool_use",
      id,
      name: "Bash",
      input: { command },
    });
    const content = [use("t1", "rm -r made"), use("t2", "touch made")];
    fs.writeFileSync(transcript, `${JSON.stringify({ type: "assistant", message: { content } })}\n`);

    const known = await looking("approval-bash");
    await known.send({ hook_event_name: "PostToolBatch", session_id: "s2", transcript_path: transcript });
    await known.look();
    const { prompt } = await known.agent();
    assert.deepEqual([prompt?.key, prompt?.input], ["t2", { command: "touch made" }]);

    const unknown = await looking("approval-bash");
    await unknown.look();
    const shown = (await unknown.agent()).prompt;
    assert.equal(shown?.tool, "prompt");
    assert.deepEqual(
      shown?.choices.map((it) => it.keys),
      ["1", "2", "3", "4"],
    );
  });

  it("that asks for trust after its first hook is not trusted automatically", async () => {
    const { look, pending } = await looking("trust");
    await look();
    assert.deepEqual(
      (await pending()).flatMap((it) => it?.options.map((option) => option.label)),
      ["No, exit", "Yes, I trust this folder", "Cancel", "Dismiss"],
    );
  });
});
