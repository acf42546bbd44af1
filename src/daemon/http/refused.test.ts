import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hookedAgent } from "../../../test/fakes/hooked-agent.ts";
import { replay } from "../../core/model/state/state.ts";
import { encodeState } from "../../core/model/state/state-text.ts";
import { startRefused } from "./refused.ts";

async function setup() {
  const { engine, id, agent, ports } = await hookedAgent();
  const { clock, journal } = ports;
  const events: { type: string; call?: string; unnoted?: number }[] = [];
  engine.watch((all) => void events.push(...(all as never[])));
  const { note } = startRefused(engine, ports);
  const warnings = () => journal.said("warn");
  return { note, id, clock, warnings, events, engine, agent };
}

describe("an agent's refused attempt", () => {
  it("is recorded two hundred times a minute; the rest is counted into the next", async () => {
    const { note, id, clock, events, warnings } = await setup();
    for (let n = 0; n < 1000; n++) await note(id, `POST /x${n}`, "no");
    assert.equal(events.length, 200);
    assert.equal(warnings().length, 200);
    clock.pass(60_000);
    await note(id, "POST /last", "no");
    assert.deepEqual([events.at(-1)?.call, events.at(-1)?.unnoted], ["POST /last", 800]);
  });

  it("is cut to a length, and changes nothing about the agent", async () => {
    const { note, id, events, agent, engine } = await setup();
    const before = await agent();
    const text = JSON.stringify(before);
    await note(id, "x".repeat(5000), "y".repeat(5000));
    assert.ok(JSON.stringify(events[0]).length < 1000);
    assert.equal(JSON.stringify(await agent()), text);
    const state = await engine.read(encodeState);
    assert.ok(state.includes(id));
    assert.doesNotThrow(() => replay(events as never));
  });

  it("with an unknown token is only in the journal", async () => {
    const { note, events, warnings } = await setup();
    for (let n = 0; n < 400; n++) await note(null, "GET /decisions", "no");
    assert.deepEqual([events.length, warnings().length], [0, 200]);
  });
});
