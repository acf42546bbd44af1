/** A daemon that can't start gives back all that it had taken. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { startDaemon } from "../../src/daemon/daemon.ts";
import { fakePorts } from "../fakes/ports.ts";
import { tempFolder } from "./temp.ts";

async function setup() {
  const home = await tempFolder();
  const stateDir = path.join(home, "state");
  fs.mkdirSync(path.join(stateDir, "agents"), { recursive: true });
  const config = loadConfig({ HOME: home, OJ_STATE_DIR: stateDir }, "/");
  const ports = fakePorts();
  const closed: string[] = [];
  for (const name of ["log", "terminals", "shell"] as const) {
    const { close } = ports[name];
    ports[name].close = async () => {
      closed.push(name);
      await close();
    };
  }
  const start = (more: object = {}) =>
    startDaemon(ports, { ...config, ...more }, { repair: false, webDir: home });
  const isListening = async () => {
    const port = fs.readFileSync(path.join(stateDir, "port"), "utf8").trim();
    return fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  };
  return { ports, closed, start, isListening, config };
}

it("when its socket can't be made, everything before it is released in reverse, and the reason is told", async () => {
  const { start, closed, isListening, config } = await setup();
  await assert.rejects(
    start({ socket: path.join(config.stateDir, "no-such-folder/oj.sock") }),
    /no-such-folder/,
  );
  assert.deepEqual(closed, ["shell", "terminals", "log"]);
  assert.equal(await isListening(), false);
});

it("when the log can't be read, the log is closed, and nothing else was taken", async () => {
  const { start, closed, ports } = await setup();
  ports.log.open = () => Promise.reject(new Error("it is of a newer version"));
  await assert.rejects(start(), { message: "it is of a newer version" });
  assert.deepEqual(closed, ["log"]);
});

it("starts and stops, in the same order", async () => {
  const { start, closed, isListening } = await setup();
  const daemon = await start();
  assert.equal(await isListening(), true);
  daemon.stop();
  await daemon.stopped;
  assert.deepEqual(closed, ["shell", "terminals", "log"]);
  assert.equal(await isListening(), false);
});

it("tells what would not be released, after everything else was", async () => {
  const { start, closed, ports } = await setup();
  ports.terminals.close = () => Promise.reject(new Error("tmux is gone"));
  const daemon = await start();
  daemon.stop();
  await assert.rejects(daemon.stopped, { message: "not released: the terminals: tmux is gone" });
  assert.deepEqual(closed, ["shell", "log"]);
});
