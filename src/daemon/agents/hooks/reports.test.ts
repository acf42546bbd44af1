import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { agentDef } from "../../../../test/fakes/agents.ts";
import { hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import type { HookDoor } from "../../../agents/client-settings.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { observe } from "../../../core/agent/agent.ts";
import { startCrew } from "../../../core/flow/agent-start.ts";
import { Unreachable } from "../../../ports.ts";
import { startReports } from "./reports.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");

/** An agent that has just started, and what its terminal shows. */
async function started(door: HookDoor, shows: string, by: string | null = null) {
  const world = await hookedAgent();
  const { engine, ports, hooks, shown, id, clock } = world;
  shown.screen = shows === "" ? "" : screen(shows);
  const proven: string[] = [];
  const reports = startReports(engine, ports, {
    hooks: () => hooks,
    agentClientOf,
    proven: (it) => void proven.push(it),
    silent: async () => {},
  });
  reports.starting(id, door);
  await reports.started(id, by);
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      clock.pass(100);
      await settled();
    }
  };
  const silent = async () => (await world.agent()).silent ?? null;
  return { ...world, reports, proven, pass, silent };
}

describe("missing reports", () => {
  it("are noted within five seconds of the start of a running client", async () => {
    const { pass, silent } = await started("http", "idle");
    await pass(1500);
    assert.equal(await silent(), null, "it may just be slow");
    await pass(3500);
    assert.deepEqual(await silent(), { off: "all", by: null });
  });

  it("are looked for once it was started, however long that takes", async () => {
    const { reports, pass, engine, ports } = await started("http", "idle");
    const crew = { id: "crew-2", project: "p", name: "d", def: agentDef(), args: {}, env: {} } as const;
    const events = await engine.run((state, moment) =>
      startCrew(state, { ...crew, invoke: "/", root: "/", by: "ana" }, moment),
    );
    const id = events.find((it) => it.type === "agent:created")?.id ?? assert.fail("no agent");
    const silent = () => engine.read((state) => state.agents.get(id)?.silent ?? null);
    reports.starting(id, "http");
    await pass(60_000);
    assert.equal(await silent(), null);
    await ports.terminals.start({
      agent_id: id,
      argv: ["claude"],
      cwd: "/",
      env: {},
      columns: 200,
      rows: 500,
    });
    ports.terminals.program(id).setScreen(screen("idle"));
    await engine.run((state, moment) =>
      observe(state, { id, seen: { type: "spawned", incarnation: 1 } }, moment),
    );
    await reports.started(id, null);
    await pass(5000);
    assert.deepEqual(await silent(), { off: "all", by: null });
  });

  it("are noted at once if the settings say so, with the setting", async () => {
    const { silent } = await started("none", "", "disableAllHooks in /x");
    assert.deepEqual(await silent(), { off: "all", by: "disableAllHooks in /x" });
  });

  it("are not noted while the client is not up; whatever it then prints is a reason to look", async () => {
    const { pass, silent, shown, reports, id } = await started("http", "");
    await pass(60_000);
    assert.equal(await silent(), null);
    shown.screen = screen("working");
    reports.printed(id);
    await pass(5000);
    assert.deepEqual(await silent(), { off: "all", by: null });
  });

  it("are no longer noted once they come after all", async () => {
    const { pass, silent, agent, reports, proven, id } = await started("http", "idle");
    await pass(5000);
    assert.ok(await silent());
    await reports.came(await agent(), true);
    assert.equal(await silent(), null, "the start was told, by a command");
    assert.deepEqual(proven, []);
    reports.evident(id);
    await pass(3000);
    assert.deepEqual(await silent(), { off: "http", by: null }, "and nothing else was");
    await reports.came(await agent(), true);
    assert.deepEqual(await silent(), { off: "http", by: null });
    await reports.came(await agent(), false);
    assert.equal(await silent(), null);
    assert.deepEqual(proven, [id]);
    reports.evident(id);
    await pass(10_000);
    assert.equal(await silent(), null, "what is proven stays so");
  });

  it("are those over HTTP if the start is reported and what was said is not", async () => {
    const { pass, silent, agent, reports, id } = await started("http", "working");
    await reports.came(await agent(), true);
    await pass(10_000);
    assert.equal(await silent(), null, "nothing was said that it would have to report");
    reports.evident(id);
    await pass(2000);
    assert.equal(await silent(), null);
    await pass(1000);
    assert.deepEqual(await silent(), { off: "http", by: null });
  });

  it("are none if every hook is a command and the start is reported", async () => {
    const { pass, silent, agent, reports, id, proven } = await started("command", "working");
    await reports.came(await agent(), true);
    reports.evident(id);
    await pass(10_000);
    assert.equal(await silent(), null);
    assert.deepEqual(proven, [id]);
  });

  it("are not noted if the first one comes while the terminal is being read", async () => {
    const { pass, silent, agent, reports, ports } = await started("http", "idle");
    const { screen: read } = ports.terminals;
    let go = () => {};
    ports.terminals.screen = async (...all) => {
      await new Promise<void>((resolve) => (go = resolve));
      return read(...all);
    };
    await pass(2000);
    go();
    await pass(2600);
    await reports.came(await agent(), true);
    go();
    await settled();
    assert.equal(await silent(), null);
  });

  it("are not noted if the first one comes while that is being recorded", async () => {
    const { pass, silent, agent, reports, ports } = await started("http", "idle");
    await pass(3000);
    ports.log.hold();
    await pass(2000);
    assert.equal(ports.log.held(), 1, "it is being recorded");
    const came = reports.came(await agent(), false);
    ports.log.release();
    await came;
    await settled();
    assert.equal(await silent(), null);
  });

  it("are looked for again if the terminal could not be read", async () => {
    const { pass, silent, ports } = await started("http", "idle");
    const { screen: read } = ports.terminals;
    ports.terminals.screen = () => Promise.reject(new Unreachable("tmux does not respond"));
    await pass(3000);
    ports.terminals.screen = read;
    await pass(5000);
    assert.deepEqual(await silent(), { off: "all", by: null });
  });
});
