/** What Codex really sends, played to the daemon's own parts: who is asked, what it gets back, and what counts as a receipt. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, it } from "vitest";
import { resolveDecision } from "../../src/core/decision/give.ts";
import { startCrew } from "../../src/core/flow/agent-start.ts";
import { emptyState } from "../../src/core/model/state/state.ts";
import { owed } from "../../src/core/owed.ts";
import { startAgents } from "../../src/daemon/agents/agents.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import { agentDef } from "../fakes/agents.ts";
import { hooks, screens } from "../fakes/codex/recorded.ts";
import { fakeClock } from "../fakes/fake-clock.ts";
import { fakeLog } from "../fakes/fake-log.ts";
import { fakeTerminals } from "../fakes/fake-terminals.ts";
import { forever } from "../fakes/forever.ts";
import { settled } from "../fakes/settled.ts";

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-codex-"));
afterAll(() => fs.rmSync(dir, { recursive: true }));

async function codexAtWork(def: object = {}) {
  const terminals = fakeTerminals();
  const clock = fakeClock();
  const ports = {
    log: fakeLog(),
    clock,
    journal: { debug() {}, info() {}, warn() {}, error() {} },
    random: randomBytes,
    terminals,
    files: { loadEnv: async () => null },
    programs: { version: async () => "codex-cli 0.166.0" },
    readSource: async () => ({ text: null }),
  };
  const engine = startEngine(ports, emptyState());
  const place = { dir, stateDir: dir, env: {}, hookUrl: () => "http://127.0.0.1:1/x", hungAfterMs: 600_000 };
  const agents = startAgents(engine, ports as never, place);
  const given = {
    id: "crew-1",
    project: "p",
    name: "c",
    args: {},
    env: {},
    invoke: "/",
    root: "/",
    by: "ana",
  };
  await engine.run((state, moment) =>
    startCrew(state, { ...given, id: "crew-1", def: agentDef({ run: "codex", ...def }) }, moment),
  );
  const chores = async () => {
    for (const it of await engine.read((state) => owed(state)))
      if (it.type === "start-agent" || it.type === "deliver")
        await agents.perform(it, (rule) => engine.run(rule));
    await settled();
  };
  await chores();
  const agent = () => engine.read((state) => [...state.agents.values()][0] ?? assert.fail("no agent"));
  const { id } = await agent();
  const report = (body: object) => agents.hooks.handle(id, body, forever);
  const pending = () =>
    engine.read((state) => [...state.pending].map((it) => state.decisions.get(it)?.source ?? null));
  /** Until somebody is asked; on the way there, files are looked for. */
  const asked = async () => {
    for (let n = 0; n < 4000 && (await pending()).length === 0; n++)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return pending();
  };
  const answer = async (choice: number, message: string | null = null) => {
    const [decision] = await engine.read((state) => [...state.pending]);
    const words = { id: decision ?? "", choices: [[choice]], text: null, message, by: "ana" };
    await engine.run((state, moment) => resolveDecision(state, { ...words, via: "cli" }, moment));
    const done = chores();
    for (let n = 0; n < 60; n++) {
      await settled(2);
      clock.pass(100);
    }
    await done;
  };
  const begin = async () => {
    for (const it of [hooks.started, hooks.prompted, hooks.asksModel, hooks.before]) await report(it);
  };
  return { agent, report, pending, asked, answer, begin, clock, program: terminals.program(id) };
}

describe("Codex at work", () => {
  it("is denied through its hook; its next request to the model is the receipt", async () => {
    const { agent, report, asked, answer, begin } = await codexAtWork();
    await begin();
    const asking = report(hooks.asks);
    assert.deepEqual(await asked(), ["approval"]);
    await answer(2, "Not that file.");
    assert.deepEqual(await asking, {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "Not that file." },
      },
    });
    assert.equal((await agent()).outbox[0]?.state, "delivered");
    await report(hooks.asksModel);
    assert.deepEqual([(await agent()).outbox, (await agent()).status], [[], "working"]);
  });

  it("draws its dialog as soon as somebody attaches, and is then answered by keys", async () => {
    const { agent, report, asked, pending, answer, begin, program } = await codexAtWork();
    await begin();
    program.setScreen(screens.working);
    const asking = report(hooks.asks);
    assert.deepEqual(await asked(), ["approval"]);
    program.attach();
    assert.deepEqual(await asking, {}, "the hook has no opinion");
    assert.deepEqual(await pending(), ["approval"]);
    program.setScreen(screens.command);
    program.onKeys = (keys) => keys[0] === "1" && program.setScreen(screens.working);
    await answer(1);
    assert.equal(program.input, "1");
    await report(hooks.after);
    assert.deepEqual([(await agent()).outbox, (await agent()).status], [[], "working"]);
  });

  it("draws its dialog at once if somebody is attached already", async () => {
    const { report, pending, begin, program } = await codexAtWork();
    await begin();
    program.attach();
    assert.deepEqual(await report(hooks.asks), {});
    assert.deepEqual(await pending(), ["approval"]);
  });

  it("is not called silent while it has nothing to report: it was told nothing", async () => {
    for (const [prompt, isSilent] of [["", false] as const, ["Build it", true] as const]) {
      const { agent, clock, program } = await codexAtWork({ prompt });
      program.setScreen(screens.idle);
      for (let n = 0; n < 100; n++) {
        clock.pass(100);
        await settled();
      }
      assert.equal((await agent()).silent != null, isSilent, prompt);
    }
  });
});
