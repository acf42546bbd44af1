/** What is reported or seen of an agent while the store takes nothing, or its terminal can't be read, is not lost. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { tempFolder } from "../../../../test/contracts/temp.ts";
import { agentDef, approval } from "../../../../test/fakes/agents.ts";
import { forever } from "../../../../test/fakes/forever.ts";
import { call } from "../../../../test/fakes/hooked-agent.ts";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { observe } from "../../../core/agent/agent.ts";
import { startCrew } from "../../../core/flow/agent-start.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { emptyState } from "../../../core/model/state/state.ts";
import { Unreachable } from "../../../ports.ts";
import { startEngine } from "../../engine/engine.ts";
import { startAgents } from "../agents.ts";
import { startLookAgain } from "./look-again.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");
const HUNG_AFTER_MS = 300_000;
/** The longest pause of the back-off, and how long a dialog without a hook is looked for in the file. */
const SOON_MS = 24_000;

/** An agent at work, as the daemon looks after it; the disk can become full, and its terminal stuck. */
async function world({ run = "claude", spawned = true, prompts = [] as object[] } = {}) {
  const ports = fakePorts();
  const { log, terminals, clock } = ports;
  const engine = startEngine(ports, emptyState());
  const def = agentDef({ run, prompts: prompts as never, idle_after_ms: 1000 });
  const crew = { id: "crew-1", project: "p", name: "c", args: {}, env: {}, invoke: "/", root: "/" } as const;
  await engine.run((state, moment) => startCrew(state, { ...crew, def, by: "ana" }, moment));
  const id = await engine.read((state) => [...state.agents.keys()][0] ?? assert.fail("no agent"));
  const dir = await tempFolder();
  const agents = startAgents(engine, ports, {
    dir,
    stateDir: dir,
    env: { HOME: dir },
    hookUrl: () => "http://127.0.0.1:1",
    hungAfterMs: HUNG_AFTER_MS,
  });
  onTestFinished(agents.stop);
  await terminals.start({ agent_id: id, argv: [run], cwd: "/", env: {}, columns: 200, rows: 500 });
  const spawn = () =>
    engine.run((state, moment) => observe(state, { id, seen: { type: "spawned", incarnation: 1 } }, moment));
  if (spawned) await spawn();
  let isFull = false;
  let tries = 0;
  const { turn } = log;
  log.turn = (after, decide) => {
    if (isFull) tries += 1;
    return isFull ? Promise.reject(new Refusal("store.full", "the disk is full", null)) : turn(after, decide);
  };
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 200) {
      clock.pass(200);
      await settled();
    }
  };
  const agent = () => engine.read((state) => state.agents.get(id) ?? assert.fail("gone"));
  const sources = () =>
    engine.read((state) => [...state.pending].map((one) => state.decisions.get(one)?.source));
  return {
    ...{ engine, ports, agents, id, pass, agent, sources, spawn, terminals, program: terminals.program(id) },
    tries: () => tries,
    send: (body: object, abort = forever) => agents.hooks.handle(id, { session_id: "s", ...body }, abort),
    /** Does this while the disk is full, which it is for a minute. */
    async onFullDisk(act: () => unknown) {
      isFull = true;
      await Promise.resolve(act()).catch((error) => assert.match(String(error), /the disk is full/));
      await pass(60_000);
      isFull = false;
    },
  };
}

type World = Awaited<ReturnType<typeof world>>;

const begun = { hook_event_name: "UserPromptSubmit", prompt: "Build it" };
const over = { hook_event_name: "Stop", last_assistant_message: "Well?" };

/** What happens, and what is known once there is space again. */
const lost: Record<string, [(it: World) => unknown, status: string, sources: string[]]> = {
  "a death": [(it) => it.program.end(1), "exited", ["dead"]],
  "the end of a turn": [
    (it) => {
      it.program.setScreen(screen("idle"));
      return it.send(over);
    },
    "idle",
    ["idle"],
  ],
  "a dialog with a hook": [
    async (it) => {
      await it.send(call("PreToolUse", "npm install"));
      it.program.setScreen(screen("approval-bash"));
      return it.send(call("PermissionRequest", "npm install"));
    },
    "prompting",
    ["approval"],
  ],
  "a dialog that no hook reports": [
    (it) => it.program.setScreen(screen("approval-bash")),
    "prompting",
    ["approval"],
  ],
};

