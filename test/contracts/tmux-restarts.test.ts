/** Daemons that are killed, and the tmux server that each leaves to the next. */
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { describe, it, onTestFinished } from "vitest";
import { announce } from "../../src/adapters/tmux/connecting.ts";
import type { AgentId } from "../../src/core/model/ids.ts";
import { until } from "./temp.ts";
import { terminalDaemon } from "./terminal-daemon.ts";
import type { TmuxWorld } from "./terminal-world.ts";
import { env, tmuxWorld } from "./terminal-world.ts";
import { read, witness } from "./terminals.contract.ts";

/** With `destroy-unattached` and a subscription, tmux 3.3a did not survive the forty of `npm run test:long` (ADR 5). */
const KILLS = Number(process.env.OJ_TMUX_KILLS ?? 12);

const start = (agent_id: AgentId, script: string) =>
  `await terminals.start(${JSON.stringify({ agent_id, argv: ["bash", "-c", script], cwd: "/", env, columns: 80, rows: 24 })});`;

const isRunning = async (pid: number) => {
  const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => " Z ");
  return !/ Z /.test(stat);
};

describe("a killed daemon", () => {
  it("leaves its terminals to the next one, which misses nothing that was printed", async () => {
    const world = await tmuxWorld();
    const script = "for n in $(seq 1 100); do echo $n; sleep 0.01; done; read";
    await (await terminalDaemon(world, start("agt-1", script))).kill();
    const { terminals } = world;
    await until(async () => (await read(terminals, "agt-1", 1)) === "100\n");
    const expected = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join("");
    assert.equal(await read(terminals, "agt-1"), expected);
    assert.deepEqual(
      (await terminals.list()).map((it) => [it.agent_id, it.exit]),
      [["agt-1", null]],
    );
    const { exits } = witness(terminals);
    await terminals.press("agt-1", ["Enter"]);
    await until(() => exits.length === 1);
    assert.deepEqual(exits, [["agt-1", 0]]);
  });

  it(`takes no terminal with it, even if killed ${KILLS} times, whatever it is doing`, async () => {
    const world = await tmuxWorld();
    const ids = Array.from({ length: 5 }, (_, index): AgentId => `agt-${index}`);
    const busy = "while read -t 0.05; (( $? > 128 )); do echo tick; done";
    await (await terminalDaemon(world, ids.map((id) => start(id, busy)).join(""))).kill();
    const server = await world.serverPid();
    const work = [
      "",
      "await terminals.list();",
      "terminals.watch({ exited() {}, printed() {} }); await terminals.screen('agt-1', { history: 5000 });",
      "await terminals.list(); setInterval(() => terminals.screen('agt-2', { history: 5000 }), 1);",
      "await terminals.list(); setInterval(() => terminals.resize('agt-3', 80, 24), 1);",
      `await terminals.kill('agt-9'); terminals.kill('agt-9'); ${start("agt-9", "sleep 100")}`,
    ];
    for (let n = 0; n < KILLS; n++) await (await terminalDaemon(world, work[n % work.length] ?? "")).kill();
    assert.equal(await world.serverPid(), server);
    const living = (await world.terminals.list()).filter((it) => it.alive).map((it) => it.agent_id);
    assert.deepEqual(living.filter((it) => it !== "agt-9").sort(), ids);
  });
});

describe("a tmux server that somebody ends after its daemon was killed", () => {
  it("is gone for the next daemon, even though it still had something to tell the first and would wait forever", async () => {
    const world = await tmuxWorld();
    const first = await terminalDaemon(world, start("agt-1", "read"));
    const server = await world.serverPid();
    first.stop();
    onTestFinished(first.kill);
    for (let n = 0; n < 20; n++) await world.tmux("rename-window", "-t", "=oj:", `${n}${"x".repeat(8000)}`); // more than a pipe holds
    await first.kill();
    await world.tmux("kill-server");
    const list = () => world.terminals.list().catch(() => null);
    await until(async () => (await list())?.length === 0);
    assert.equal(await isRunning(server), false);
    await world.start("agt-2");
    assert.notEqual(await world.serverPid(), server);
    await world.terminals.kill("agt-2");
  });
});

