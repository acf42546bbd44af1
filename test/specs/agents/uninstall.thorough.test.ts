import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { agentStage } from "../support/agents.ts";
import { tempProject } from "../support/project.ts";

const OWN = '{\n  // mine\n  "model": "opus"\n}\n';

describe("oj uninstall", () => {
  it("asks first, then stops the daemon and removes our hooks, and keeps what was recorded", async () => {
    const project = await tempProject({ ".claude/settings.json": OWN });
    const settings = path.join(project.dir, ".claude/settings.json");
    await project.run("init", "claude");
    assert.notEqual(fs.readFileSync(settings, "utf8"), OWN);
    await project.run("daemon", "start");
    const pid = await project.daemonPid();
    const refused = await project.run("uninstall");
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /This will\n.*stop the daemon \(pid \d+\)\n.*remove our hooks from .*settings\.json/,
    );
    assert.match(refused.stderr, /this needs --yes/);
    assert.equal(await project.daemonPid(), pid);
    const done = await project.run("uninstall", "--yes");
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, new RegExp(`✓ stop the daemon \\(pid ${pid}\\)\n✓ remove our hooks from`));
    assert.match(done.stderr, /your records stay in .*\n[\s\S]*npm uninstall -g oddjobs/);
    assert.equal(await project.daemonPid(), null);
    assert.equal(fs.readFileSync(settings, "utf8"), OWN);
    assert.ok(fs.existsSync(path.join(project.stateDir, "events.db")));
    const again = await project.run("uninstall");
    assert.equal(again.code, 0);
    assert.match(again.stdout, /the daemon isn't running, and there are no hooks here/);
  });

  it("deletes the state if it is asked to, but no other folder", async () => {
    const project = await tempProject();
    await project.run("decision", "request", "--prompt", "Which?", "--option", "A");
    const result = await project.json<{ state_deleted: string }>("uninstall", "--state", "--yes");
    assert.equal(result.state_deleted, project.stateDir);
    assert.equal(fs.existsSync(project.stateDir), false);
    fs.mkdirSync(project.stateDir);
    fs.writeFileSync(path.join(project.stateDir, "thesis.txt"), "mine");
    const refused = await project.run("uninstall", "--state", "--yes");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /does not look like the state of oj/);
    assert.deepEqual(fs.readdirSync(project.stateDir), ["thesis.txt"]);
    fs.rmSync(project.stateDir, { recursive: true });
  });

  it("refuses while agents run, and ends them if it is asked to", async () => {
    const stage = await agentStage({ waits: { scenario: { turns: [[{ say: "Hm." }]] } } });
    const run = await stage.job("waits");
    await run.asked("idle");
    const refused = await stage.run("uninstall", "--yes");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /1 agent is running\n.*oj status shows them\n.*oj uninstall --agents/);
    assert.equal((await run.view()).status === "ended", false);
    const done = await stage.run("uninstall", "--agents", "--state", "--yes");
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /✓ end 1 agent, by cancelling what they work for\n✓ stop the daemon/);
    assert.equal(await stage.daemonPid(), null);
    assert.equal(fs.existsSync(stage.stateDir), false);
  });

  it("deletes what a link stands for, and the link", async () => {
    const project = await tempProject();
    const real = path.join(project.home, "elsewhere");
    fs.mkdirSync(real);
    fs.symlinkSync(real, project.stateDir);
    await project.run("decision", "request", "--prompt", "Which?", "--option", "A");
    assert.ok(fs.existsSync(path.join(real, "events.db")));
    const done = await project.run("uninstall", "--state", "--yes");
    assert.equal(done.code, 0, done.stderr);
    assert.equal(fs.existsSync(real), false);
    assert.equal(fs.lstatSync(project.stateDir, { throwIfNoEntry: false }), undefined);
  });

  it("knows of agents whose daemon was stopped", async () => {
    const stage = await agentStage({ waits: { scenario: { turns: [[{ say: "Hm." }]] } } });
    const run = await stage.job("waits");
    await run.asked("idle");
    await stage.run("daemon", "stop");
    const refused = await stage.run("uninstall", "--state", "--yes");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /1 agent is running/);
    assert.ok(fs.existsSync(stage.stateDir));
    await stage.run("daemon", "stop");
    const done = await stage.run("uninstall", "--agents", "--state", "--yes");
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /✓ end 1 agent, by cancelling what they work for\n✓ stop the daemon/);
    assert.equal(fs.existsSync(stage.stateDir), false);
  });

  it("ends the steps that a killed daemon has left running", async () => {
    const project = await tempProject({
      ".oj/runbooks/a.hcl": 'command "slow" { run = "echo $$; sleep 300" }',
    });
    const id = (await project.run("run", "slow")).stdout.trim();
    const step = await project.until(async () =>
      Number(/^\d+$/m.exec((await project.run("job", "logs", id)).stdout)?.[0]),
    );
    process.kill((await project.daemonPid()) ?? 0, "SIGKILL");
    const done = await project.run("uninstall", "--state", "--yes");
    assert.equal(done.code, 0, done.stderr);
    const file = `/proc/${step}/cmdline`; // empty where nobody has collected the process yet
    assert.equal(fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "", "");
    assert.equal(fs.existsSync(project.stateDir), false);
  });
});
