import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { agentDef } from "../../../../test/fakes/agents.ts";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { observe } from "../../../core/agent/agent.ts";
import { startCrew } from "../../../core/flow/agent-start.ts";
import { emptyState } from "../../../core/model/state/state.ts";
import { startEngine } from "../../engine/engine.ts";
import { startHooks } from "../hooks/hooks.ts";
import { startOpenHooks } from "../hooks/open-hooks.ts";
import { startTurns } from "../hooks/turns.ts";
import { startAgentWatch } from "./watch.ts";

/** A program in a terminal, whose start is recorded when the test says so. */
async function program(prompts: readonly object[] = []) {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  const crew = { id: "crew-1", project: "p", name: "c", args: {}, env: {}, invoke: "/", root: "/" } as const;
  const def = agentDef({ run: "./repl.sh", idle_after_ms: 1000, prompts: prompts as never });
  await engine.run((state, moment) => startCrew(state, { ...crew, def, by: "ana" }, moment));
  const id = await engine.read((state) => [...state.agents.keys()][0] ?? assert.fail("no agent"));
  const openHooks = startOpenHooks();
  const hooks = startHooks(engine, ports, openHooks, { text: async () => "" }, startTurns(), agentClientOf);
  const watch = startAgentWatch(engine, ports, {
    hooks,
    openHooks,
    openDialogs: { printed() {}, forget() {}, stop() {} },
    catchUp: async () => {},
    reports: { isOpen: () => false, printed() {}, forget() {} },
    standIn: { printed() {}, ended: async () => {}, leave() {} },
    agentClientOf,
  });
  onTestFinished(watch.stop);
  await ports.terminals.start({
    agent_id: id,
    argv: ["./repl.sh"],
    cwd: "/",
    env: {},
    columns: 80,
    rows: 24,
  });
  const spawned = () =>
    engine.run((state, moment) => observe(state, { id, seen: { type: "spawned", incarnation: 1 } }, moment));
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      ports.clock.pass(100);
      await settled();
    }
  };
  const status = () => engine.read((state) => state.agents.get(id)?.status);
  const asked = () => engine.read((state) => state.agents.get(id)?.prompt?.input);
  const program = ports.terminals.program(id);
  const print = () => program.print("what shall I do?\n");
  return { print, spawned, pass, status, asked, ports, program };
}

describe("a program that says all it has to say", () => {
  it.each(["before", "after"])(
    "is idle once it is silent, if it said so %s its start was recorded",
    async (when) => {
      const { print, spawned, pass, status } = await program();
      if (when === "before") print();
      await pass(600);
      await spawned();
      if (when === "after") print();
      await pass(900);
      assert.equal(await status(), "working");
      await pass(400);
      assert.equal(await status(), "idle");
    },
  );
});

describe("a program that asks twice in a row", () => {
  it("is still asked about the second time when an older look at its screen ends", async () => {
    const prompts = [{ match: "Delete .\\?$", options: [{ label: "Yes", keys: "y" }] }];
    const { spawned, pass, status, asked, ports, program: it } = await program(prompts);
    await spawned();
    it.setScreen("Delete a?");
    await pass(600);
    assert.equal(await status(), "prompting");
    const { screen } = ports.terminals;
    let end = () => {};
    ports.terminals.screen = async () => {
      ports.terminals.screen = screen;
      await new Promise<void>((resolve) => (end = resolve));
      return "Deleting a";
    };
    it.setScreen("Deleting a");
    await settled();
    it.setScreen("Delete b?");
    await pass(600);
    const before = [await status(), await asked()];
    assert.match(JSON.stringify(before), /prompting.*Delete b/);
    end();
    await settled();
    assert.deepEqual([await status(), await asked()], before);
  });
});
