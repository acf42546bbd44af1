import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { approval, comingAgent, tail } from "../../../test/fakes/agents.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { writeLog } from "../../../test/fakes/write-log.ts";
import { observe } from "../../core/agent/agent.ts";
import { startChores } from "./chores.ts";
import { startEngine } from "./engine.ts";
import { startWatchdog } from "./watchdog.ts";

/** An agent that asked before its start was recorded and has been answered, in a daemon whose chores never finish. */
async function setup(doing: string | null = null) {
  const agent = comingAgent();
  agent.seen({ type: "prompted", prompt: approval, tail });
  const { id } = agent.answer("approve");
  const ports = fakePorts();
  const { clock, log, journal } = ports;
  await writeLog(log, agent.it.events);
  const engine = startEngine(ports, agent.it.state);
  const begun: string[] = [];
  const chores = startChores(engine, ports, (effect) => {
    begun.push(effect.type);
    return new Promise(() => {});
  });
  const watchdog = startWatchdog(engine, ports, { chores, doing: () => doing });
  const errorNow = () => engine.read((state) => state.decisions.get(id)?.delivery.error ?? null);
  const pass = async (ms: number) => {
    clock.pass(ms);
    await settled(100);
  };
  const lines = () => journal.said("warn");
  return { agent, engine, chores, watchdog, lines, begun, pass, errorNow };
}

describe("the watchdog", () => {
  it("says on the decision and in the log what a late answer waits for", async () => {
    const { watchdog, pass, errorNow, lines } = await setup();
    await watchdog.begin();
    await pass(4999);
    assert.equal(await errorNow(), null);
    await pass(1);
    assert.equal(await errorNow(), "the agent is being started");
    assert.equal(lines().filter((it) => it.startsWith("an answer is late")).length, 1);
    await pass(600_000);
    assert.equal(lines().filter((it) => it.startsWith("an answer is late")).length, 1, "only what is new");
    watchdog.stop();
  });

  it("says what a delivery in progress waits for", async () => {
    const { watchdog, pass, errorNow } = await setup("its dialog is not on the agent's screen");
    await watchdog.begin();
    await pass(5000);
    assert.equal(await errorNow(), "its dialog is not on the agent's screen");
    watchdog.stop();
  });

  it("starts a chore that is owed and that nobody has begun", async () => {
    const { watchdog, pass, begun } = await setup();
    await watchdog.begin();
    assert.deepEqual(begun, [], "the chores were never begun here");
    await pass(5000);
    assert.deepEqual(begun, ["start-agent"]);
    watchdog.stop();
  });

  it("names the chores that are late", async () => {
    const { chores, pass, lines } = await setup();
    await chores.begin();
    await pass(4000);
    assert.deepEqual(chores.late(), []);
    await pass(2000);
    assert.deepEqual(
      chores.late().map((it) => [it.key.split(":")[0], it.ms]),
      [["start-agent", 6000]],
    );
    assert.equal(lines().filter((it) => it.startsWith("a chore is late")).length, 1);
  });

  it("is silent about an answer that has arrived", async () => {
    const { agent, engine, watchdog, pass, errorNow } = await setup();
    await watchdog.begin();
    const seen = { type: "answered", key: approval.key, ran: true } as const;
    await engine.run((state, moment) => observe(state, { id: agent.id, seen }, moment));
    await pass(60_000);
    assert.equal(await errorNow(), null);
    watchdog.stop();
  });
});