describe("a tmux server without terminals", () => {
  it("ends when it is released, with its socket", async () => {
    const world = await tmuxWorld();
    await world.start("agt-1");
    const server = await world.serverPid();
    await world.terminals.kill("agt-1");
    assert.equal(await isRunning(server), true);
    await world.terminals.close();
    assert.equal(await isRunning(server), false);
    await assert.rejects(fs.stat(world.socket), { code: "ENOENT" });
  });

  it("that a killed daemon left behind is used by the next one, and ended by it", async () => {
    const world = await tmuxWorld();
    const first = await terminalDaemon(world, `${start("agt-1", "read")} await terminals.kill("agt-1");`);
    const server = await world.serverPid();
    await first.kill();
    assert.equal(await world.serverPid(), server);
    assert.deepEqual(await world.terminals.list(), []);
    await world.start("agt-2");
    assert.equal(await world.serverPid(), server);
    await world.terminals.kill("agt-2");
    await world.terminals.close();
    assert.equal(await isRunning(server), false);
  });

  it("is ended even by a daemon that had no use for it", async () => {
    const world = await tmuxWorld();
    const first = await terminalDaemon(world, `${start("agt-1", "read")} await terminals.kill("agt-1");`);
    const server = await world.serverPid();
    await first.kill();
    await world.terminals.close();
    assert.equal(await isRunning(server), false);
    await assert.rejects(fs.stat(world.socket), { code: "ENOENT" });
  });

  it("that does not answer is still released, and quickly", async () => {
    const world = await tmuxWorld();
    await world.start("agt-1");
    await world.terminals.kill("agt-1");
    const server = await world.serverPid();
    process.kill(server, "SIGSTOP");
    const begun = Date.now();
    await world.terminals.close().finally(() => process.kill(server, "SIGCONT"));
    assert.ok(Date.now() - begun < 60_000, `${Date.now() - begun} ms`);
    assert.match(world.journal.join("\n"), /tmux was left alone/);
  });

  it("stays while somebody else has a tmux session there, or the screen of an ended program is still shown", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1");
    const server = await world.serverPid();
    await program.exit(0);
    await until(async () => (await world.terminals.list())[0]?.alive === false);
    let next = await world.restart();
    assert.equal(await world.serverPid(), server);
    await world.tmux("new-session", "-d", "-s", "guest");
    await next.kill("agt-1");
    next = await world.restart();
    assert.deepEqual(await next.list(), []);
    assert.equal(await world.serverPid(), server);
    await world.tmux("kill-session", "-t", "guest");
  });
});

describe("a program that ends while a daemon connects", () => {
  const windowsOf = (world: TmuxWorld, agent: AgentId) =>
    world.tmux("list-windows", "-t", `=${agent}`, "-F", "#{window_name}#{window_active}");

  /** Until its windows are these. No daemon is there to notice what tmux missed (see `link.ts`), so the test does. */
  const untilShown = (world: TmuxWorld, windows: string) =>
    until(async () => {
      process.kill(await world.serverPid(), "SIGCHLD");
      return (await windowsOf(world, "agt-1")) === windows;
    });

  it("has ended for the daemon that comes, and who attaches sees our window", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1");
    const terminals = await world.restart(async () => {
      await announce({ socket: world.socket, env });
      await program.exit(7);
      await untilShown(world, "over1");
    });
    assert.equal((await terminals.list())[0]?.exit?.code, 7);
    assert.equal(await windowsOf(world, "agt-1"), "over0\noj1");
  });

  it("shows our window at once if none comes", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1");
    await world.restart(async () => {
      await program.exit(7);
      await untilShown(world, "over0\noj1");
    });
  });

  it("is put off as soon as one comes, and no longer than until it is there", async () => {
    const world = await tmuxWorld();
    await world.start("agt-1");
    await world.tmux("set-hook", "-g", "client-attached", "set-option -gF @seen '#{@oj-coming}'");
    const terminals = await world.restart();
    await terminals.list();
    assert.equal(await world.tmux("display-message", "-p", "#{@seen}|#{@oj-coming}"), "1|");
  });
});
