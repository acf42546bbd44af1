import assert from "node:assert/strict";
import { describe, it, vi } from "vitest";
import { jobDef, jobInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { cancelJob, startJob } from "../../core/control/job.ts";
import type { JobId } from "../../core/model/ids.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { owed } from "../../core/owed.ts";
import { startChores } from "./chores.ts";
import { startEngine } from "./engine.ts";
import { performer } from "./perform.ts";

const nothing = () => Promise.reject(new Error("not expected"));

/** An engine whose job files are as slow as the test wants. */
function setup(write: () => Promise<void>) {
  const ports = fakePorts();
  ports.files.write = write;
  const engine = startEngine(ports, emptyState());
  const { perform } = performer(ports, {}, nothing);
  startChores(engine, ports, perform);
  return { engine, shell: ports.shell };
}

describe("runs that an earlier daemon left", () => {
  it("are taken over once their outcomes are on disk, and not before", async () => {
    const ports = fakePorts();
    const engine = startEngine(ports, emptyState());
    const id: JobId = "job-1";
    await engine.run((state, moment) =>
      startJob(state, { ...jobInput(jobDef({ work: { run: "true" } })), id }, moment),
    );
    ports.shell.goDown(() => true);
    const { perform, recovering } = performer(ports, {}, nothing);
    const due = await engine.read((state) => owed(state));
    recovering(due);
    ports.log.hold();
    await startChores(engine, ports, perform).begin();
    await vi.waitFor(() => assert.equal(ports.log.held(), 1));
    assert.equal(await ports.shell.restart().recover("run-other"), "began", "the outcome is not written yet");
    ports.log.release();
    await vi.waitFor(async () =>
      assert.equal(await engine.read((state) => state.jobs.get(id)?.status), "failed"),
    );
    await settled();
    assert.equal(await ports.shell.restart().recover("run-other"), "never-began");
    assert.equal(ports.shell.ran.length, 0);
  });

  it("are taken over at once if there are none", async () => {
    const ports = fakePorts();
    ports.shell.goDown(() => true);
    performer(ports, {}, nothing).recovering([]);
    await settled();
    assert.equal(await ports.shell.recover("run-other"), "never-began");
  });
});

describe("a step that is cancelled while its script is being prepared", () => {
  it("never runs it, and is cancelled once that is certain", async () => {
    let ready = () => {};
    const { engine, shell } = setup(() => new Promise((resolve) => (ready = resolve)));
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
    assert.deepEqual([shell.ran.length, shell.stopped.length], [0, 1]);
  });
});
