/** The contract of beads, kept by the fake and by the double of `bd`; and what a missing or odd `bd` leads to. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { bdBeads } from "../../src/adapters/beads/bd.ts";
import { doubledBd, lockDouble } from "../fakes/bd/doubled.ts";
import { fakeBeads } from "../fakes/fake-beads.ts";
import type { BeadsUnderTest } from "./beads.contract.ts";
import { beadsContract } from "./beads.contract.ts";
import { bdUnderTest } from "./beads-support.ts";
import { tempFolder } from "./temp.ts";

beadsContract("the fake", async () => {
  const beads = fakeBeads();
  const { store } = beads;
  const at = { dir: "/repo/.beads", abort: new AbortController().signal };
  const model = await import("../fakes/bd/model.mjs");
  return {
    beads,
    at,
    async texts(id) {
      const { title, description, issue_type, priority, external_ref } = model.found(store, id);
      return { title, body: description, type: issue_type, priority, ref: external_ref };
    },
    ready: async () => model.ready(store).map((it) => it.id),
    labelled: async (label) =>
      Object.values(store.issues).flatMap((it) =>
        it.status !== "closed" && it.labels.includes(label) ? [it.id] : [],
      ),
    lock: null,
  };
});

beadsContract("the double of bd 1.3.0", () => doubled("1.3.0"));

beadsContract("the double of bd 1.0.5", () => doubled("1.0.5"));

async function doubled(version: string): Promise<BeadsUnderTest> {
  const dir = await tempFolder();
  return bdUnderTest({ bin: doubledBd(path.join(dir, "bin"), version), dir, hold: lockDouble });
}

describe("a bd", () => {
  const place = (dir: string) => ({ dir: path.join(dir, ".beads"), abort: new AbortController().signal });

  /** A program by that name, and nothing else of ours. */
  async function withBd(script: string | null): Promise<{ dir: string; env: Record<string, string> }> {
    const dir = await tempFolder();
    const bin = path.join(dir, "bin");
    fs.mkdirSync(bin);
    fs.mkdirSync(path.join(dir, ".beads"));
    if (script !== null) fs.writeFileSync(path.join(bin, "bd"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { dir, env: { PATH: `${bin}:/usr/bin:/bin` } };
  }

  for (const [what, script, kind, words] of [
    ["is absent", null, "absent", /not on the PATH/],
    ["is too old", `echo '{"build":"dev","version":"0.48.0"}'`, "old", /0\.48\.0; .* 1\.0\.5 or newer/],
    [
      "has no database",
      "echo 'Error: no beads database found' >&2; exit 1",
      "no-database",
      /no beads database/,
    ],
    ["is locked", "echo 'the database is locked by another dolt process' >&2; exit 1", "locked", /locked/],
    ["is being maintained", "echo 'a maintenance operation is running' >&2; exit 1", "locked", /locked/],
    ["says an error as JSON", `echo '{"error":"bad thing"}'; exit 1`, "failing", /bad thing/],
    ["says nothing", "exit 7", "failing", /exit code 7/],
    ["talks nonsense", "echo hello", "failing", /not JSON/],
    ["never stops talking", "yes", "failing", /more than 16 MB/],
    ["never ends", "sleep 600", "locked", /did not end within/],
  ] as const)
    it(`${what}: that is what the trouble says`, async () => {
      const { dir, env } = await withBd(script);
      const beads = bdBeads({ env, firstWithinMs: what === "never ends" ? 1000 : 60_000 });
      await assert.rejects(beads.version(place(dir)), (error: { kind: string; message: string }) => {
        assert.equal(error.kind, kind);
        assert.match(error.message, words);
        return true;
      });
    });

  it("is told not to ask, to send nothing, to run no hooks and to leave git alone", async () => {
    const { dir, env } = await withBd(`env >&2; echo '{"version":"1.3.0"}'; env > "$OUT"`);
    const out = path.join(dir, "env");
    await bdBeads({ env: { ...env, OUT: out, BD_JSON_ENVELOPE: "1" } }).version(place(dir));
    const said = fs.readFileSync(out, "utf8").split("\n");
    for (const line of [
      "BD_NON_INTERACTIVE=1",
      "BD_DISABLE_METRICS=1",
      "BD_NO_HOOKS=1",
      "BD_JSON_ENVELOPE=0",
    ])
      assert.ok(said.includes(line), line);
    assert.ok(said.includes(`BEADS_DIR=${path.join(dir, ".beads")}`));
    assert.ok(said.includes("BD_EXPORT_GIT_ADD=false"));
  });

  it("ends when the daemon does, even while it waits for a lock", async () => {
    const { dir, env } = await withBd(`echo $$ > "$OUT"; exec sleep 600`);
    const out = path.join(dir, "pid");
    const abort = new AbortController();
    const call = bdBeads({ env: { ...env, OUT: out } }).version({ ...place(dir), abort: abort.signal });
    call.catch(() => {});
    const pid = await untilPid(out);
    abort.abort();
    await assert.rejects(call, { name: "AbortError" });
    assert.match(
      spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout,
      /^(Z.*)?\s*$/,
    );
  });

  async function untilPid(file: string): Promise<number> {
    for (const end = Date.now() + 60_000; Date.now() < end; ) {
      const pid = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0;
      if (pid > 0) return pid;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("it did not start");
  }
});
