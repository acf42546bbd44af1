/**
 * What a new agent client touches, counted by a dry run: a client of its own folder, known to `agents/known/list.ts` by one line, is started,
 * asked, answered and told by the daemon's own parts. Nothing else in src/ may know a client.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import type { Rule } from "../../src/daemon/engine/engine.ts";
import { agentDef } from "../fakes/agents.ts";
import { fakeClock } from "../fakes/fake-clock.ts";
import { fakeLog } from "../fakes/fake-log.ts";
import { fakeTerminals } from "../fakes/fake-terminals.ts";
import { forever } from "../fakes/forever.ts";
import { noPolicies } from "../fakes/policies.ts";
import { settled } from "../fakes/settled.ts";

const LIST = "../../src/agents/known/list.ts";

/** The source with one line more in its list: `export { robin } from "../robin/client.ts";`. */
async function withRobin() {
  vi.resetModules(); // other tests share modules with this one
  vi.doMock(LIST, async (original) => ({
    ...(await original<object>()),
    ...(await import("../fakes/robin/client.ts")),
  }));
  return {
    ...(await import("../../src/agents/known/clients.ts")),
    ...(await import("../../src/core/flow/agent-start.ts")),
    ...(await import("../../src/core/decision/decision.ts")),
    ...(await import("../../src/core/decision/give.ts")),
    ...(await import("../../src/core/owed.ts")),
    ...(await import("../../src/core/model/state/state.ts")),
    ...(await import("../../src/daemon/agents/agents.ts")),
    ...(await import("../../src/daemon/engine/engine.ts")),
    ...(await import("../../src/daemon/engine/hub.ts")),
    ...(await import("../../src/daemon/sessions/dialogs.ts")),
    ...(await import("../../src/daemon/sessions/hooks.ts")),
  };
}

let src: Awaited<ReturnType<typeof withRobin>>;
beforeAll(async () => {
  src = await withRobin();
});
afterAll(() => {
  vi.doUnmock(LIST);
  vi.resetModules();
});

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-new-client-"));
afterAll(() => fs.rmSync(dir, { recursive: true }));

async function robinAtWork(run = "robin --fast") {
  const terminals = fakeTerminals();
  const ports = {
    log: fakeLog(),
    clock: fakeClock(),
    journal: { debug() {}, info() {}, warn() {}, error() {} },
    random: randomBytes,
    terminals,
    files: { loadEnv: async () => null },
    programs: { version: async () => "0.1" },
    readSource: async () => ({ text: null }),
    isRunning: () => null,
  };
  const engine = src.startEngine(ports, src.emptyState());
  const place = { dir, stateDir: dir, env: { ROBIN_NEST: "/nest" }, hookUrl: () => "http://127.0.0.1:1/x" };
  const agents = src.startAgents(engine, ports as never, { ...place, hungAfterMs: 600_000 });
  const record = (rule: Rule) => engine.run(rule);
  const owner = { args: {}, env: {}, invoke: "/", root: "/", by: "ana" };
  await engine.run((state, moment) =>
    src.startCrew(state, { id: "crew-1", project: "p", name: "c", def: agentDef({ run }), ...owner }, moment),
  );
  /** All that is owed to agents is done. */
  const chores = async () => {
    const due = await engine.read((state) => src.owed(state));
    for (const it of due)
      if (it.type === "start-agent" || it.type === "deliver") await agents.perform(it, record);
    await settled();
  };
  await chores();
  const agent = () => engine.read((state) => [...state.agents.values()][0] ?? assert.fail("no agent"));
  const { id } = await agent();
  const report = (body: object) => agents.hooks.handle(id, body, forever);
  const pending = () => engine.read((state) => [...state.pending].map((it) => state.decisions.get(it)));
  const answer = async (choice: number, message: string | null = null) => {
    const [decision] = await pending();
    const given = { id: decision?.id ?? "", choices: [[choice]], text: null, message, by: "ana" };
    await engine.run((state, moment) => src.resolveDecision(state, { ...given, via: "cli" }, moment));
    await chores();
  };
  return { agents, agent, report, pending, answer, program: terminals.program(id), ports, engine };
}

