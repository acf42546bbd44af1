import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Process } from "./list.ts";
import { processesIn, sharedLook } from "./list.ts";
import type { StepProcesses } from "./step-processes.ts";
import { killStep, processesOf } from "./step-processes.ts";

const SELF = 1;
const step: StepProcesses = {
  run_id: "run-1",
  scripts: ["/runs/run-1.aa.sh"],
  leaders: [{ pid: 10, began_s: 1000 }],
};
const one = (pid: number, more: Partial<Process> = {}): Process => ({
  pid,
  group: pid,
  session: pid,
  state: "S",
  began_s: 1000,
  run: null,
  command: "",
  ...more,
});
const found = (...all: Process[]) =>
  processesOf(processesIn([one(SELF), ...all]), step, SELF).map((it) => it.pid);

describe("the processes of a step", () => {
  it.each<[what: string, all: Process[], expected: number[]]>([
    ["carry the id of its run", [one(10, { run: "run-1" })], [10]],
    ["may be in a session of their own", [one(10, { run: "run-1" }), one(20, { run: "run-1" })], [10, 20]],
    ["include those in the same group", [one(10, { run: "run-1" }), one(11, { group: 10 })], [10, 11]],
    ["are recognized by their script", [one(12, { command: "bash\0/runs/run-1.aa.sh" })], [12]],
    ["may be stopped", [one(10, { run: "run-1", state: "T" })], [10]],
    [
      "may be unreadable, if the shell is as old as the run",
      [one(10, { run: undefined, state: "D", began_s: 998 })],
      [10],
    ],
    ["may have lost their shell", [one(11, { group: 10, session: 10, began_s: 1003 })], [11]],
    [
      "may have a dead shell that was not reaped",
      [one(10, { state: "Z" }), one(11, { group: 10, session: 10, began_s: 1003 })],
      [11],
    ],
    ["do not include those of another run", [one(10, { run: "run-2" })], []],
    ["do not include a stranger that got the pid", [one(10)], []],
    ["do not include a younger one that can't be read", [one(10, { run: undefined, began_s: 5000 })], []],
    ["do not include an older group", [one(11, { group: 10, session: 10, began_s: 3 })], []],
    ["do not include a group of another session", [one(11, { group: 10, session: 9 })], []],
    ["do not include the dead", [one(10, { run: "run-1", state: "Z" })], []],
    ["never include ourselves, whoever started us", [one(30, { group: SELF, run: "run-1" })], []],
  ])("%s", (_, all, expected) => assert.deepEqual(found(...all), expected));

  it("are not considered gone if nobody could look", async () => {
    const look = sharedLook(() => Promise.reject(new Error("EMFILE: too many open files")));
    await assert.rejects(killStep(step, look), /EMFILE/);
  });

  it("are not considered gone while one can't be ended, and the error says which", async () => {
    const pid = 2 ** 30; // no process has this number: the signal goes nowhere
    const look = sharedLook(async () => [one(pid, { run: "run-1", state: "D" })]);
    await assert.rejects(killStep(step, look, 50), new RegExp(`process ${pid}, which can't be interrupted`));
  });
});

describe("a look at the processes", () => {
  it("is shared by everyone who asks before it begins, and never older than the question", async () => {
    const looks: (() => void)[] = [];
    const look = sharedLook(async () => {
      await new Promise<void>((resolve) => looks.push(resolve));
      return [];
    });
    const first = [look(), look()];
    while (looks.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = [look(), look(), look()]; // while the first is being taken
    looks[0]?.();
    await Promise.all(first);
    while (looks.length === 1) await new Promise((resolve) => setImmediate(resolve));
    looks[1]?.();
    await Promise.all(second);
    assert.equal(looks.length, 2);
  });

  it("is taken again after one that failed", async () => {
    let looks = 0;
    const look = sharedLook(async () => {
      if (++looks === 1) throw new Error("EMFILE");
      return [one(7)];
    });
    await assert.rejects(look(), /EMFILE/);
    assert.equal((await look()).byPid.size, 1);
  });
});
