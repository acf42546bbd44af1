import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { jobDef, jobInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { cancelJob, startJob } from "../../core/control/job.ts";
import type { JobId } from "../../core/model/ids.ts";
import { emptyState } from "../../core/model/state/state.ts";
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
