/** Rules about who may answer, as people meet them: at the command line, from elsewhere, and across a crash. */
import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { startOj, tempProject } from "./support/project.ts";

const owner = userInfo().username;

const RUNBOOK = `
command "release" { run = { job = "release" } }
job "release" {
  step "ship" {
    decision {
      prompt    = "Ship it?"
      approvers = ["${owner}", "ana", "ben"]
      min       = 2
      option "ship" {}
      option "stop" { action = "cancel" }
    }
  }
  step "after" { run = "echo shipped" }
}
command "own" { run = { job = "own" } }
job "own" {
  step "ask" {
    decision {
      prompt = "Mine?"
      self   = "deny"
      option "yes" {}
    }
  }
}
`;

interface Decision {
  id: string;
  state: string;
  said?: { who: string; says: string }[];
}

async function asked(project: Project, command: string): Promise<string> {
  await project.json("run", command);
  const found = await project.until(
    async () => (await project.json<Decision[]>("decision", "list"))[0],
    "the question",
  );
  return found.id;
}

async function elsewhere(project: Project) {
  const running = project.start("serve", "--listen", "127.0.0.1:0", "-o", "json");
  const said = await project.until(() => running.stdout().includes("}") && running.stdout(), "the door");
  const { url } = JSON.parse(said) as { url: string };
  const tokenOf = async (name: string) => {
    await project.json("invite", name);
    await project.json("role", "grant", name, "approver");
    const made = await project.json<{ token: string }>("token", "create", "--for", name, "--scope", "answer");
    return made.token;
  };
  const env = { ...project.env, OJ_STATE_DIR: `${project.home}/elsewhere` };
  const as = (token: string, ...args: string[]) =>
    startOj(["--server", url, ...args], project.home, { ...env, OJ_TOKEN: token }).ended;
  return { tokenOf, as };
}

describe("a decision that takes two people", () => {
  it("counts a person once, survives a crash, and is decided by a second one", async () => {
    const project = await tempProject({ ".oj/runbooks/r.hcl": RUNBOOK });
    const id = await asked(project, "release");
    const show = () => project.json<Decision>("decision", "show", id);
    const first = await project.run("decision", "resolve", id, "ship");
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, new RegExp(`pending, .*; 1 of 2: ${owner} said ship`));
    await killDaemon(project);
    assert.deepEqual((await show()).said, [{ who: owner, says: "ship" }]);
    assert.equal((await project.run("decision", "resolve", id, "ship")).code, 0);
    assert.equal((await show()).state, "pending");
    assert.match((await project.run("decision", "list")).stdout, /\(1 of 2: \S+ said ship\)/);
    const card = (await project.run("decision", "show", id)).stdout;
    assert.match(card, new RegExp(`Who may answer: 2 of ${owner}, ana, ben; one no is enough`));

    const { tokenOf, as } = await elsewhere(project);
    const [ana, cy] = [await tokenOf("ana"), await tokenOf("cy")];
    const refused = await as(cy, "decision", "resolve", id, "ship");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`cy may not answer ${id}\\. Who may: 2 of ${owner}, ana, ben`));
    assert.equal((await as(ana, "decision", "resolve", id, "ship")).code, 0);
    assert.equal((await show()).state, "resolved");
    assert.equal((await project.run("audit", "verify")).code, 0);
  });

  also("is decided by the first no, and a yes can be taken back before", async () => {
    const project = await tempProject({ ".oj/runbooks/r.hcl": RUNBOOK });
    const id = await asked(project, "release");
    await project.json("decision", "resolve", id, "ship");
    const back = await project.json<Decision>("decision", "undo", id);
    assert.deepEqual(back.said, []);
    assert.equal((await project.run("decision", "undo", id)).code, 1);
    await project.json("decision", "resolve", id, "ship");
    const { tokenOf, as } = await elsewhere(project);
    assert.equal((await as(await tokenOf("ben"), "decision", "resolve", id, "stop")).code, 0);
    assert.equal((await project.json<Decision>("decision", "show", id)).state, "resolved");
  });
});

describe("a decision about one's own work", () => {
  it("is refused to whoever ran it, under any name", async () => {
    const project = await tempProject({ ".oj/runbooks/r.hcl": RUNBOOK });
    const id = await asked(project, "own");
    for (const name of [owner, "ana"]) {
      const env = { ...project.env, OJ_USER: name };
      const { code, stderr } = await startOj(["decision", "resolve", id, "yes"], project.dir, env).ended;
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`${owner} may not answer ${id}: it is asked for ${owner}'s own work`));
    }
  });
});
