import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe as about, it } from "vitest";
import { decision } from "../../../../test/fakes/fake-client.ts";
import type { FakeClock } from "../../../../test/fakes/fake-clock.ts";
import { answered } from "../../../../test/fakes/fake-door.ts";
import { given, opened, outgoing } from "../../../../test/fakes/outgoing.ts";
import { reachTexts } from "../../../../test/fakes/reach-corpus.ts";
import { until } from "../../../../test/specs/support/project.ts";
import type { ChannelError } from "../channel.ts";
import { make } from "./exec.ts";

const all = ["decision.created", "decision.changed", "decision.settled", "decision.delivered"];

/** A program that is this script. */
async function stage(script: string, settings: Record<string, unknown> = { events: all }) {
  const from = given("exec", {}, { name: "exec.pager" });
  const program = path.join(from.dir, "pager");
  fs.writeFileSync(program, `#!/bin/sh\ncd "$(dirname "$0")"\n${script}\n`, { mode: 0o755 });
  const config = { ...from.config, settings: { command: [program, "--to", "a b"], ...settings } };
  const read = (name: string) => fs.readFileSync(path.join(from.dir, name), "utf8");
  return { from, read, channel: await opened(make, { ...from, config }) };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("it got through"),
    (error) => error as ChannelError,
  );

about("a program of one's own", () => {
  it("gets each event as JSON, and its arguments as they are", async () => {
    const { channel, read } = await stage('cat >> got; echo "$@" > args');
    const view = decision({ title: "Ship it?" });
    const { ref } = await channel.send(outgoing(view, { address: "+49 30 123" }));
    await channel.change?.(outgoing(answered(view, { person: "ben" })), ref ?? "");
    const got = read("got")
      .trim()
      .split("\n")
      .map((it) => JSON.parse(it));
    assert.deepEqual(
      got.map((it) => it.type),
      ["decision.created", "decision.settled"],
    );
    assert.equal(got[0].data.title, "Ship it?");
    assert.deepEqual([got[0].person, got[0].address, got[0].reason], ["ana", "+49 30 123", "asked"]);
    assert.equal(read("args"), "--to a b\n");
  });

  it("carries every text as data: nothing is read by a shell", async () => {
    const { channel, read } = await stage("cat > got");
    for (const text of reachTexts.slice(0, 90)) {
      await channel.send(outgoing(decision({ title: text })));
      assert.equal(JSON.parse(read("got")).data.title, text);
    }
  });

  it("says by its exit whether to try again", async () => {
    const later = await failure((await stage("echo no line >&2; exit 75")).channel.send(outgoing()));
    assert.equal(later.isFinal, false);
    const { channel } = await stage("echo first >&2; echo no such pager >&2; exit 3");
    const error = await failure(channel.send(outgoing()));
    assert.ok(error.isFinal);
    assert.match(error.message, /exited with 3: no such pager$/);
    assert.match((await channel.check()) ?? "", /no such pager/);
  });

  it("may ignore what it is told, and may say a lot", async () => {
    const { channel } = await stage("head -c 3000000 /dev/zero >&2");
    await channel.send(outgoing(decision({ context: "x".repeat(500_000) })));
    assert.equal(await channel.check(), null);
  });

  it("is ended with all that it started if it takes too long", async () => {
    const { channel, from, read } = await stage("sleep 1000 & echo $! > child; echo $$ > parent; wait");
    const sending = failure(channel.send(outgoing()));
    await until(() => fs.existsSync(path.join(from.dir, "parent")) && read("parent") !== "");
    (from.ports.clock as FakeClock).pass(30_000);
    assert.match((await sending).message, /took longer than 30 s/);
    for (const name of ["child", "parent"]) await until(() => !isAlive(Number(read(name))));
  });

  it("must be a full path or a name", async () => {
    for (const command of ["./pager", "", [], [1], undefined, ["bin/pager"]])
      await assert.rejects(stage("", { command }), { code: "config.invalid" });
    const { channel } = await stage("", { command: "/no/such/program" });
    assert.match((await failure(channel.send(outgoing()))).message, /can't be started/);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
