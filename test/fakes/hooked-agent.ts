/** A crew's agent at work, in a real engine, with its hooks. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { clientOf } from "../../src/agents/known/clients.ts";
import { observe } from "../../src/core/agent.ts";
import { startCrew } from "../../src/core/agent-start.ts";
import { emptyState } from "../../src/core/state.ts";
import { startEngine } from "../../src/daemon/engine.ts";
import { startHolds } from "../../src/daemon/holds.ts";
import { startHooks } from "../../src/daemon/hooks.ts";
import { startTurns } from "../../src/daemon/turns.ts";
import { agentDef } from "./agents.ts";
import { fakeClock } from "./fake-clock.ts";
import { fakeLog } from "./fake-log.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
export const forever = new AbortController().signal;

export async function hookedAgent() {
  const clock = fakeClock();
  const engine = startEngine({ log: fakeLog(), clock, journal: silent, random: randomBytes }, emptyState());
  await engine.run((state, moment) =>
    startCrew(
      state,
      {
        id: "crew-1",
        project: "p",
        name: "c",
        def: agentDef(),
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
  const holds = startHolds();
  const turns = startTurns();
  /** What its terminal shows; `tail` is called before its last lines are given, `list` before it is said to live. */
  const shown = { screen: "the last line", tail: async () => {}, list: async () => {}, alive: true };
  const sessions = {
    async list() {
      await shown.list();
      return [{ agent_id: id, alive: shown.alive, pid: 1, exit: null }];
    },
    async screen(_: unknown, input?: { history: number }) {
      if (input) await shown.tail();
      return shown.screen;
    },
  } as never;
  const primer = { text: async (_: unknown, source: string) => `primed for ${source}` };
  const ports = { sessions, journal: silent, clock };
  const hooks = startHooks(engine, ports, holds, primer, turns, clientOf);
  const send = (body: object, abort = forever) => hooks.handle(id, { session_id: "s", ...body }, abort);
  await send({ hook_event_name: "UserPromptSubmit", prompt: "Build it" });
  const agent = () => engine.read((state) => state.agents.get(id) ?? assert.fail("gone"));
  const pending = () => engine.read((state) => [...state.pending].map((it) => state.decisions.get(it)));
  return { engine, id, holds, turns, hooks, send, agent, pending, clock, ports, shown };
}

export const call = (event: string, command: string, use = "t1") => ({
  hook_event_name: event,
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: use,
});