describe("a new client", () => {
  it("is known by its run line, and recorded by its name", async () => {
    const { agent } = await robinAtWork("env A=1 /opt/robin --fast");
    assert.equal((await agent()).kind, "robin");
  });

  it("is started its own way, with its task and the only kind of hooks that it has", async () => {
    const { program, agent } = await robinAtWork();
    const added = program.started.argv.slice(program.started.argv.indexOf("--tell"));
    assert.deepEqual(added, ["--tell", "http://127.0.0.1:1/x", "--by", "command", "Build it"]);
    assert.deepEqual((await agent()).notes, ["robin 0.1 is a fledgling"]);
    const launch = path.join(dir, (await agent()).id, "launch.json");
    assert.equal(JSON.parse(fs.readFileSync(launch, "utf8")).env.ROBIN_NEST, "/nest");
  });

  it("asks by its own hook and is answered by its own reply", async () => {
    const { agent, report, pending, answer } = await robinAtWork();
    await report({ did: "heard", text: "Build it" });
    await report({ did: "begins", id: "r1", verb: "peck", what: "a tree" });
    const asking = report({ did: "asks", verb: "peck", what: "a tree" });
    await settled();
    const [decision] = await pending();
    assert.deepEqual([decision?.source, decision?.title], ["approval", "peck: a tree"]);
    await answer(2, "Mind the bark.");
    assert.deepEqual(await asking, { fly: false, song: "Mind the bark." });
    await report({ did: "ended", id: "r1" });
    assert.deepEqual([(await agent()).status, (await agent()).outbox], ["working", []]);
  });

  it("is refused, in its own words, a call that is not the one that was approved", async () => {
    const { report, answer } = await robinAtWork();
    await report({ did: "begins", id: "r1", verb: "peck", what: "a tree" });
    const asking = report({ did: "asks", verb: "peck", what: "a tree" });
    await settled();
    await answer(1);
    assert.deepEqual(await asking, { fly: true });
    const refused = await report({ did: "begins", id: "r1", verb: "peck", what: "the neighbour" });
    assert.match((refused as { halt: string }).halt, /^This is not what was approved/);
  });

  it("hears what it is told when it waits, once its place to write is empty", async () => {
    const { report, pending, answer, program, ports, agent } = await robinAtWork();
    program.setScreen("robin> half a thou");
    program.onKeys = (keys) => keys[0] === "C-u" && program.setScreen("robin> ");
    program.onText = (text) => program.setScreen(`robin> ${text}`);
    await report({ did: "waits", text: "Shall I go on?" });
    assert.equal((await pending())[0]?.title, "Stopped: Shall I go on?");
    const told = answer(1, "Sing louder.");
    for (let n = 0; n < 40 && (await agent()).outbox[0]?.state !== "delivered"; n++) {
      await settled(2);
      ports.clock.pass(100);
    }
    assert.ok(program.input.startsWith("\u0015") && program.input.endsWith("Sing louder.\r"), program.input);
    await report({ did: "heard", text: (await agent()).outbox[0]?.text });
    await settled();
    ports.clock.pass(300);
    await told;
    assert.deepEqual((await agent()).outbox, []);
  });

  it("ends with its turn where its own flag says so, which nobody else's does", () => {
    assert.ok(src.clients.endsWithTurn("robin", "robin --once"));
    assert.ok(!src.clients.endsWithTurn("robin", "robin -p"));
    assert.ok(src.clients.endsWithTurn("claude-code", "claude -p"));
  });

  it("has sessions of its own, whose turns and dialogs are looked after", async () => {
    const { engine, ports } = await robinAtWork();
    const service = { engine, ports, hub: src.startHub(engine), stopping: forever, policies: noPolicies() };
    const hooks = src.startSessionHooks(service, src.startSessionDialogs(engine, ports, forever));
    const blocked = await hooks.handle({ seat: "s1", did: "waits", text: "Done." }, {}, forever);
    assert.match((blocked.body as { stay: string }).stay, /decision/);
    const asking = hooks.handle({ seat: "s1", did: "asks", verb: "peck", what: "a tree" }, {}, forever);
    await settled();
    const [id] = await engine.read((state) => [...state.pending]);
    const given = { id: id ?? "", choices: [[1]], text: null, message: null, by: "ana" };
    await engine.run((state, moment) => src.resolveDecision(state, { ...given, via: "cli" }, moment));
    assert.deepEqual((await asking).body, { fly: true });
  });
});

