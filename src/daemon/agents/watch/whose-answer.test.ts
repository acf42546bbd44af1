/** Whose answer a dialog got, where ana's and somebody's in the terminal come at about the same time. */
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
import { sendToAgent } from "../../../core/control/agent-send.ts";
import { resolveDecision } from "../../../core/decision/give.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { saying, wordsSaid } from "../../../core/outbox/delivery.ts";
import type { Typist } from "../terminal/typist.ts";
import { catchingUp } from "./catch-up.ts";
import { startFinding } from "./finding.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");
const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nNot that.";

/** An agent that asks about a call, and keeps its conversation in a file; what ana says to it. */
async function asking(option = "approve") {
  const it = await hookedAgent();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-whose-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const transcript_path = path.join(folder, "kept.jsonl");
  const keep = (type: string, block: object) =>
    fs.appendFileSync(transcript_path, `${JSON.stringify({ type, message: { content: [block] } })}\n`);
  keep("assistant", { type: "tool_use", id: "t1", name: "Bash", input: { command: "touch made" } });
  const send = (body: object, abort?: AbortSignal) =>
    it.send({ session_id: "s2", transcript_path, ...body }, abort);
  await send(call("PreToolUse", "touch made"));
  const gone = new AbortController();
  const asked = send(call("PermissionRequest", "touch made"), gone.signal);
  await until(async () => (await it.pending()).length > 0);
  const id = (await it.pending())[0]?.id ?? assert.fail("nothing was asked");
  const given = {
    id,
    option,
    choices: [],
    text: null,
    message: null,
    by: "ana",
    via: "cli",
  } as const;
  return {
    ...it,
    ...{ send, gone, asked, keep },
    answer: () => it.engine.run((state, moment) => resolveDecision(state, given, moment)),
    delivered: () =>
      it.engine.run((state, moment) =>
        dialogAnswered(state, { id: it.id, parcel_id: id, taken: false }, moment),
      ),
    delivery: () => it.engine.read((state) => state.decisions.get(id)?.delivery.state),
  };
}

describe("a dialog that somebody answered in the terminal", () => {
  it("has not got an answer that is given while we find out why its connection broke", async () => {
    const { gone, asked, answer, shown, clock, delivery } = await asking();
    shown.screen = screen("working");
    gone.abort();
    await asked;
    await answer();
    clock.pass(1500);
    await settled(20);
    assert.equal(await delivery(), "owed", "what was refused is reported as refused");
  });

  it.each([
    ["Stop", "rejected", "failed"],
    ["Stop", "ran", "acknowledged"],
    ["UserPromptSubmit", "rejected", "failed"],
    ["StopFailure", "rejected", "failed"],
  ])(
    "and whose end nobody reported, is settled by its file before %s counts (%s)",
    async (event, end, state) => {
      const { answer, delivered, keep, send, delivery } = await asking();
      await answer();
      await delivered();
      const how = end === "ran" ? { content: "made" } : { is_error: true, content: REJECTED };
      keep("user", { type: "tool_result", tool_use_id: "t1", ...how });
      await send({ hook_event_name: event, prompt: "Go on.", last_assistant_message: "Done." });
      assert.equal(await delivery(), state);
    },
  );

  const exited = { type: "exited", incarnation: 1, code: null, signal: "SIGKILL", error: null } as const;
  const done = { type: "signalled", signal: "done", message: null } as const;
  it.each([
    ["its agent dies", "ran", exited, "acknowledged", 0],
    ["its agent dies", "was rejected", exited, "failed", 0],
    ["its agent dies", "goes on", exited, "delivered", 1],
    ["its agent says that it is done", "ran", done, "acknowledged", 0],
    ["its agent says that it is done", "was rejected", done, "failed", 0],
  ] as const)(
    "and of which nobody reports anything before %s, is judged by its file (it %s)",
    async (_, end, seen, state, left) => {
      const { answer, delivered, keep, hooks, id, agent, delivery } = await asking();
      await answer();
      await delivered();
      const how = end === "ran" ? { content: "made" } : { is_error: true, content: REJECTED };
      if (end !== "goes on") keep("user", { type: "tool_result", tool_use_id: "t1", ...how });
      await hooks.saw(id, seen);
      assert.equal(await delivery(), state);
      assert.equal((await agent()).outbox.length, left, "what did not arrive is told again");
    },
  );

  it("and of which nobody reports anything before it asks about another, is judged by its file", async () => {
    const { answer, delivered, keep, send, openHooks, id, delivery } = await asking();
    await answer();
    await delivered();
    openHooks.release(id);
    keep("user", { type: "tool_result", tool_use_id: "t1", is_error: true, content: REJECTED });
    void send(call("PermissionRequest", "touch other", "t2"));
    await until(async () => (await delivery()) !== "delivered");
    assert.equal(await delivery(), "failed");
  });

  it.each([
    ["sent", "deny", "idle", "never", "failed"],
    ["sent", "deny", "question-one", "never", "failed"],
    ["sent", "deny", "working", "never", "delivered"],
    ["sent", "deny", "idle", "late", "acknowledged"],
    ["sent", "approve", "idle", "never", "acknowledged"],
    // a daemon that was killed may have sent what is still owed
    ["owed", "deny", "idle", "never", "failed"],
    ["owed", "deny", "idle", "late", "acknowledged"],
    ["owed", "deny", "question-one", "late", "acknowledged"],
    ["owed", "approve", "idle", "never", "failed"],
    ["owed", "approve", "idle", "late", "failed"],
  ])("%s %s: shows %s where its file has an end %s, is %s", async (how, says, shows, end, state) => {
    const { engine, ports, hooks, turns, clock, shown, agent, ...it } = await asking(says);
    await it.answer();
    if (how === "sent") await it.delivered();
    shown.screen = screen(shows);
    const typist = {} as Typist; // no key is pressed
    const catchUp = catchingUp(engine, ports, { hooks, turns, typist, agentClientOf });
    let isOver = false;
    const over = catchUp(await agent()).finally(() => (isOver = true));
    for (let n = 0; !isOver; n++) {
      const result = { type: "tool_result", tool_use_id: "t1", is_error: true, content: REJECTED };
      if (end === "late" && n === 4) it.keep("user", result);
      clock.pass(500);
      await settled();
    }
    await over;
    assert.equal(await it.delivery(), state);
  });

  it("and that asked for a plan which was accepted with a cleared context, is not asked about afterwards", async () => {
    const { send, shown, pending } = await hookedAgent();
    const plan = { tool_name: "ExitPlanMode", tool_input: { plan: "# Do it" }, tool_use_id: "p1" };
    await send({ hook_event_name: "PreToolUse", ...plan });
    let read = () => {};
    let isReading = false;
    shown.tail = () => {
      isReading = true;
      return new Promise((resolve) => (read = resolve));
    };
    const asked = send({ hook_event_name: "PermissionRequest", ...plan });
    await until(async () => isReading);
    shown.tail = async () => {};
    await send({ hook_event_name: "SessionStart", source: "clear", session_id: "cleared" });
    read();
    assert.deepEqual([await asked, await pending()], [{}, []]);
  });
});

