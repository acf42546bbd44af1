import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { agentAtWork } from "../../../../test/fakes/agents.ts";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { writeLog } from "../../../../test/fakes/write-log.ts";
import { observe } from "../../../core/agent/agent.ts";
import type { AgentDef } from "../../../core/model/runbook.ts";
import { startEngine } from "../../engine/engine.ts";
import { startQuiet } from "./quiet.ts";

const MINUTE = 60_000;

/** An agent at work in a terminal, left by an earlier daemon, that printed something just now. */
async function setup({ def = {}, silentMs = 0 }: { def?: Partial<AgentDef>; silentMs?: number } = {}) {
  const { it: world, id } = agentAtWork(def);
  const ports = fakePorts();
  const { clock, log, terminals } = ports;
  clock.jump(1_010_000 - clock.now()); // the rules' clock
  await writeLog(log, world.events);
  await terminals.start({ agent_id: id, argv: ["x"], cwd: "/", env: {}, columns: 80, rows: 24 });
  terminals.program(id).print("hello\n");
  clock.jump(silentMs);
  const engine = startEngine(ports, world.state);
  const saw = async (agent: typeof id, seen: object, still = (_: never) => true) => {
    const full = { tail: "", ...seen } as never;
    await engine.run((state, moment) =>
      still(state.agents.get(agent) as never) ? observe(state, { id: agent, seen: full }, moment) : [],
    );
  };
  const quiet = startQuiet(engine, ports, { hooks: () => ({ saw }), hungAfterMs: 10 * MINUTE });
  onTestFinished(quiet.stop);
  await quiet.begin();
  const pass = async (ms: number) => {
    clock.pass(ms);
    await settled(100);
  };
  const titles = () =>
    engine.read((state) => [...state.pending].map((it) => state.decisions.get(it)?.title ?? ""));
  return { id, quiet, pass, titles, print: () => terminals.program(id).print("x") };
}

describe("silence", () => {
  it("is asked about once it has lasted too long, and once", async () => {
    const { pass, titles } = await setup();
    await pass(10 * MINUTE - 1);
    assert.deepEqual(await titles(), []);
    await pass(1);
    assert.deepEqual(await titles(), ["Hung: no output and no report for 10 minutes"]);
    await pass(60 * MINUTE);
    assert.equal((await titles()).length, 1);
  });

  it("begins anew with each output and each report", async () => {
    const { id, quiet, pass, titles, print } = await setup();
    await pass(9 * MINUTE);
    print();
    await pass(9 * MINUTE);
    quiet.heard(id);
    assert.equal(quiet.silentMs(id), 0);
    await pass(9 * MINUTE);
    assert.deepEqual(await titles(), []);
    await pass(MINUTE);
    assert.equal((await titles()).length, 1);
  });

  it("ends with the next output, and is asked about again if it comes back", async () => {
    const { pass, titles, print } = await setup();
    await pass(10 * MINUTE);
    print();
    await settled(100);
    assert.deepEqual(await titles(), []);
    await pass(10 * MINUTE);
    assert.equal((await titles()).length, 1);
  });

  it("may last as long as the agent's runbook says", async () => {
    const { pass, titles } = await setup({ def: { hung_after_ms: 2000 } });
    await pass(2000);
    assert.deepEqual(await titles(), ["Hung: no output and no report for 2 seconds"]);
  });

  it("counts from before a restart, after a moment to hear what is reported", async () => {
    const { pass, titles } = await setup({ silentMs: 60 * MINUTE });
    await pass(29_999);
    assert.deepEqual(await titles(), []);
    await pass(1);
    assert.deepEqual(await titles(), ["Hung: no output and no report for 61 minutes"]);
  });
});
