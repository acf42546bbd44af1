import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { tempProject } from "./support/project.ts";
import type { Refusal } from "./support/views.ts";

interface Status {
  running: boolean;
  pid: number | null;
  version: string | null;
  uptime_ms: number;
  socket: string;
  port: number | null;
  seq: number;
  pending: number;
}

/** What is left of a killed daemon for a moment: its lock is held, its socket takes connections, and nobody answers. */
const DYING = `
  const { DatabaseSync } = require("@photostructure/sqlite");
  new DatabaseSync(process.argv[1] + "/lock.db").exec("BEGIN EXCLUSIVE");
  require("node:net").createServer((it) => it.destroy()).listen(process.argv[1] + "/oj.sock", () => console.log("up"));
`;

describe("oj daemon status", () => {
  it("says that no daemon is running, and does not start one", async () => {
    const project = await tempProject();
    const { stdout, code } = await project.run("daemon", "status");
    assert.equal(stdout, "the daemon isn't running\n");
    assert.equal(code, 0);
    const status = await project.json<Status>("daemon", "status");
    const { running, pid, version, uptime_ms, socket, port, seq, pending } = status;
    assert.deepEqual(
      { running, pid, version, uptime_ms, socket, port, seq, pending },
      {
        running: false,
        pid: null,
        version: null,
        uptime_ms: 0,
        socket: path.join(project.stateDir, "oj.sock"),
        port: null,
        seq: 0,
        pending: 0,
      },
    );
    assert.equal(fs.existsSync(project.stateDir), false);
  });

  also("reports the state of the daemon", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const status = await project.json<Status>("daemon", "status");
    assert.equal(status.running, true);
    assert.ok((status.pid ?? 0) > 0);
    assert.match(
      (await project.run("daemon", "status")).stdout,
      new RegExp(`^✓ the daemon is running\n {2}pid {6}${status.pid}\n`),
    );
  });
});

describe("oj daemon start and stop", () => {
  it("starts one, says so if it is already running, and stops it", async () => {
    const project = await tempProject();
    const started = await project.run("daemon", "start");
    const pid = await project.daemonPid();
    assert.equal(started.stdout, `✓ the daemon is running (pid ${pid})\n`);
    const again = await project.run("daemon", "start");
    assert.deepEqual(again, {
      stdout: `✓ the daemon is already running (pid ${pid})\n`,
      stderr: "",
      code: 0,
    });
    const stopped = await project.run("daemon", "stop");
    assert.deepEqual(stopped, { stdout: `✓ the daemon (pid ${pid}) has stopped\n`, stderr: "", code: 0 });
    const absent = await project.run("daemon", "stop");
    assert.deepEqual(absent, { stdout: "the daemon isn't running\n", stderr: "", code: 0 });
    assert.deepEqual(await project.json("daemon", "stop"), { stopped: false, pid: null });
  });

  it("ends up with one daemon when many commands start it at once", async () => {
    const project = await tempProject();
    const all = await Promise.all(Array.from({ length: 6 }, () => project.run("job", "list")));
    assert.deepEqual(
      all.map((it) => it.code),
      all.map(() => 0),
    );
    const log = fs.readFileSync(path.join(project.stateDir, "daemon.log"), "utf8");
    assert.equal(log.match(/"message":"started"/g)?.length, 1);
  });

  also("is started by many at once, although none of the folders above its state exists", async () => {
    const project = await tempProject();
    for (let round = 0; round < 3; round++) {
      project.env.OJ_STATE_DIR = path.join(project.stateDir, `${round}`, "a", "b", "c");
      const all = await Promise.all(Array.from({ length: 8 }, () => project.run("job", "list")));
      assert.deepEqual(
        all.map(({ code, stderr }) => [code, stderr]),
        all.map(() => [0, all[0]?.stderr]),
      );
      assert.equal((await project.run("daemon", "stop")).code, 0);
    }
  });

  also("starts one in the place of a daemon that was killed and is not quite gone", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    await project.run("daemon", "stop");
    const dying = spawn(process.execPath, ["-e", DYING, project.stateDir], {
      cwd: import.meta.dirname, // where the driver is found
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void dying.kill("SIGKILL"));
    await once(dying.stdout, "data");
    const ends = setTimeout(() => dying.kill("SIGKILL"), 1000);
    const { code, stdout, stderr } = await project.run("daemon", "start");
    clearTimeout(ends);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, `✓ the daemon is running (pid ${await project.daemonPid()})\n`);
  });

  also("stops a daemon whose socket was removed", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const pid = await project.daemonPid();
    fs.rmSync(path.join(project.stateDir, "oj.sock"));
    assert.equal((await project.run("daemon", "stop")).stdout, `✓ the daemon (pid ${pid}) has stopped\n`);
  });

  it("ends by itself once its state folder was moved, and leaves the next daemon there alone", async () => {
    const project = await tempProject();
    await project.run("decision", "request", "--prompt", "Before?", "--option", "Yes");
    const before = await project.daemonPid();
    fs.renameSync(project.stateDir, `${project.stateDir}-moved`);
    await project.run("decision", "request", "--prompt", "After?", "--option", "Yes");
    const after = await project.daemonPid();
    assert.notEqual(after, before);
    await project.until(() => !fs.existsSync(`/proc/${before}`));
    assert.equal(await project.daemonPid(), after, "its pid is still there");
    const titles = async () =>
      (await project.json<{ title: string }[]>("decision", "list")).map((it) => it.title);
    assert.deepEqual(await titles(), ["After?"]);
    assert.equal((await project.run("daemon", "stop")).stdout, `✓ the daemon (pid ${after}) has stopped\n`);
    assert.ok(!fs.existsSync(path.join(project.stateDir, "oj.sock")), "its own socket goes with it");
    fs.rmSync(project.stateDir, { recursive: true });
    fs.renameSync(`${project.stateDir}-moved`, project.stateDir);
    assert.deepEqual(await titles(), ["Before?"], "nothing was lost");
  });

  it("kills a daemon that does not answer", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const pid = (await project.daemonPid()) ?? 0;
    process.kill(pid, "SIGSTOP");
    const status = await project.run("daemon", "status", "-o", "json");
    assert.equal((JSON.parse(status.stdout) as Refusal).error.code, "daemon.unreachable");
    assert.equal(status.code, 3);
    assert.equal(
      (await project.run("daemon", "stop", "--kill")).stdout,
      `✓ the daemon (pid ${pid}) has stopped\n`,
    );
  });

  also("restarts it, and pending decisions stay pending", async () => {
    const project = await tempProject();
    const asked = ["decision", "request", "--prompt", "Tea?", "--option", "Yes", "--option", "No"];
    await project.run(...asked);
    const before = await project.daemonPid();
    const { stdout, code } = await project.run("daemon", "restart");
    const after = await project.daemonPid();
    assert.equal(stdout, `✓ the daemon was restarted (pid ${after})\n`);
    assert.equal(code, 0);
    assert.notEqual(after, before);
    assert.equal((await project.json<Status>("daemon", "status")).pending, 1);
  });

  also("runs it in the foreground with its log until interrupted", async () => {
    const project = await tempProject();
    const running = project.start("daemon", "start", "--foreground");
    await project.until(() => / info {3}started {2}version=/.test(running.stdout()));
    assert.ok(await project.daemonPid());
    running.kill("SIGTERM");
    await running.ended;
    await project.until(async () => (await project.daemonPid()) === null);
  });

  also("tells the caller why it could not start", async () => {
    const project = await tempProject({}, { env: { OJ_STATE_DIR: `/tmp/${"x".repeat(120)}` } });
    const { stderr, code } = await project.run("daemon", "start");
    assert.match(
      stderr,
      /^✗ the socket's path has \d+ bytes; the system allows 107: .*\n {2}→ set OJ_STATE_DIR/,
    );
    assert.equal(code, 3);
  });

  it("repairs only a store that is not in use", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const { stderr, code } = await project.run("daemon", "start", "--repair");
    assert.match(stderr, /→ oj daemon stop\n$/);
    assert.equal(code, 3);
  });
});