describe("an answer that an earlier daemon sent to a dialog's hook, and whose response it may have kept", () => {
  it.each([
    ["approval-bash", "open", "owed"],
    ["question-one", "open", "owed"],
    ["approval-bash", "over", "delivered"],
    ["working", "open", "delivered"],
  ])("where the screen shows %s, and the call is %s, is %s", async (shows, end, state) => {
    const { engine, ports, hooks, shown, answer, delivered, keep, delivery, agent } = await asking();
    await answer();
    await delivered();
    shown.screen = screen(shows);
    if (end === "over") keep("user", { type: "tool_result", tool_use_id: "t1", content: "made" });
    const finding = startFinding(engine, ports, { hooks, look: async () => {}, agentClientOf });
    await finding.find();
    finding.stop();
    assert.equal((await agent()).outbox[0]?.state, state);
    assert.equal(await delivery(), "delivered", "it is delivered again, and the person sees no step back");
  });

  it("is still found out about if the disk was full at first", async () => {
    const { engine, ports, hooks, shown, answer, delivered, clock, agent } = await asking();
    await answer();
    await delivered();
    shown.screen = screen("approval-bash");
    ports.log.failNext(new Refusal("store.full", "the disk is full", null));
    const finding = startFinding(engine, ports, { hooks, look: async () => {}, agentClientOf });
    const found = finding.find();
    await until(() => finding.trouble() !== null);
    clock.pass(500);
    await found;
    finding.stop();
    assert.equal((await agent()).outbox[0]?.state, "owed");
  });
});

describe("words that an earlier daemon typed", () => {
  it("are not taken for new if their report comes as we look: a question that was asked since stays", async () => {
    const { engine, ports, hooks, shown, send, id, pending } = await hookedAgent();
    await send({ hook_event_name: "Stop", last_assistant_message: "Done." });
    await engine.run((state, moment) => sendToAgent(state, { id, text: "Go on." }, moment));
    const parcel_id = await engine.read((state) => state.agents.get(id)?.outbox[0]?.id ?? "");
    await engine.run((state, moment) => saying(state, { id, incarnation: 1, parcel_id, shown: 0 }, moment));
    await engine.run((state, moment) =>
      wordsSaid(state, { id, incarnation: 1, parcel_id, read: false }, moment),
    );
    shown.screen = `❯ Go on.\n\n● Done.\n\n${screen("idle")}`;
    let go: (() => void) | null = null;
    shown.tail = () => new Promise((resolve) => (go = resolve));
    const finding = startFinding(engine, ports, { hooks, look: async () => {}, agentClientOf });
    const found = finding.find();
    await until(() => go !== null);
    shown.tail = async () => {};
    await send({ hook_event_name: "UserPromptSubmit", prompt: "Go on." });
    void send(call("PermissionRequest", "make"));
    await until(async () => (await pending()).length > 0);
    (go as unknown as () => void)();
    await found;
    finding.stop();
    assert.equal((await pending()).length, 1);
  });
});
