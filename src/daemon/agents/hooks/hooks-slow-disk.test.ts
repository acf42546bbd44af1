import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { observe } from "../../../core/agent/agent.ts";
import { dialogAnswered } from "../../../core/agent/dialog.ts";
import { resolveDecision } from "../../../core/decision/give.ts";

type Hooked = Awaited<ReturnType<typeof hookedAgent>>;

/** What the disk is busy with when a dialog is reported. */
const writing: Record<string, (it: Hooked) => Promise<unknown>> = {
  "the dialog itself": async () => undefined,
  "something else": (it) =>
    it.engine.run((state, moment) =>
      observe(state, { id: it.id, seen: { type: "noted", note: "something else" } }, moment),
    ),
};

/** How the end of a call is reported that somebody allowed in the terminal. */
const ends: Record<string, object> = {
  PostToolUse: call("PostToolUse", "make"),
  PostToolBatch: {
    hook_event_name: "PostToolBatch",
    tool_calls: [{ tool_name: "Bash", tool_use_id: "t1", tool_response: "made" }],
  },
};

describe("a call that ends while the disk still writes", () => {
  for (const [busy, begin] of Object.entries(writing))
    for (const [name, end] of Object.entries(ends))
      it(`${busy} is not asked about any more: ${name}`, async () => {
        const it = await hookedAgent();
        await it.send(call("PreToolUse", "make"));
        it.ports.log.hold();
        const other = begin(it);
        await settled();
        const asking = it.send(call("PermissionRequest", "make"));
        await settled();
        const ending = it.send(end);
        await settled();
        assert.equal(it.ports.log.held(), 1);
        it.ports.log.release();
        await Promise.all([other, ending]);
        await settled();
        assert.deepEqual(await it.pending(), []);
        assert.deepEqual(await asking, {});
        assert.equal((await it.agent()).prompt, null);
      });
});

/** What is known of the dialog when its hook reports it. */
const known: Record<string, (it: Hooked) => Promise<unknown>> = {
  "nothing of it": async () => undefined,
  "it from the screen": async (it) => {
    const prompt = { ...(await asked(it)), key: "t1" };
    return it.engine.run((state, moment) =>
      observe(state, { id: it.id, seen: { type: "prompted", prompt, tail: "" } }, moment),
    );
  },
};

describe("a call that ends while its terminal is still being read, where we knew", () => {
  for (const [what, learn] of Object.entries(known))
    for (const [name, end] of Object.entries(ends))
      it(`${what}, is not asked about again: ${name}`, async () => {
        const it = await hookedAgent();
        await it.send(call("PreToolUse", "make"));
        await learn(it);
        let read = () => {};
        it.shown.tail = () => new Promise((resolve) => (read = resolve));
        const asking = it.send(call("PermissionRequest", "make"));
        await settled();
        it.shown.tail = async () => {};
        await it.send(end);
        assert.deepEqual(await it.pending(), []);
        read();
        assert.deepEqual(await asking, {});
        assert.deepEqual(await it.pending(), []);
        assert.equal((await it.agent()).prompt, null);
      });

  it("that a file shows its end, is not asked about when its hook comes", async () => {
    const it = await hookedAgent();
    await it.send(call("PreToolUse", "make"));
    it.hooks.dialogs.dialogOver(it.id, "t1");
    assert.deepEqual(await it.send(call("PermissionRequest", "make")), {});
    assert.deepEqual(await it.pending(), []);
  });

  it("its end, is asked about if it begins again", async () => {
    const it = await hookedAgent();
    await it.send(call("PreToolUse", "make"));
    await it.send(call("PostToolUse", "make"));
    await it.send(call("PreToolUse", "make"));
    void it.send(call("PermissionRequest", "make"));
    await settled();
    assert.equal((await it.pending()).length, 1);
  });
});

/** What is true only of the process that reported it. */
const ofRun: Record<string, object> = {
  "a dialog": call("PermissionRequest", "make"),
  "the end of its turn": { hook_event_name: "Stop", last_assistant_message: "Well?" },
  "an error": { hook_event_name: "StopFailure", error: "overloaded", last_assistant_message: "" },
};

