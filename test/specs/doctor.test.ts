import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { tempProject } from "./support/project.ts";
import { RELEASE } from "./support/runbooks.ts";
import { settingsWith } from "./support/settings.ts";

interface Check {
  name: string;
  state: "ok" | "warning" | "problem";
  detail: string;
  fix: string | null;
}

const byName = (checks: Check[]) => Object.fromEntries(checks.map((it) => [it.name, it]));

describe("oj doctor", () => {
  it("checks everything, starts nothing, and leaves nothing behind", async () => {
    const project = await tempProject();
    const { stdout, code } = await project.run("doctor");
    assert.match(stdout, /^✓ node {10}\d+/);
    assert.match(stdout, /\nNo problems/);
    assert.equal(code, 0);
    assert.equal(await project.daemonPid(), null);
    assert.equal(fs.existsSync(project.stateDir), false);
    const names = (await project.json<Check[]>("doctor")).map((it) => it.name);
    const wanted = [
      "node",
      "state folder",
      "disk space",
      "socket path",
      "daemon",
      "runbooks",
      "settings",
      "bash",
      "git",
      "tmux",
      "curl",
      "locale",
    ];
    for (const name of wanted) assert.ok(names.includes(name), name);
  });

  also("says that people's channels can't be checked while no daemon runs", async () => {
    const project = await tempProject({}, settingsWith('[person.ana]\nmail = "ana@example.com"\n'));
    const { channels } = byName(await project.json<Check[]>("doctor"));
    assert.deepEqual([channels?.state, channels?.fix], ["warning", "oj daemon start"]);
    assert.equal(await project.daemonPid(), null);
  });

  also("reports on a running daemon, its store and the runbooks", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": RELEASE });
    await project.run("daemon", "start");
    const checks = byName(await project.json<Check[]>("doctor"));
    assert.match(checks.daemon?.detail ?? "", /^running \(pid \d+/);
    assert.equal(checks.store?.detail, "0 events");
    assert.equal(checks.runbooks?.detail, "1 file, no problems");
  });

  it("finds problems, says what to type, and exits with 1", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": "nonsense" }, { env: { LANG: "C" } });
    await project.run("daemon", "start");
    fs.chmodSync(project.stateDir, 0o755);
    const { stdout, code } = await project.run("doctor", "-o", "json");
    const checks = byName(JSON.parse(stdout) as Check[]);
    assert.equal(checks.runbooks?.state, "problem");
    assert.equal(checks.runbooks?.fix, "oj runbook check");
    assert.equal(checks["state folder"]?.fix, `chmod 700 ${project.stateDir}`);
    assert.equal(checks.locale?.state, "warning");
    assert.equal(code, 1);
  });

  also("says what is missing and what each thing is for", async () => {
    const project = await tempProject({}, { env: { PATH: "/nowhere" } });
    const { stdout, code } = await project.run("doctor");
    assert.match(stdout, /✗ bash .*not found; runs the steps of jobs\n +→ install bash/);
    assert.match(stdout, /! git .*not found; for jobs with workspace/);
    assert.equal(code, 1);
  });

  also("says what to do about a socket path that is too long", async () => {
    const project = await tempProject({}, { env: { OJ_STATE_DIR: path.join("/tmp", "y".repeat(120)) } });
    const { stdout, code } = await project.run("doctor");
    assert.match(stdout, /✗ socket path (?:.*\n){1,3} +→ export OJ_STATE_DIR=/);
    assert.equal(code, 1);
  });
});