/** What is Claude Code's alone: its name, its hooks and their fields, its tools, its signs. */
const ITS = [
  /claude|anthropic/i,
  /\b(PreToolUse|PostToolUse|PostToolBatch|PermissionRequest|UserPromptSubmit|StopFailure|SubagentStop)\b/,
  /\b(hook_event_name|hookSpecificOutput|additionalContext|tool_use_id|transcript_path|permission_mode)\b/,
  /\b(AskUserQuestion|ExitPlanMode|acceptEdits)\b/,
  /[❯⎿✻]/,
  /\bkind [!=]== "(program|scripted)"/,
];

/** Where it may stand all the same, and why. */
const ALLOWED: Record<string, string> = {
  "agents/hook-input.ts": "the form of its hooks' reports, which Codex took over",
  "agents/hook-output.ts": "the form of its hooks' output, which Codex took over",
  "agents/gemini/session.ts": "its hooks took over much of that form",
  "agents/known/list.ts": "the list of clients",
  "agents/known/setups.ts": "the list of clients whose own sessions oj can join",
  "agents/opencode/plugin-source.ts": "our plugin reports in that form",
  "agents/opencode/session.ts": "our plugin reports in that form",
  "agents/scripted/client.ts": "the scripted agent speaks Claude Code's language on purpose",
  "cli/init.ts": "help says what `oj init claude` is for",
  "cli/mcp.ts": "an example in help",
  "core/policy/paths.ts": "its settings are among the files that no policy may let an agent change",
  "core/text/secrets/shapes.ts": "how a key of its maker looks, so that none leaves the machine",
  "runbook/build/schema.ts": "an example in a message",
};

describe("the source", () => {
  const root = path.join(import.meta.dirname, "../../src");
  const files = fs
    .readdirSync(root, { encoding: "utf8", recursive: true })
    .filter((it) => /\.tsx?$/.test(it) && !/\.test\.tsx?$/.test(it))
    // the scripted agent is a program that plays Claude Code, and the runner for ACP reports as it does
    .filter((it) => !/^(agents\/claude|agents\/codex|agent|scripted-agent|acp-runner)\//.test(it));
  const textOf = (file: string) => fs.readFileSync(path.join(root, file), "utf8");

  it("knows what is Claude Code's in its folder alone, and where there is a reason", () => {
    const isNamed = (text: string) => ITS.some((pattern) => pattern.test(text));
    const found = files.filter((it) => isNamed(textOf(it).replaceAll("oj init claude", "a command")));
    assert.deepEqual(found.sort(), Object.keys(ALLOWED).sort());
  });

  it("imports from a client's folder in the lists alone, and where any program is the fallback", () => {
    const from = files.filter((it) =>
      /from "[^"]*agents\/(claude|codex|scripted|program)\/|from "\.\.?\/(claude|codex|scripted|program)\//.test(
        textOf(it),
      ),
    );
    assert.deepEqual(from.sort(), [
      "agents/acp/client.ts",
      "agents/known/clients.ts",
      "agents/known/list.ts",
      "agents/known/setups.ts",
      "agents/scripted/client.ts",
    ]);
  });

  it("has a folder and one line for each client", () => {
    const lines = textOf("agents/known/list.ts")
      .split("\n")
      .filter((it) => it !== "" && !it.startsWith("/**"));
    const folders = fs.readdirSync(path.join(root, "agents"), { withFileTypes: true });
    const isClient = ({ name }: fs.Dirent) => name !== "known" && name !== "program";
    const names = folders.filter((it) => it.isDirectory() && isClient(it)).map((it) => it.name);
    assert.deepEqual(
      lines.map((it) => /^export \{ \w+ \} from "\.\.\/(\w+)\/client\.ts";$/.exec(it)?.[1]),
      names.sort(),
    );
  });
});
