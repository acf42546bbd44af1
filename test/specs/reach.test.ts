import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { call } from "./support/http.ts";
import { reachProject } from "./support/reach.ts";

describe("a person's config", () => {
  it("says who hears of a decision; it takes effect while the daemon runs", async () => {
    const project = await reachProject("");
    const bin = path.join(project.home, "bin");
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, "notify-send"), `#!/bin/sh\necho "$@" >>"$HOME/told"\n`, { mode: 0o755 });
    project.env.PATH = `${bin}:${project.env.PATH}`;
    const before = await project.show(await project.ask("Before?"));
    assert.deepEqual([before.notices, before.not_notified], [[], null]);

    const people = `[person.ana]\n[[route]]\nurgency = ["high"]\nnotify = ["ana"]\nvia = ["desktop"]\n`;
    project.configure(people);
    const urgent = await project.ask("Now?", "--urgency", "high");
    assert.equal((await project.told(urgent, "desktop")).to, "ana");
    assert.match(fs.readFileSync(path.join(project.home, "told"), "utf8"), /critical[\s\S]*Now\?/);

    const other = await project.ask("Later?");
    const why = await project.until(async () => (await project.show(other)).not_notified);
    assert.equal(why, "nobody: no route matches");
  });

  it("a desktop that shows nothing has told nobody: the next channel steps in", async () => {
    const project = await reachProject("");
    const bin = path.join(project.home, "bin");
    fs.mkdirSync(bin);
    const program = (name: string, script: string) => {
      fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return path.join(bin, name);
    };
    program("notify-send", "echo 'no session bus' >&2; exit 1");
    const pager = program("pager", `cat >>"$HOME/paged"`);
    project.env.PATH = `${bin}:${project.env.PATH}`;
    const channel = `[channel.exec.pager]\ncommand = ["${pager}"]\n`;
    project.configure(`${channel}[person.ana]\n[[route]]\nnotify = ["ana"]\nvia = ["desktop"]\n`);
    const id = await project.ask("Now?");
    assert.equal((await project.told(id, "desktop", "failed")).error, "notify-send failed: no session bus");
    await project.told(id, "exec");
    assert.match(fs.readFileSync(path.join(project.home, "paged"), "utf8"), /Now\?/);
  });
});

describe("an escalation that a route names", () => {
  const config = `[person.ana]
[[route]]
urgency = ["high"]
escalation = "fast"
[[route]]
escalation = "slow"
`;
  const files = {
    ".oj/runbooks/escalations.hcl": `
escalation "slow" {
  level { notify = ["ana"] }
  deadline = "2s"
  default  = "deny"
}
escalation "fast" {
  level { notify = ["ana"] }
}
decision_template "outage" {
  urgency = "high"
  option "ticket" {}
  option "stop" {}
}
`,
  };

  it("begins for the permissions of a session that oj did not start, and ends them with its default", async () => {
    const project = await reachProject(config, {}, files);
    await project.run("daemon", "start");
    const hook = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "make" } };
    const { text } = await call(project, "POST", "/hooks/session", {
      body: { session_id: "s1", cwd: project.dir, ...hook },
    });
    assert.match(text, /"behavior":"deny".*Nobody answered within 2s/);
    const [it] = await project.json<{ ended: object; delivery: object }[]>("decision", "list", "--all");
    assert.match(JSON.stringify(it?.ended), /escalation:slow/);
    assert.match(JSON.stringify(it?.delivery), /acknowledged/);
  });

  it("is that of the route for the urgency that the template gives", async () => {
    const project = await reachProject(config, {}, files);
    const asked = await project.json<{ urgency: string; escalation: { name: string } | null }>(
      ...["decision", "request", "--prompt", "Mail is gone. What now?", "--template", "outage"],
    );
    assert.deepEqual([asked.urgency, asked.escalation?.name], ["high", "fast"]);
  });
});