describe("an agent that is restarted while its terminal is still being read", () => {
  for (const [what, report] of Object.entries(ofRun))
    it(`is not taken for the one that reported ${what}`, async () => {
      const it = await hookedAgent();
      await it.send(call("PreToolUse", "make"));
      let read = () => {};
      it.shown.tail = () => new Promise((resolve) => (read = resolve));
      const reporting = it.send(report);
      await settled();
      const { id } = it;
      const exit = { incarnation: 1, code: 9, signal: null, error: null, tail: "" };
      await it.engine.run((state, moment) =>
        observe(state, { id, seen: { type: "exited", ...exit } }, moment),
      );
      await it.engine.run(() => [{ type: "agent:restarting", id, project: "p", reason: "resumed" }]);
      await it.engine.run((state, moment) =>
        observe(state, { id, seen: { type: "spawned", incarnation: 2 } }, moment),
      );
      const before = [(await it.agent()).status, (await it.pending()).map((one) => one?.source)];
      it.shown.tail = async () => {};
      read();
      assert.deepEqual(await reporting, {});
      assert.deepEqual([(await it.agent()).status, (await it.pending()).map((one) => one?.source)], before);
    });
});

/** The answer that was given here, though somebody at the terminal was faster; and what proves that. */
const lost = {
  "a No": { choice: 2, ask: call("PermissionRequest", "make"), end: call("PostToolUse", "make") },
  "an answer": {
    choice: 1,
    ask: { ...question("PermissionRequest"), tool_use_id: undefined },
    end: { ...question("PostToolUse"), tool_response: { answers: { "Which?": "B" } } },
  },
};
/** What the agent reports next says nothing of whose answer it was. */
const next: Record<string, object> = {
  PostToolBatch: {
    hook_event_name: "PostToolBatch",
    tool_calls: [{ tool_name: "any", tool_use_id: "t1", tool_response: "" }],
  },
  Stop: { hook_event_name: "Stop", last_assistant_message: "Done." },
  UserPromptSubmit: { hook_event_name: "UserPromptSubmit", prompt: "go on" },
};

describe("a report that could not be recorded because the disk was full", () => {
  for (const [what, { choice, ask, end }] of Object.entries(lost))
    for (const [name, report] of Object.entries(next))
      it(`still counts: ${what} that came too late is not acknowledged by ${name}`, async () => {
        const it = await hookedAgent();
        await it.send({ ...ask, hook_event_name: "PreToolUse", tool_use_id: "t1" });
        const asking = it.send(ask);
        await settled();
        const id = (await it.pending())[0]?.id ?? assert.fail("nothing was asked");
        const answer = { id, choices: [[choice]], text: null, message: null, by: "ana", via: "cli" as const };
        await it.engine.run((state, moment) => resolveDecision(state, answer, moment));
        await it.engine.run((state, moment) =>
          dialogAnswered(state, { id: it.id, parcel_id: id, taken: false }, moment),
        );
        it.openHooks.release(it.id);
        await asking;
        it.ports.log.failNext(new Error("the disk is full"));
        await assert.rejects(it.send(end), /the disk is full/);
        await it.send(report);
        const delivery = await it.engine.read((state) => state.decisions.get(id)?.delivery);
        assert.deepEqual([delivery?.state, delivery?.error?.includes("terminal")], ["failed", true]);
      });

  it("does not count later if only the screen had shown it: an answer given since would be called received", async () => {
    const it = await hookedAgent();
    await it.send(call("PreToolUse", "make"));
    void it.send(call("PermissionRequest", "make"));
    await settled();
    const id = (await it.pending())[0]?.id ?? assert.fail("nothing was asked");
    it.ports.log.failNext(new Error("the disk is full"));
    const isUnanswered = ({ outbox }: { outbox: readonly unknown[] }) => outbox.length === 0;
    const seen = { type: "answered", key: "t1" } as const;
    await assert.rejects(it.hooks.saw(it.id, seen, isUnanswered), /the disk is full/);
    const answer = { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const };
    await it.engine.run((state, moment) => resolveDecision(state, answer, moment));
    await it.hooks.saw(it.id, { type: "noted", note: "something else" });
    assert.equal(await it.engine.read((state) => state.decisions.get(id)?.delivery.state), "owed");
  });
});

function question(event: string) {
  const questions = [
    { question: "Which?", header: "Which", options: [{ label: "A" }, { label: "B" }], multiSelect: false },
  ];
  return {
    hook_event_name: event,
    tool_name: "AskUserQuestion",
    tool_input: { questions },
    tool_use_id: "t1",
  };
}

/** The dialog as its hook reports it. */
async function asked(it: Hooked) {
  const [seen] = agentClientOf(await it.agent()).read(call("PermissionRequest", "make"))?.seen ?? [];
  return seen?.type === "prompted" ? seen.prompt : assert.fail("no dialog");
}
