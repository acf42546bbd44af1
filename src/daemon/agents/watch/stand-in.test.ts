/** The file that stands in for reports, where the first report comes at a bad moment. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { tempFolder, until } from "../../../../test/contracts/temp.ts";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import type { Seen } from "../../../agents/client.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { Refusal } from "../../../core/model/errors.ts";
import type { Launches } from "../conversation/launches.ts";
import { startStandIn } from "./stand-in.ts";

const CONVERSATION = "0b6f5d2e-7f4c-4a57-9d0e-2d6f6a1c7b11";
const CLEARED = "5c1e9a34-1d3b-4a0f-8a55-9d1f0b7e6c22";
const PID = 1000;

/** An agent whose reports may not arrive, and the file that keeps its conversation. */
async function unheard() {
  const world = await hookedAgent();
  const { engine, ports, hooks, turns, id } = world;
  await hooks.saw(id, { type: "conversation", conversation: CONVERSATION, transcript: null });
  const home = await tempFolder();
  const folder = path.join(home, ".claude", "projects", "-");
  const sessions = path.join(home, ".claude", "sessions");
  for (const it of [folder, sessions]) fs.mkdirSync(it, { recursive: true });
  const held = { launches: async () => {}, isNews: async () => {} };
  const launches: Launches = {
    note: async () => {},
    async of() {
      await held.launches();
      const place = { env: { HOME: home }, home, cwd: "/", folder: home };
      return {
        incarnation: 1,
        conversation: CONVERSATION,
        started_at_ms: 0,
        env: {},
        isOurs: true,
        place,
      };
    },
  };
  let isOpen = true;
  const told: Seen[] = [];
  const standIn = startStandIn(engine, ports, {
    hooks: {
      ...hooks,
      async isNews(...about) {
        await held.isNews();
        return hooks.isNews(...about);
      },
      async saw(agent_id, seen, still) {
        await hooks.saw(agent_id, seen, still);
        told.push(seen);
      },
    },
    turns,
    launches,
    agentClientOf,
    evident: () => {},
    isOpen: () => isOpen,
    told: () => {},
  });
  onTestFinished(standIn.stop);
  const write = (conversation: string, ...words: string[]) => {
    for (const content of words) {
      const line = { type: "user", message: { content }, timestamp: new Date(1_900_000_000_000) };
      fs.appendFileSync(path.join(folder, `${conversation}.jsonl`), `${JSON.stringify(line)}\n`);
    }
  };
  return {
    ...{ ...world, held, write, told },
    follow: async () => standIn.follow(await world.agent()),
    ended: async () => standIn.ended(await world.agent()),
    /** The process has another conversation now. */
    clear: () =>
      fs.writeFileSync(path.join(sessions, `${PID}.json`), JSON.stringify({ sessionId: CLEARED, pid: PID })),
    /** The agent's first report arrives. */
    reports() {
      isOpen = false;
      standIn.leave(id);
    },
    /** It asks by its hook, with a dialog that nobody has answered yet. */
    async asks() {
      void world.send({ ...call("PermissionRequest", "make"), session_id: CONVERSATION });
      await until(async () => (await world.pending()).length > 0);
    },
  };
}

/** Waits at a place in the code until the test lets it go on. */
function gate() {
  let open = () => {};
  let reached = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  const there = new Promise<void>((resolve) => (reached = resolve));
  return {
    there,
    open: () => open(),
    async wait() {
      reached();
      await passed;
    },
  };
}

/** What was told of words that were said. */
const wordsIn = (told: readonly Seen[]) => told.flatMap((it) => (it.type === "submitted" ? [it.text] : []));

describe("a file that stands in for reports", () => {
  it("says what the agent was told, once", async () => {
    const { write, follow, told } = await unheard();
    write(CONVERSATION, "Build it", "Go on.");
    await follow();
    await follow();
    assert.deepEqual(wordsIn(told), ["Build it", "Go on."]);
  });

  it("is left alone if the first report comes while it is looked for: a question stays", async () => {
    const { write, follow, held, reports, asks, pending } = await unheard();
    write(CONVERSATION, "Build it");
    const launch = gate();
    held.launches = launch.wait;
    const following = follow();
    await launch.there;
    reports();
    launch.open();
    await following;
    await asks();
    write(CONVERSATION, "Go on.");
    await follow();
    assert.equal((await pending()).length, 1, "the line is of what was reported before the question");
  });

  it("is left alone if the first report comes while a line of it is being recorded", async () => {
    const { write, follow, held, reports, asks, pending } = await unheard();
    write(CONVERSATION, "Build it");
    await follow();
    write(CONVERSATION, "Go on.");
    const line = gate();
    held.isNews = line.wait;
    const following = follow();
    await line.there;
    reports();
    await asks();
    line.open();
    await following;
    assert.equal((await pending()).length, 1);
  });

  it("is left alone if the first report comes while the file after it is looked for", async () => {
    const { write, follow, held, clear, reports, asks, agent, pending } = await unheard();
    write(CONVERSATION, "Build it");
    clear();
    await follow();
    const launch = gate();
    held.launches = launch.wait;
    write(CLEARED, "Go on.");
    const following = follow();
    await launch.there;
    reports();
    await asks();
    launch.open();
    await following;
    assert.deepEqual([(await pending()).length, (await agent()).conversation], [1, CONVERSATION]);
  });

  it("counts once for an agent that died, though its exit could not be recorded at first", async () => {
    const { write, ended, told } = await unheard();
    write(CONVERSATION, "Build it");
    await ended();
    await ended();
    assert.deepEqual(wordsIn(told), ["Build it"]);
  });

  it("is read again from where the store took no more: each line counts once, and in order", async () => {
    const { write, follow, told, ports, hooks, id, agent } = await unheard();
    write(CONVERSATION, "Build it");
    await follow();
    await hooks.saw(id, { type: "stopped", last_message: "Done." });
    write(CONVERSATION, "Go on.", "Stop.");
    ports.log.failNext(new Refusal("store.full", "the disk is full", null));
    await assert.rejects(follow(), /the disk is full/);
    assert.equal((await agent()).status, "idle");
    await follow();
    await follow();
    assert.deepEqual(wordsIn(told), ["Build it", "Go on.", "Stop."]);
    assert.equal((await agent()).status, "working");
  });
});