describe("oj daemon logs", () => {
  also("says so when there are none yet", async () => {
    const project = await tempProject();
    const { stdout, stderr, code } = await project.run("daemon", "logs");
    assert.equal(stdout, "");
    assert.match(stderr, /the daemon has written nothing/);
    assert.equal(code, 0);
  });

  also("shows lines in readable form or raw, and works without the daemon", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    await project.run("daemon", "stop");
    const { stdout } = await project.run("daemon", "logs", "-n", "1");
    assert.match(stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}info {3}stopped {2}seq=0\n$/);
    const json = await project.run("daemon", "logs", "-n", "2", "-o", "json");
    const lines = json.stdout
      .trim()
      .split("\n")
      .map((it) => JSON.parse(it) as { message: string });
    assert.deepEqual(
      lines.map((it) => it.message),
      ["stopping", "stopped"],
    );
    assert.equal(await project.daemonPid(), null);
  });

  also("follows the file across rotation", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    await project.run("daemon", "stop");
    const file = path.join(project.stateDir, "daemon.log");
    const following = project.start("daemon", "logs", "-f", "-n", "1", "-o", "json");
    await project.until(() => following.stdout().includes('"stopped"'));
    const line = (message: string) => `${JSON.stringify({ at_ms: 0, level: "info", message })}\n`;
    fs.appendFileSync(file, line("before"));
    fs.renameSync(file, `${file}.1`);
    fs.writeFileSync(file, line("after"));
    await project.until(() => following.stdout().includes('"after"'));
    fs.appendFileSync(file, line("last"));
    await project.until(() => following.stdout().includes('"last"'));
    const seen = following
      .stdout()
      .trim()
      .split("\n")
      .map((it) => (JSON.parse(it) as { message: string }).message);
    assert.deepEqual(seen, ["stopped", "before", "after", "last"]);
    following.kill("SIGINT");
    assert.equal((await following.ended).code, 130);
  });
});
