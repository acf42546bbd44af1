import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "vitest";
import { jobDef, jobInput } from "../../test/fakes/core.ts";
import { fakeClock } from "../../test/fakes/fake-clock.ts";
import { fakeLog } from "../../test/fakes/fake-log.ts";
import { fakeSessions } from "../../test/fakes/fake-sessions.ts";
import { fakeShelf } from "../../test/fakes/fake-shelf.ts";
import { settled } from "../../test/fakes/settled.ts";
import type { JobId } from "../core/ids.ts";
import { cancelJob, startJob } from "../core/job.ts";
import { emptyState } from "../core/state.ts";
import { startChores } from "./chores.ts";
import { startEngine } from "./engine.ts";
import { performer } from "./perform.ts";
import type { Ports } from "./ports.ts";

const nothing = () => Promise.reject(new Error("not expected"));

/** An engine whose job files are as slow as the test wants, and a shell that remembers what it was told. */
function setup(write: () => Promise<void>) {
  const told: string[] = [];
  const journal = { debug() {}, info() {}, warn() {}, error() {} };
  const ports: Ports = {
    log: fakeLog(),
    clock: fakeClock(),
    journal,
    random: randomBytes,
    shelf: fakeShelf,
    sessions: fakeSessions(),
    notifier: { notify: async () => {} },
    programs: { version: nothing },
    readScripts: async () => [],
    workspaces: { make: nothing, remove: nothing },
    files: {
      write,
      read: () => assert.fail("not expected"),
      saveEnv: nothing,
      loadEnv: async () => null,
      async *bare() {},
      purge: nothing,
    },
    shell: {
      run: async ({ run_id, job_id }) => {
        told.push("run");
        return { run_id, job_id, exit_code: 0, error: null, output: "" };
      },
      stop: async () => void told.push("stop"),
      recover: async () => "never-began",
      async *left() {},
      forget: async () => {},
      close: async () => {},
    },
  };
  const engine = startEngine(ports, emptyState());
  const { perform } = performer(ports, {}, nothing);
  startChores(engine, ports, perform);
  return { engine, told };
}

describe("a step that is cancelled while its script is made ready", () => {
  it("never runs it, and is cancelled once that is certain", async () => {
    let ready = () => {};
    const { engine, told } = setup(() => new Promise((resolve) => (ready = resolve)));
    const id: JobId = "job-1";
    await engine.run((state, moment) =>
      startJob(state, { ...jobInput(jobDef({ work: { run: "true" } })), id }, moment),
    );
    await settled();
    await engine.run((state, moment) => cancelJob(state, { id, by: "ana", reason: null }, moment));
    await settled();
    assert.equal(await engine.read((state) => state.jobs.get(id)?.status), "running");
    ready();
    await settled();
    assert.equal(await engine.read((state) => state.jobs.get(id)?.status), "cancelled");
    assert.deepEqual(told, ["stop"]);
  });
});
