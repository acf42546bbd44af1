import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished, vi } from "vitest";
import { approval } from "../../../test/fakes/agents.ts";
import { escalation, HOUR } from "../../../test/fakes/escalated.ts";
import { forever } from "../../../test/fakes/forever.ts";
import { hookedSession as setup } from "../../../test/fakes/hooked-session.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { codexSession } from "../../agents/codex/session.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import { expire } from "../../core/reach/deadline.ts";
import { giveEscalation } from "../../core/reach/escalation.ts";
import { startSessionDialogs } from "./dialogs.ts";

describe("a session's dialog", () => {
  it("is recorded with what the session said before it, once the client has written that down", async () => {
    const { engine, send, clock } = setup();
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "oj-said-")), "s1.jsonl");
    onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true }));
    const says = (content: object) =>
      `${JSON.stringify({ type: "assistant", message: { role: "assistant", content: [content] } })}\n`;
    fs.writeFileSync(file, says({ type: "text", text: "Something old." }));
    const call = { name: "Bash", input: { command: "ls" } };
    const hook = { tool_name: call.name, tool_input: call.input, transcript_path: file };
    void send("PermissionRequest", hook);
    const pending = () => engine.read((state) => [...state.pending].map((it) => state.decisions.get(it)));
    assert.deepEqual(await pending(), []);
    fs.appendFileSync(file, says({ type: "text", text: "I look around." }));
    fs.appendFileSync(file, says({ type: "tool_use", id: "t1", ...call }));
    await vi.waitFor(async () => {
      clock.pass(100);
      assert.equal((await pending()).length, 1);
    }, 60_000); // a second, which is the default, is not enough on a loaded machine
    const context = (await pending())[0]?.context ?? "";
    assert.match(
      context,
      /^Session s1 in \/nowhere\/shop\. Its own .*\n\nIts last message:\n> I look around\.$/,
    );
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

describe("an answer that the session's client can't take", () => {
  const hooks = {
    codex: { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "make" } },
    opencode: { permission: { id: "per_1", permission: "bash", metadata: { command: "make" } } },
  };
  const changed = { choices: [[1]], text: null, message: null, input: { command: "make test" } };

  for (const [of, hook] of Object.entries(hooks))
    it(`is refused before it counts: a change, by ${of}`, async () => {
      const { engine, send, answer } = setup();
      const reply = send("PermissionRequest", hook, { of });
      await settled();
      const [id = assert.fail("nothing was asked")] = await engine.read((state) => [...state.pending]);
      const given = { id, ...changed, by: "ana", via: "cli" } as const;
      const resolved = engine.run((state, moment) => resolveDecision(state, given, moment));
      await assert.rejects(resolved, { code: "decision.not-editable", message: /takes a Yes or a No/ });
      assert.equal((await engine.read((it) => it.decisions.get(id)))?.state, "pending");
      await answer(id);
      assert.match(JSON.stringify((await reply).body), /allow|once/);
    });

  it("is recorded as failed if nobody knew before, and the dialog is left to its terminal", async () => {
    const { engine, journal } = setup();
    const { ask } = startSessionDialogs(engine, { journal }, forever);
    const door = { ...codexSession, reply: () => null };
    const from = { session: "s1", project: "shop", cwd: "/nowhere/shop" };
    const prepare = async () => ({ prompt: approval, look: null, last_message: "" });
    const dialog = { name: "t", isSubagents: false, prepare };
    const replies = [ask(door, from, dialog, forever), ask(door, from, dialog, forever)];
    await settled();
    const [id = assert.fail("nothing was asked")] = await engine.read((state) => [...state.pending]);
    await engine.run((state, moment) =>
      resolveDecision(state, { ...changed, input: null, id, by: "ana", via: "cli" }, moment),
    );
    for (const { body, sent } of await Promise.all(replies)) assert.deepEqual([body, sent], [{}, undefined]);
    const { state, delivery, repeats } = (await engine.read((it) => it.decisions.get(id))) ?? {};
    assert.deepEqual(
      [state, delivery?.state, repeats?.map((it) => it.state)],
      ["resolved", "failed", ["failed"]],
    );
    assert.match(String(delivery?.error), /can't take this answer.*session's terminal/);
  });
});

describe("a dialog of a session whose client was killed", () => {
  it("has an answer that nobody got, though its hook took it", async () => {
    const { engine, send, answer, isRunning } = setup();
    isRunning.running.add("7.100");
    const bash = { tool_name: "Bash", tool_input: { command: "make" } };
    const reply = send("PermissionRequest", bash, { client: "7.100" });
    await settled();
    const [id = assert.fail("nothing was asked")] = await engine.read((state) => [...state.pending]);
    isRunning.running.clear();
    await answer(id);
    (await reply).sent?.(true);
    await settled();
    const { delivery } = (await engine.read((state) => state.decisions.get(id))) ?? {};
    assert.deepEqual(
      [delivery?.state, delivery?.error],
      ["failed", "the session's hook was gone before it got the answer"],
    );
  });
});

