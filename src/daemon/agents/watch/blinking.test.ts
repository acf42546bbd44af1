/** Screens that never stop printing: a mark beside a dialog blinks, a prompt is drawn again and again. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
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

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screenOf = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");
const BLINK_MS = 600;

/** An agent whose screen blinks; `isHeard`: its reports arrive. */
async function stage(run: string, isHeard: boolean) {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  const crew = { id: "crew-1", project: "p", name: "c", args: {}, env: {}, invoke: "/", root: "/" } as const;
  const prompts = [{ match: "Delete\\?$", options: [{ label: "Yes", keys: "y" }] }];
  const def = agentDef({ run, ...(run === "claude" ? {} : ({ prompts } as object)) });
  await engine.run((state, moment) => startCrew(state, { ...crew, def, by: "ana" }, moment));
  const id = await engine.read((state) => [...state.agents.keys()][0] ?? assert.fail("no agent"));
  const openHooks = startOpenHooks();
  const hooks = startHooks(engine, ports, openHooks, { text: async () => "" }, startTurns(), agentClientOf);
  let looks = 0;
  const watch = startAgentWatch(engine, ports, {
    hooks,
    openHooks,
    openDialogs: { printed() {}, forget() {}, stop() {} },
    catchUp: async () => void looks++,
    reports: { isOpen: () => !isHeard, printed() {}, forget() {} },
    standIn: { printed() {}, ended: async () => {}, leave() {} },
    agentClientOf,
  });
  onTestFinished(watch.stop);
  await ports.terminals.start({ agent_id: id, argv: [run], cwd: "/", env: {}, columns: 130, rows: 60 });
  const program = ports.terminals.program(id);
  await engine.run((state, moment) =>
    observe(state, { id, seen: { type: "spawned", incarnation: 1 } }, moment),
  );
  const events: string[] = [];
  engine.watch((all) => void events.push(...all.map((it) => it.type)));
  /** Shows this for a while, blinking. */
  const show = async (screen: string, ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      if (left % BLINK_MS === 0) {
        program.print("");
        program.setScreen(screen);
      }
      ports.clock.pass(100);
      await settled(3);
    }
  };
  /** Shows this, and is silent from then on. */
  const rest = async (screen: string, ms: number) => {
    program.setScreen(screen);
    for (let left = ms; left > 0; left -= 100) {
      ports.clock.pass(100);
      await settled(3);
    }
  };
  const status = () => engine.read((state) => state.agents.get(id)?.status);
  return { show, rest, status, events, looks: () => looks };
}

describe("a dialog with a mark beside it that blinks", () => {
  it.each(["approval-bash", "question-one", "plan"])(
    "%s is noticed within 4 s if no hook tells",
    async (it) => {
      const { show, looks } = await stage("claude", false);
      await show(screenOf(it), 4200);
      assert.ok(looks() > 0);
    },
  );

  it("is left to hooks where they arrive", async () => {
    const { show, looks } = await stage("claude", true);
    await show(screenOf("approval-bash"), 12_000);
    assert.equal(looks(), 0);
  });

  it("does not keep us from noticing that work ends, whenever that is", async () => {
    for (let ms = 2000; ms <= 4200; ms += 100) {
      const { show, rest, looks } = await stage("claude", false);
      await show(screenOf("working"), ms);
      await rest(screenOf("idle"), 2000);
      assert.equal(looks(), 1, `after ${ms} ms`);
    }
  });

  it("is not taken from a screen between two frames, nor is the end of work", async () => {
    const { show, looks } = await stage("claude", false);
    for (let n = 0; n < 10; n++) {
      await show(screenOf("working"), 1200);
      await show(screenOf("idle"), 600);
    }
    assert.equal(looks(), 0);
  });
});

describe("a program that draws its prompt again and again", () => {
  it("asks once, and goes on once its prompt is gone", async () => {
    const { show, status, events } = await stage("./repl.sh", false);
    await show("12:00\nDelete?", 4200);
    assert.equal(await status(), "prompting");
    await show("12:00\nDelete?", 6000);
    assert.deepEqual(
      events.filter((it) => it === "agent:prompted" || it === "agent:working"),
      ["agent:prompted"],
    );
    await show("Deleted.", 600);
    assert.equal(await status(), "working");
  });
});
