/** A crew's agent at work in a real engine, with its hooks. */
import assert from "node:assert/strict";
import { agentClientOf } from "../../src/agents/known/clients.ts";
import { observe } from "../../src/core/agent/agent.ts";
import { startCrew } from "../../src/core/flow/agent-start.ts";
import type { AgentId } from "../../src/core/model/ids.ts";
import { emptyState } from "../../src/core/model/state/state.ts";
import { startHooks } from "../../src/daemon/agents/hooks/hooks.ts";
import { startOpenHooks } from "../../src/daemon/agents/hooks/open-hooks.ts";
import { startTurns } from "../../src/daemon/agents/hooks/turns.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import type { Policies } from "../../src/daemon/runbooks/policies.ts";
import { agentDef } from "./agents.ts";
import type { FakeTerminals } from "./fake-terminals.ts";
import { forever } from "./forever.ts";
import { noPolicies } from "./policies.ts";
import { fakePorts } from "./ports.ts";

export async function hookedAgent(policies: Pick<Policies, "look"> = noPolicies(), run = "claude") {
  const ports = fakePorts();
  const { clock, terminals } = ports;
  const engine = startEngine(ports, emptyState());
  await engine.run((state, moment) =>
    startCrew(
      state,
      {
        id: "crew-1",
        project: "p",
        name: "c",
        def: agentDef({ run }),
        args: {},
        env: {},
        invoke: "/",
        root: "/",
        by: "ana",
      },
      moment,
    ),
  );
  const id = await engine.read((state) => [...state.agents.keys()][0] ?? assert.fail("no agent"));
  await engine.run((state, moment) =>
    observe(state, { id, seen: { type: "spawned", incarnation: 1 } }, moment),
  );
  const openHooks = startOpenHooks();
  const turns = startTurns();
  await terminals.start({ agent_id: id, argv: ["claude"], cwd: "/", env: {}, columns: 200, rows: 500 });
  const shown = shownBy(terminals, id);
  const primer = { text: async (_: unknown, source: string) => `primed for ${source}` };
  const hooks = startHooks(engine, ports, openHooks, primer, turns, agentClientOf, undefined, policies);
  const send = (body: object, abort = forever) => hooks.handle(id, { session_id: "s", ...body }, abort);
  await send({ hook_event_name: "UserPromptSubmit", prompt: "Build it" });
  const agent = () => engine.read((state) => state.agents.get(id) ?? assert.fail("gone"));
  const pending = () => engine.read((state) => [...state.pending].map((it) => state.decisions.get(it)));
  return { engine, id, openHooks, turns, hooks, send, agent, pending, clock, ports, shown };
}

/**
 * Controls what its terminal shows; `tail` is called before its last lines are returned, `list` before it is reported
 * as alive.
 */
function shownBy(terminals: FakeTerminals, id: AgentId) {
  const { list, screen } = terminals;
  const program = terminals.program(id);
  let text = "the last line";
  program.setScreen(text);
  const shown = {
    get screen() {
      return text;
    },
    set screen(now: string) {
      text = now;
      program.setScreen(now);
    },
    end: () => program.end(0),
    tail: async () => {},
    list: async () => {},
  };
  terminals.list = async () => {
    await shown.list();
    return list();
  };
  terminals.screen = async (agent_id, how) => {
    if (how?.history) await shown.tail();
    return screen(agent_id, how);
  };
  return shown;
}

export const call = (event: string, command: string, use = "t1") => ({
  hook_event_name: event,
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: use,
});