describe("a dialog of a subagent in the background", () => {
  const bash = { tool_name: "Bash", tool_input: { command: "make" } };
  const busy = { background_tasks: [{ id: 1 }] };
  const pendingIn = ({ engine }: ReturnType<typeof setup>) =>
    engine.read((state) => [...state.pending].map((id) => state.decisions.get(id)?.count ?? 1));

  it("stays open while the session itself stops, and its answer arrives", async () => {
    const it = setup();
    const own = it.send("PermissionRequest", { ...bash, tool_input: { command: "ls" } });
    const theirs = it.send("PermissionRequest", { ...bash, agent_id: "sub" });
    await settled();
    await it.send("Stop", busy);
    assert.deepEqual((await own).body, {}, "the session's own is over");
    const [id = assert.fail("it was closed")] = await it.engine.read((state) => [...state.pending]);
    await it.answer(id);
    assert.match(JSON.stringify((await theirs).body), /"allow"/);
  });

  it("stays open without the session's own about the same call, and is over with the session's turn", async () => {
    const it = setup();
    const both = [bash, { ...bash, agent_id: "sub" }].map((more) => it.send("PermissionRequest", more));
    await settled();
    assert.deepEqual(await pendingIn(it), [2]);
    await it.send("Stop", busy);
    assert.deepEqual(await pendingIn(it), [1]);
    await it.send("Stop");
    assert.deepEqual(await pendingIn(it), []);
    for (const reply of await Promise.all(both)) assert.deepEqual(reply.body, {});
  });
});

describe("a session that asks about the same call twice", () => {
  const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
  const two = async () => {
    const it = setup();
    const gone = [new AbortController(), new AbortController()];
    const replies = gone.map(({ signal }) => it.send("PermissionRequest", bash("make all"), {}, signal));
    await settled();
    const ids = await it.engine.read((state) => [...state.pending]);
    const [id = assert.fail("nothing was asked")] = ids;
    assert.equal(ids.length, 1);
    const shown = () => it.engine.read((state) => state.decisions.get(id));
    return { ...it, gone, replies, id, shown };
  };

  it("is one decision with a count; each hook gets the answer, and each its own delivery", async () => {
    const it = await two();
    assert.equal((await it.shown())?.count, 2);
    await it.answer(it.id);
    const [first, second] = await Promise.all(it.replies);
    assert.deepEqual(first?.body, second?.body);
    assert.match(JSON.stringify(first?.body), /"allow"/);
    second?.sent?.(false);
    first?.sent?.(true);
    await settled();
    const { delivery, repeats } = (await it.shown()) ?? {};
    assert.deepEqual([delivery?.state, repeats?.map((one) => one.state)], ["acknowledged", ["failed"]]);
  });

  it("has a deadline's default in each hook, in words that say that no person has decided it", async () => {
    const it = await two();
    const def = escalation({ deadline_ms: HOUR, default: "deny" });
    await it.engine.run((state) => giveEscalation(state, { id: it.id, escalation: def }));
    const {
      project,
      created_at_ms: from_ms,
      deadline_at_ms: until_ms = 0,
    } = (await it.shown()) ?? assert.fail();
    it.clock.pass(HOUR);
    await it.engine.run((state, moment) =>
      expire(state, { type: "expire", decision_id: it.id, project, from_ms, until_ms }, moment),
    );
    const replies = await Promise.all(it.replies);
    for (const { body, sent } of replies) {
      assert.match(JSON.stringify(body), /"deny".*Nobody answered within 1h.*no person has decided this/);
      sent?.(true);
    }
    await settled();
    const { state, delivery, repeats } = (await it.shown()) ?? {};
    assert.deepEqual(
      [state, delivery?.state, repeats?.map((one) => one.state)],
      ["expired", "acknowledged", ["acknowledged"]],
    );
  });

  for (const [which, n] of [
    ["first", 0],
    ["second", 1],
  ] as const)
    it(`still asks for the other one if the ${which} is gone, and for nobody if both are`, async () => {
      const it = await two();
      it.gone[n]?.abort();
      await settled();
      assert.deepEqual([(await it.shown())?.count, (await it.shown())?.state], [1, "pending"]);
      if (n === 0) {
        await it.answer(it.id);
        const other = await it.replies[1];
        assert.match(JSON.stringify(other?.body), /"allow"/);
        other?.sent?.(true);
        await settled();
        assert.equal((await it.shown())?.delivery.state, "acknowledged");
      } else {
        it.gone[0]?.abort();
        await settled();
        assert.equal((await it.shown())?.state, "withdrawn");
      }
    });

  it("loses one of them when a call of that tool has run in the terminal", async () => {
    const it = await two();
    await it.send("PostToolUse", bash("make all"));
    assert.deepEqual([(await it.shown())?.count, (await it.shown())?.state], [1, "pending"]);
    await it.send("UserPromptSubmit", { prompt: "no" });
    assert.equal((await it.shown())?.state, "withdrawn");
    for (const reply of await Promise.all(it.replies)) assert.deepEqual(reply.body, {});
  });
});
