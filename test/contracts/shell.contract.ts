/** What every `Shell` keeps to, whatever runs its scripts. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { RunId } from "../../src/core/model/ids.ts";
import type { Script, Shell, ShellManner } from "../../src/ports.ts";
import type { Doing } from "../fakes/fake-shell.ts";
import { aRun, until } from "./temp.ts";

const [RUN, OTHER] = [aRun(), aRun()];

export interface ShellUnderTest {
  shell: Shell;
  cwd: string;
  /** A script that does this. */
  script(doing: Doing): string;
  /** What the next daemon would use, over what this one left. */
  restart(): Shell;
  /** What the first daemon would use after the machine went down, with every note of what had begun lost. */
  goDown(): Shell;
  /** A time after everything that was left. */
  later_ms(): number;
}

export function shellContract(name: string, make: () => Promise<ShellUnderTest>): void {
  async function setup() {
    const world = await make();
    let printed = "";
    const how: ShellManner = {
      env: { PATH: process.env.PATH ?? "" },
      timeoutMs: null,
      keepBytes: 1000,
      keep: "tail",
      onOutput: async (part) => {
        printed += part;
      },
    };
    const scriptOf = (doing: Doing, run_id: RunId = RUN): Script => ({
      run_id,
      job_id: "job-1",
      cwd: world.cwd,
      script: world.script(doing),
      values: {},
      env: {},
    });
    const run = (doing: Doing, more: Partial<ShellManner> = {}, run_id: RunId = RUN) =>
      world.shell.run(scriptOf(doing, run_id), { ...how, ...more });
    return { ...world, how, scriptOf, run, printed: () => printed };
  }

  const left = async (shell: Shell, before_ms: number) => {
    const ids: RunId[] = [];
    for await (const id of shell.left(before_ms)) ids.push(id);
    return ids.sort();
  };

  describe(`${name} as a shell`, () => {
    it("runs a script to its end and tells what it printed", async () => {
      const { run, printed } = await setup();
      assert.deepEqual(await run({ prints: "one\ntwo\n" }), {
        run_id: RUN,
        job_id: "job-1",
        exit_code: 0,
        error: null,
        output: "one\ntwo",
      });
      assert.equal(printed(), "one\ntwo\n");
    });

    it("tells the exit code of a script that fails, and its last errors", async () => {
      const { run, printed } = await setup();
      const outcome = await run({ prints: "out\n", complains: "because\n", code: 7 });
      assert.deepEqual(
        [outcome.exit_code, outcome.error, outcome.output],
        [7, "exit code 7\nbecause", "out"],
      );
      assert.match(printed(), /because/);
    });

    it("reads both streams as one, in the order they were written", async () => {
      const { run, printed } = await setup();
      const outcome = await run({ prints: "out\n", complains: "because\n", code: 7 }, { oneStream: true });
      assert.deepEqual([outcome.error, outcome.output], ["exit code 7", "out\nbecause"]);
      assert.equal(printed(), "out\nbecause\n");
    });

    it("keeps the head or the tail of the output, and says what it left out", async () => {
      const { run, printed } = await setup();
      const prints = `${"a".repeat(900)}${"z".repeat(900)}\n`;
      const tail = await run({ prints }, { keepBytes: 100, keep: "tail" });
      assert.match(tail.output, /^\(1701 bytes before this were left out\) …\nz{99}$/);
      const head = await run({ prints }, { keepBytes: 100, keep: "head" });
      assert.match(head.output, /^a{100}\n… \(1701 more bytes were left out\)$/);
      assert.equal(printed(), prints + prints);
    });

    it("ends only when whoever takes the output has it", async () => {
      const { run } = await setup();
      let take = () => {};
      let isOver = false;
      const taken = new Promise<void>((resolve) => (take = resolve));
      let began = false;
      const onOutput = () => {
        began = true;
        return taken;
      };
      const running = run({ prints: "x\n" }, { onOutput }).then(() => (isOver = true));
      await until(() => began);
      assert.equal(isOver, false);
      take();
      await running;
    });

    it("stops a run, which then says that it was cancelled", async () => {
      const { run, shell, printed } = await setup();
      const running = run({ prints: "begun\n", endless: true });
      await until(() => printed() === "begun\n");
      await shell.stop(RUN);
      const { exit_code, error, output } = await running;
      assert.deepEqual([exit_code, error, output], [null, "cancelled", "begun"]);
    });

    it("never begins what is stopped before it began", async () => {
      const { run, shell, printed } = await setup();
      const running = run({ prints: "begun\n" });
      await shell.stop(RUN);
      assert.equal((await running).error, "cancelled");
      assert.equal(printed(), "");
    });

    it("does nothing when there is nothing to stop", async () => {
      const { shell, run } = await setup();
      await shell.stop(RUN);
      assert.equal((await run({})).exit_code, 0);
      await shell.stop(RUN);
    });

    it("ends a run that takes too long, and says so", async () => {
      const { run } = await setup();
      const outcome = await run({ endless: true }, { timeoutMs: 200 });
      assert.deepEqual([outcome.exit_code, outcome.error], [null, "timed out after 0.2 s"]);
    });

    it("ends everything as it closes, and each run says why", async () => {
      const { run, shell, printed } = await setup();
      const running = [run({ prints: "a", endless: true }), run({ prints: "b", endless: true }, {}, OTHER)];
      await until(() => printed().length === 2);
      await shell.close();
      for (const one of await Promise.all(running))
        assert.match(one.error ?? "", /^interrupted: the daemon was stopped/);
    });

    it("tells the next daemon what had begun, until it is forgotten", async () => {
      const { run, restart, later_ms } = await setup();
      await run({});
      const next = restart();
      assert.deepEqual(await left(next, later_ms()), [RUN]);
      assert.deepEqual(await left(next, 0), []);
      assert.equal(await next.recover(RUN), "began");
      assert.equal(await next.recover(OTHER), "never-began");
      await next.forget(RUN);
      assert.deepEqual(await left(next, later_ms()), []);
      assert.equal(await next.recover(RUN), "never-began");
    });

    it("takes everything for begun once the machine went down, until its outcome is recorded", async () => {
      const { run, restart, goDown } = await setup();
      await run({});
      const next = goDown();
      assert.equal(await next.recover(RUN), "began");
      assert.equal(
        await restart().recover(RUN),
        "began",
        "the first daemon died before it could record that",
      );
      const third = restart();
      await third.tookOver();
      assert.equal(await third.recover(OTHER), "never-began");
      assert.equal(await restart().recover(OTHER), "never-began");
    });

    it("leaves nothing of a run that was forgotten", async () => {
      const { run, shell, restart, later_ms } = await setup();
      await run({});
      await shell.forget(RUN);
      assert.deepEqual(await left(restart(), later_ms()), []);
      assert.equal(await restart().recover(RUN), "never-began");
    });

    it("ends what an earlier daemon left running", async () => {
      const { run, restart, printed } = await setup();
      const running = run({ prints: "begun\n", endless: true });
      await until(() => printed() === "begun\n");
      assert.equal(await restart().recover(RUN), "began");
      assert.equal((await running).error, "killed by SIGKILL");
    });
  });
}
