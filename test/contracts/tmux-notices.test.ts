/** The line in a person's own tmux, in a real one. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { make } from "../../src/daemon/reach/channels/tmux.ts";
import { decision } from "../fakes/fake-client.ts";
import { given, opened, outgoing } from "../fakes/outgoing.ts";
import { reachTexts } from "../fakes/reach-corpus.ts";
import { until } from "../specs/support/project.ts";

/** A tmux server of its own; with somebody who is attached, or nobody. */
async function stage(isAttached = true) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-tmux-"));
  const socket = path.join(dir, "s");
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  tmux("new-session", "-d", "-x", "200", "-y", "50", "cat");
  tmux("set-option", "-g", "message-limit", "5000");
  const client = isAttached
    ? spawn("tmux", ["-u", "-S", socket, "-C", "attach-session"], { stdio: ["pipe", "ignore", "ignore"] })
    : null;
  let left = "the client";
  client?.once("exit", (code, signal) => (left = `nobody since it ended with ${signal ?? code}`));
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail")
      process.stderr.write(`who is attached: ${left}\n${tmux("list-clients")}\n`);
    tmux("kill-server");
    client?.kill();
    fs.rmSync(dir, { recursive: true });
  });
  if (client) await until(() => tmux("list-clients") !== "");
  const channel = await opened(make, given("tmux", { socket }));
  return { channel, tmux };
}

describe("a line in a person's tmux", () => {
  it("says what is asked and what to type", async () => {
    const { channel, tmux } = await stage();
    await channel.send(outgoing(decision({ title: "Ship 1.0?" })));
    assert.match(
      tmux("show-messages"),
      /oj: Ship 1\.0\? · release\/1\.0 · ship · oj decision show dec-7k3m9x2p4q/,
    );
    assert.equal(await channel.check(), null);
  });

  it("runs and expands nothing of what an agent says", async () => {
    const { channel, tmux } = await stage();
    const touched = path.join(os.tmpdir(), `oj-touched-${process.pid}`);
    const hostile = ["#{pid}", `#(touch ${touched})`, "%H:%M", "#{?1,a,b}", "##{pid}", "#S", "-x", "--"];
    for (const title of hostile) await channel.send(outgoing(decision({ title })));
    const said = tmux("show-messages");
    for (const title of hostile) assert.ok(said.includes(`oj: ${title} ·`), `${title} in\n${said}`);
    assert.ok(!fs.existsSync(touched));
    for (const title of reachTexts.slice(0, 60)) await channel.send(outgoing(decision({ title })));
  });

  it("is not shown if nobody is there, or if agents live there", async () => {
    const alone = await stage(false);
    await assert.rejects(alone.channel.send(outgoing()), {
      message: "nobody is attached to tmux",
      isFinal: true,
    });
    const agents = await stage();
    agents.tmux("set-option", "-s", "@oj_now", "%s");
    await assert.rejects(agents.channel.send(outgoing()), /agents live in/);
    const none = await opened(make, given("tmux", { socket: "/nonexistent/socket" }));
    await assert.rejects(none.send(outgoing()), { message: "tmux is not running" });
  });

  it("may be shown later if tmux hangs; nobody is said to be away, and nothing to be shown", async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-tmux-"));
    const socket = path.join(dir, "s");
    const hanging = net.createServer(() => {}); // what a client meets if its server is stopped: it is let in, and no more
    hanging.listen(socket);
    await once(hanging, "listening");
    onTestFinished(() => {
      hanging.close();
      fs.rmSync(dir, { recursive: true });
    });
    const channel = await opened(make, given("tmux", { socket }));
    const why = "tmux did not answer within 5 s";
    await Promise.all([
      assert.rejects(channel.send(outgoing()), { message: why, isFinal: false }),
      channel.check().then((said) => assert.equal(said, why)),
    ]);
  });
});
