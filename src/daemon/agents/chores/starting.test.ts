/** Starts that an earlier daemon did not live to record. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { tempFolder } from "../../../../test/contracts/temp.ts";
import { agentDef } from "../../../../test/fakes/agents.ts";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { startCrew } from "../../../core/flow/agent-start.ts";
import { emptyState } from "../../../core/model/state/state.ts";
import { startEngine } from "../../engine/engine.ts";
import { agentStarter } from "./starting.ts";

it("an agent that is there already is looked at once its start is on record: it may be asking by now", async () => {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  const at = { args: {}, env: {}, invoke: "/", root: "/", by: "ana" };
  const crew = { id: "crew-1", project: "p", name: "c", def: agentDef({ run: "claude" }), ...at } as const;
  await engine.run((state, moment) => startCrew(state, crew, moment));
  const agentNow = () => engine.read((state) => [...state.agents.values()][0] ?? assert.fail("no agent"));
  const agent = await agentNow();
  await ports.terminals.start({ agent_id: agent.id, argv: [], cwd: "/", env: {}, columns: 200, rows: 50 });
  const looks: boolean[] = [];
  const found = async () => void looks.push((await agentNow()).spawned);
  const start = agentStarter({ engine, ports, agentClientOf, found } as never);
  await start(agent, engine.run);
  assert.deepEqual(looks, [true]);
});

it("a program that is there already is owed its task, also the content of a file", async () => {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  const root = await tempFolder();
  fs.writeFileSync(path.join(root, "task.md"), "Build it");
  const at = { args: {}, env: {}, invoke: root, root, by: "ana" };
  const { prompt: _, ...def } = agentDef({ run: "./repl" });
  const crew = {
    id: "crew-1",
    project: "p",
    name: "c",
    def: { ...def, prompt_file: "task.md" },
    ...at,
  } as const;
  await engine.run((state, moment) => startCrew(state, crew, moment));
  const agentNow = () => engine.read((state) => [...state.agents.values()][0] ?? assert.fail("no agent"));
  const agent = await agentNow();
  await ports.terminals.start({ agent_id: agent.id, argv: [], cwd: "/", env: {}, columns: 200, rows: 50 });
  const start = agentStarter({ engine, ports, agentClientOf, found: async () => {} } as never);
  await start(agent, engine.run);
  assert.deepEqual(
    (await agentNow()).outbox.map((it) => it.text),
    ["Build it"],
  );
});
