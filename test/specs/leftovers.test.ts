/** What a daemon left behind that was killed at a bad moment. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { killDaemon } from "./support/http.ts";
import { tempProject } from "./support/project.ts";

const RUNBOOK = `
command "sit" { run = { job = "sit" } }
job "sit" {
  step "ask" {
    decision {
      prompt = "Go on?"
      option "yes" {}
    }
  }
}`;

it("leftovers are removed at the next start, and nothing that is still in use", async () => {
  const project = await tempProject({ ".oj/runbooks/sit.hcl": RUNBOOK });
  const { job_id } = await project.json<{ job_id: string }>("run", "sit");
  await killDaemon(project);
  const at = (...names: string[]) => path.join(project.stateDir, ...names);
  fs.rmSync(at("jobs", job_id, "output.log"), { force: true });
  const orphans = [
    at("jobs/job-never"),
    at("jobs/crew-never"),
    at("runs/run-gone.12345678.sh"),
    at("runs/run-gone.12345678.begun"),
  ];
  for (const it of orphans.slice(0, 2)) {
    fs.mkdirSync(it);
    fs.writeFileSync(path.join(it, "env.json"), "{}");
  }
  fs.mkdirSync(at("runs"), { recursive: true });
  for (const it of orphans.slice(2)) fs.writeFileSync(it, "");
  const withOutput = at("jobs/job-lost");
  fs.mkdirSync(withOutput);
  fs.writeFileSync(path.join(withOutput, "output.log"), "what somebody may still want to read");

  assert.equal((await project.run("daemon", "start")).code, 0);
  await project.until(() => orphans.every((it) => !fs.existsSync(it)), "the leftovers' end");
  assert.ok(fs.existsSync(at("jobs", job_id, "env.json")), "a job that is there keeps its environment");
  assert.ok(fs.existsSync(withOutput), "output is never thrown away so");
  await project.until(() =>
    /cleared away leftovers.*"runs":1,"environments":2/.test(fs.readFileSync(at("daemon.log"), "utf8")),
  );
});
