import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { until } from "../../../../test/contracts/temp.ts";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { sendToAgent } from "../../../core/control/agent-send.ts";
import { cancelCrew } from "../../../core/control/crew.ts";
import type { Still } from "../terminal/dialog-end.ts";
import { agentDelivery } from "./delivery.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");

/** An agent that has been told something and has not acknowledged it yet. */
async function telling() {
  const it = await hookedAgent();
  const { engine, ports, openHooks, id, shown, send } = it;
  await send({ hook_event_name: "Stop", last_assistant_message: "Done." });
  await engine.run((state, moment) => sendToAgent(state, { id, text: "Go on." }, moment));
  shown.screen = screen("idle");
  const pressed: string[] = [];
  const said: string[] = [];
  const terminals = Object.assign(ports.terminals, {
    press: async (_: unknown, keys: string[]) => void pressed.push(...keys),
  });
  const world = {
    engine,
    ports: { ...ports, terminals },
    openHooks,
    agentClientOf,
    typist: {
      choose: async () => "late",
      say: async (...all: [unknown, unknown, string]) => void said.push(all[2]),
      submit: async () => void pressed.push("Enter"),
    },
    reports: { isUnheard: () => false },
    heard: (agent_id: typeof id, text: string, still: Still) =>
      it.hooks.saw(agent_id, { type: "submitted", text }, still),
  };
  const { deliver, doing } = agentDelivery(world as never);
  const agent = await it.agent();
  const parcel = agent.outbox[0]?.id ?? assert.fail("nothing is owed");
  let isOver = false;
  let reads = 0;
  const { read } = engine;
  engine.read = (look) => {
    reads += 1;
    return read(look);
  };
  const over = deliver(agent, parcel, engine.run).then(() => {
    isOver = true;
  });
  await settled();
  const looks = (): number => reads;
  return { ...it, over, isOver: () => isOver, looks, pressed, said, doing: () => doing(parcel) };
}

describe("words that an agent was told", () => {
  it("are received at the very report that proves it: no time has to pass", async () => {
    const { isOver, over, send, said } = await telling();
    assert.deepEqual(said, ["Go on."]);
    assert.equal(isOver(), false);
    await send({ hook_event_name: "UserPromptSubmit", prompt: "Go on." });
    await over;
  });

  it("are waited for without a look at the state while nothing happens", async () => {
    const { clock, looks, doing, pressed } = await telling();
    const before = looks();
    for (let n = 0; n < 39; n++) {
      clock.pass(100);
      await settled(2);
    }
    assert.equal(looks(), before);
    assert.equal(doing(), "the agent was told, but has not acknowledged it yet");
    assert.deepEqual(pressed, []);
  });

  it("are sent off again after four seconds while the agent waits for words, and typed again after twelve", async () => {
    const { clock, pressed, said, send, over } = await telling();
    for (const [keys, times] of [
      [["Enter"], 1],
      [["Enter", "Enter"], 1],
      [["Enter", "Enter"], 2],
    ] as const) {
      clock.pass(4000);
      await settled();
      assert.deepEqual([pressed, said.length], [keys, times]);
    }
    await send({ hook_event_name: "UserPromptSubmit", prompt: "Go on." });
    await over;
  });

  it("are not said again if the terminal shows that they were, and their report got lost", async () => {
    const { clock, pressed, said, shown, over } = await telling();
    shown.screen = `❯ Go on.\n\n● Done.\n\n${screen("idle")}`;
    clock.pass(4000);
    await over;
    assert.deepEqual([pressed, said], [[], ["Go on."]]);
  });

  it("are not taken for new once their report has come: a question that was asked since stays", async () => {
    const { clock, shown, send, pending, over } = await telling();
    shown.screen = `❯ Go on.\n\n● Done.\n\n${screen("idle")}`;
    let go = () => {};
    shown.tail = () => new Promise((resolve) => (go = resolve));
    clock.pass(4000);
    await settled();
    shown.tail = async () => {};
    await send({ hook_event_name: "UserPromptSubmit", prompt: "Go on." });
    void send(call("PermissionRequest", "make"));
    await until(async () => (await pending()).length > 0);
    go();
    await over;
    assert.equal((await pending()).length, 1);
  });

  it("are not waited for once its work is over", async () => {
    const { engine, over } = await telling();
    await engine.run((state, moment) => cancelCrew(state, { id: "crew-1", by: "ana", reason: null }, moment));
    await over;
  });
});

it("an answer says that it waits for the terminal, if the daemon has started again and the terminal does not respond", async () => {
  let respond = () => {};
  const responding = new Promise<void>((resolve) => (respond = resolve));
  const { looked, doing } = agentDelivery({ looked: () => responding } as never);
  const waiting = looked("dec-1");
  assert.equal(doing("dec-1"), "oj has started again, and the agent's terminal has not responded yet");
  respond();
  await waiting;
  assert.equal(doing("dec-1"), null);
});