describe("on a full disk, what becomes of an agent is noticed as soon as there is space:", () => {
  for (const [what, [happens, status, sources]] of Object.entries(lost))
    it(what, async () => {
      const it = await world();
      await it.send(begun);
      it.program.setScreen(screen("working"));
      await it.onFullDisk(() => happens(it));
      await it.pass(SOON_MS);
      assert.deepEqual([(await it.agent()).status, await it.sources()], [status, sources]);
    });

  it("a turn that begins", async () => {
    const it = await world();
    await it.send(begun);
    it.program.setScreen(screen("idle"));
    await it.send(over);
    await it.onFullDisk(() => {
      it.program.setScreen(screen("working"));
      return it.send(begun);
    });
    await it.pass(SOON_MS);
    assert.deepEqual([(await it.agent()).status, await it.sources()], ["working", []]);
  });

  it("what an agent does before its start is recorded", async () => {
    const it = await world({ spawned: false });
    it.program.setScreen(screen("approval-bash"));
    await it.onFullDisk(() => it.send(call("PermissionRequest", "npm install")));
    await it.spawn();
    await it.pass(SOON_MS);
    assert.deepEqual([(await it.agent()).status, await it.sources()], ["prompting", ["approval"]]);
  });

  it("what a program asks, and that it waits", async () => {
    const prompts = [{ match: "Delete\\?$", options: [{ label: "Yes", keys: "y" }] }];
    for (const [shows, status] of [
      ["Delete?", "prompting"],
      ["What now?", "idle"],
    ] as const) {
      const it = await world({ run: "./repl.sh", prompts });
      await it.onFullDisk(() => it.program.print(shows));
      await it.pass(SOON_MS);
      assert.equal((await it.agent()).status, status);
    }
  });

  it("that an agent hangs, and that it is at work after all", async () => {
    const it = await world();
    await it.send(begun);
    it.program.setScreen(screen("working"));
    await it.pass(1000);
    await it.onFullDisk(() => it.pass(HUNG_AFTER_MS));
    await it.pass(SOON_MS);
    assert.ok((await it.agent()).hung_since_ms);
    await it.onFullDisk(() => it.program.print(""));
    await it.pass(SOON_MS);
    assert.equal((await it.agent()).hung_since_ms, null);
  });
});

describe("a look that is repeated", () => {
  it("is so with a back-off, and no longer than something is lost", async () => {
    const it = await world();
    await it.send(begun);
    it.program.setScreen(screen("idle"));
    await it.onFullDisk(() => it.send(over));
    assert.ok(it.tries() >= 5 && it.tries() <= 12, `${it.tries()} tries in a minute`);
    await it.pass(SOON_MS);
    const { screen: read } = it.terminals;
    it.terminals.screen = () => assert.fail("nothing is left to look at");
    await it.pass(60_000);
    it.terminals.screen = read;
  });

  it("is one that something else overtook, and which therefore said nothing", async () => {
    const it = await world();
    await it.send(begun);
    let looks = 0;
    const lookAgain = startLookAgain(it.engine, it.ports, {
      openHooks: { has: () => false },
      async look() {
        looks += 1;
        if (looks > 1) return;
        const seen = { type: "prompted", prompt: approval, tail: "" } as const;
        await it.engine.run((state, moment) => observe(state, { id: it.id, seen }, moment));
      },
      ended: async () => assert.fail("it has not ended"),
    });
    onTestFinished(lookAgain.stop);
    lookAgain.lost(it.id, new Refusal("store.full", "the disk is full", null));
    await it.pass(60_000);
    assert.equal(looks, 2);
  });

  it("is one that could not be had: the terminal did not respond", async () => {
    const it = await world();
    await it.send(begun);
    const { screen: read } = it.terminals;
    it.terminals.screen = () => Promise.reject(new Unreachable("tmux does not respond"));
    it.program.setScreen(screen("approval-bash"));
    await it.pass(20_000);
    it.terminals.screen = read;
    await it.pass(30_000);
    assert.deepEqual(await it.sources(), ["approval"]);
  });

  it("is one at a dialog whose connection broke: it is not taken for closed", async () => {
    const it = await world();
    await it.send(begun);
    const gone = new AbortController();
    it.program.setScreen(screen("approval-bash"));
    const asking = it.send(call("PermissionRequest", "npm install"), gone.signal);
    await it.pass(3000);
    const { screen: read } = it.terminals;
    it.terminals.screen = () => Promise.reject(new Unreachable("tmux does not respond"));
    gone.abort();
    await asking;
    await it.pass(5000);
    assert.deepEqual(await it.sources(), ["approval"]);
    it.terminals.screen = read;
    it.program.setScreen(screen("working"));
    await it.pass(SOON_MS);
    assert.deepEqual([(await it.agent()).status, await it.sources()], ["working", []]);
  });

  it("leaves a dialog alone whose hook is open, whatever the screen shows", async () => {
    const it = await world();
    await it.send(begun);
    it.program.setScreen(screen("idle"));
    await it.onFullDisk(() => it.send(over));
    it.program.setScreen(screen("working"));
    void it.send(call("PermissionRequest", "npm install"));
    await it.pass(30_000);
    assert.deepEqual([(await it.agent()).status, await it.sources()], ["prompting", ["approval"]]);
  });

  it("says nothing of an agent at rest if something was recorded since", async () => {
    const it = await world();
    await it.send(begun);
    it.program.setScreen(screen("idle"));
    await it.onFullDisk(() => it.send(over));
    await it.send(over);
    it.program.setScreen(screen("working")); // what a busy machine still draws
    await it.pass(30_000);
    assert.deepEqual([(await it.agent()).status, await it.sources()], ["idle", ["idle"]]);
  });
});
