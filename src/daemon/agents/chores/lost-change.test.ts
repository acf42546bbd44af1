/** An approval with a change whose hook is gone: keys can't press it, so somebody is asked again as soon as that is certain. */
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { until } from "../../../../test/contracts/temp.ts";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { resolveDecision } from "../../../core/decision/give.ts";
import { agentDelivery } from "./delivery.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");

/** A change that is owed to a dialog whose hook is gone. */
async function changed() {
  const it = await hookedAgent();
  const { engine, ports, openHooks, id, send, pending } = it;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-lost-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const transcript_path = path.join(folder, "kept.jsonl");
  const content = [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "touch made" } }];
  fs.writeFileSync(transcript_path, `${JSON.stringify({ type: "assistant", message: { content } })}\n`);
  const body = (event: string) => ({ ...call(event, "touch made"), session_id: "s2", transcript_path });
  await send(body("PreToolUse"));
  void send(body("PermissionRequest"));
  await until(async () => (await pending()).length > 0);
  const parcel = (await pending())[0]?.id ?? assert.fail("nothing was asked");
  const words = { choices: [], text: null, message: null, input: { command: "touch other" } };
  const given = { id: parcel, option: "approve", by: "ana", via: "cli", ...words } as const;
  await engine.run((state, moment) => resolveDecision(state, given, moment));
  openHooks.release(id);
  const { deliver } = agentDelivery({ engine, ports, openHooks, agentClientOf } as never);
  return {
    ...it,
    deliver: async () => deliver(await it.agent(), parcel, engine.run),
    delivery: () => engine.read((state) => state.decisions.get(parcel)?.delivery),
  };
}

it.each(["approval-bash", "question-one"])(
  "is given up while its dialog is on the screen, or another one that may hide it (%s)",
  async (shows) => {
    const { deliver, delivery, shown, agent, pending } = await changed();
    shown.screen = screen(shows);
    await deliver();
    const { state, error } = (await delivery()) ?? {};
    assert.equal(state, "failed");
    assert.match(error ?? "", /the change could not be delivered/);
    assert.equal((await agent()).prompt?.key, "t1");
    assert.deepEqual(
      (await pending()).map((it) => it?.prompt_key),
      ["t1"],
    );
  },
);

it("is given up if the agent rests, and its file does not say how the dialog ended", async () => {
  const { deliver, delivery, shown } = await changed();
  shown.screen = screen("idle");
  await deliver();
  const { state, error } = (await delivery()) ?? {};
  assert.equal(state, "failed");
  assert.match(error ?? "", /it is not known whether the answer arrived/);
});

it("is kept while the agent works: the end of the call will tell", async () => {
  const { deliver, delivery, shown } = await changed();
  shown.screen = screen("working");
  await assert.rejects(deliver(), /what came of it is not known yet/);
  assert.equal((await delivery())?.state, "owed");
});
