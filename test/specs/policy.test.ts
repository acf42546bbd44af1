import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { call } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

const FILE = ".oj/runbooks/policy.hcl";
const GOOD = `policy "look" {\n  approve = { tool = "Bash", command = "ls **" }\n}\n`;
const EVIL = `policy "look" {\n  approve = { tool = "Bash", command = ["ls **", "rm **"] }\n}\n`;

interface Pending {
  id: string;
  state: string;
  action: { input: { command: string } } | null;
}

const pending = async (project: Project) => (await call(project, "GET", "/decisions")).json<Pending[]>();

let calls = 0;

/** What a session's hook gets for this command: the answer, or null if a person is asked, who says `option`. */
async function asked(project: Project, words: string, option = "deny"): Promise<string | null> {
  const command = `${words} ${++calls}`; // each call is another one
  let reply: string | null = null;
  const hook = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
  const sent = call(project, "POST", "/hooks/session", {
    body: { session_id: "s1", cwd: project.dir, ...hook },
  }).then(({ text }) => {
    reply = text;
  });
  const found = await project.until(async () => {
    if (reply !== null) return "answered";
    return (await pending(project)).find((it) => it.action?.input.command === command);
  });
  if (found !== "answered")
    await call(project, "POST", `/decisions/${found.id}/resolve`, { body: { option } });
  await sent;
  return found === "answered" ? reply : null;
}

describe("a policy that somebody accepted", () => {
  it("counts for nothing once its file was changed, in whatever way", async () => {
    const project = await tempProject({ [FILE]: GOOD, "evil.hcl": EVIL, "evil/policy.hcl": EVIL });
    const at = (name: string) => path.join(project.dir, name);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: project.dir,
        env: project.env,
        stdio: "ignore",
      });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "good");
    git("checkout", "-qb", "evil");
    project.write({ [FILE]: EVIL });
    git("commit", "-qam", "evil");
    git("checkout", "-q", "main");
    await project.run("daemon", "start");
    assert.equal(await asked(project, "ls"), null, "nobody has accepted it yet");
    const { stdout } = await project.run("policy", "accept");
    assert.match(stdout, /^accepted: \.oj\/runbooks\/policy\.hcl\n[\s\S]*\+policy "look"/);

    const ways: [string, () => void, () => void][] = [
      ["an edit", () => project.write({ [FILE]: EVIL }), () => project.write({ [FILE]: GOOD })],
      ["a blank", () => fs.appendFileSync(at(FILE), " "), () => project.write({ [FILE]: GOOD })],
      ["git checkout", () => git("checkout", "-q", "evil"), () => git("checkout", "-q", "main")],
      [
        "a link in its place",
        () => {
          fs.rmSync(at(FILE));
          fs.symlinkSync(at("evil.hcl"), at(FILE));
        },
        () => {
          fs.rmSync(at(FILE));
          project.write({ [FILE]: GOOD });
        },
      ],
      [
        "a link in its folder's place",
        () => {
          fs.renameSync(at(".oj/runbooks"), at("kept"));
          fs.symlinkSync(at("evil"), at(".oj/runbooks"));
        },
        () => {
          fs.rmSync(at(".oj/runbooks"));
          fs.renameSync(at("kept"), at(".oj/runbooks"));
        },
      ],
      [
        "another file renamed to it",
        () => {
          fs.copyFileSync(at("evil.hcl"), at("evil.tmp"));
          fs.renameSync(at("evil.tmp"), at(FILE));
        },
        () => project.write({ [FILE]: GOOD }),
      ],
      [
        "another name",
        () => fs.renameSync(at(FILE), at(".oj/runbooks/other.hcl")),
        () => fs.renameSync(at(".oj/runbooks/other.hcl"), at(FILE)),
      ],
    ];
    for (const [how, change, restore] of ways) {
      assert.match((await asked(project, "ls")) ?? "", /"allow"/, `before ${how}`);
      change();
      for (const words of ["ls", "rm -r"])
        assert.equal(await asked(project, words), null, `${words}: ${how}`);
      restore();
    }
    assert.match((await asked(project, "ls")) ?? "", /"allow"/);
    const log = await project.json<{ name: string }[]>("policy", "log");
    assert.deepEqual(new Set(log.map((it) => it.name)), new Set(["look"]));
  });

  also("approves nothing irreversible because another file has lost its block", async () => {
    const block = `irreversible "ship" { command = "make ship **" }\n`;
    const list = ".oj/runbooks/list.hcl";
    const make = `policy "make" {\n  approve = { tool = "Bash", command = "make **" }\n}\n`;
    const project = await tempProject({ [FILE]: make });
    await project.run("policy", "accept");
    project.write({ [list]: block });
    assert.match((await asked(project, "make all")) ?? "", /"allow"/);
    fs.rmSync(path.join(project.dir, list));
    assert.equal(await asked(project, "make ship"), null);
    await project.run("daemon", "restart");
    assert.equal(await asked(project, "make ship"), null);
    const { stdout } = await project.run("policy", "accept");
    assert.match(stdout, /^no longer irreversible: ship$/m);
    assert.match(stdout, /^-irreversible "ship"/m);
    assert.match((await asked(project, "make ship")) ?? "", /"allow"/);
  });

  it("answers at every other door: a request, a step of a job, a session that stops", async () => {
    const project = await tempProject({
      [FILE]: [
        `policy "npm" {\n  answer = { source = "request", question = "Which *", option = "npm" }\n}`,
        `policy "on" {\n  answer = { source = "step", title = "Go on*", option = "yes" }\n}`,
        `policy "go" {\n  answer = { source = "idle", said = "*Shall I continue?", option = "nudge" }\n}`,
      ].join("\n"),
      ".oj/runbooks/job.hcl": [
        `command "go" { run = { job = "go" } }`,
        `job "go" {\n  step "ask" {\n    decision {\n      prompt = "Go on?"`,
        `      option "yes" {}\n      option "no" {}\n    }\n  }\n  step "end" { run = "true" }\n}`,
      ].join("\n"),
    });
    await project.run("policy", "accept");
    const options = ["--option", "npm", "--option", "yarn"];
    const request = await project.run("decision", "request", "--prompt", "Which one?", ...options, "--wait");
    assert.match(request.stdout, /npm/);
    const { job_id } = await project.json<{ job_id: string }>("run", "go");
    assert.equal((await project.run("job", "wait", job_id)).code, 0);
    const hook = { hook_event_name: "Stop", last_assistant_message: "Shall I continue?" };
    const stop = await call(project, "POST", "/hooks/session?stops=true&wait_s=20", {
      body: { session_id: "s1", cwd: project.dir, ...hook },
    });
    assert.match(stop.text, /Please continue with your task/);
    assert.deepEqual(await pending(project), []);
    const log = await project.json<{ name: string }[]>("policy", "log");
    assert.deepEqual(log.map((it) => it.name).toSorted(), ["go", "npm", "on"]);
  });
});

describe("oj policy try", () => {
  it("says what policies would have answered, and exits with 1 if a person said something else", async () => {
    const project = await tempProject({
      "new.hcl": `policy "look" {\n  approve = { tool = "Bash", command = ["ls **", "cat **"] }\n}\n`,
    });
    await project.run("daemon", "start");
    for (const words of ["ls a", "ls b", "make"]) await asked(project, words, "approve");
    const good = await project.json<Record<string, unknown>>("policy", "try", "new.hcl");
    assert.deepEqual(
      { ...good, saved_per_hour: 0 },
      { answered: 2, of: 3, agreed: 2, disagreed: [], saved_per_hour: 0 },
    );
    await asked(project, "cat secrets");
    const { stdout, code } = await project.run("policy", "try", "new.hcl", "-o", "json");
    const { disagreed, ...rest } = JSON.parse(stdout) as { disagreed: object[]; of: number; agreed: number };
    assert.deepEqual([code, rest.of, rest.agreed, disagreed.length], [1, 4, 2, 1]);
    const [{ id, ...said } = { id: "" }] = disagreed as { id: string }[];
    assert.match(id, /^dec-/);
    assert.deepEqual(said, { policy: "look", would: "approve", was: "deny" });
    const words = await project.run("policy", "try", "new.hcl");
    assert.match(words.stdout, /^would have answered 3 of 4, agreed 2, disagreed 1\n✗ dec-\w+: "look" would/);
    assert.deepEqual(await project.json("policy", "suggest"), []);
    const none = await project.json<{ answered: number }>("policy", "try");
    assert.equal(none.answered, 0, "no policy is written here");
    assert.equal((await project.run("policy", "try", "missing.hcl")).code, 1);
  });
});

describe("what a policy did", () => {
  const POLICIES = `
policy "editor" {
  answer  = { source = "request", question = "Which editor *", option = "vim" }
  at_most = "1/h"
}
policy "migrations" {
  ask     = { tool = ["Edit", "Write"], path = "db/migrations/**" }
  urgency = "high"
}
`;

  it("is told from a person's answer in the list and the figures, and explained for requests too", async () => {
    const project = await tempProject({ [FILE]: POLICIES });
    await project.run("policy", "accept");
    const ask = async (prompt: string) => {
      const words = ["decision", "request", "--prompt", prompt, "--option", "vim", "--option", "emacs"];
      return (await project.json<{ id: string }>(...words)).id;
    };
    const ruled = await ask("Which editor first?");
    const left = await ask("Which editor then?");
    const explained = await project.run("policy", "explain", left);
    assert.match(
      explained.stdout,
      /✓ answer "editor": every pattern fits \(at_most 1\/h: a person is asked\)/,
    );
    assert.match(
      (await project.run("policy", "explain", ruled)).stdout,
      /^answered by policy "editor"\n✓ answer "editor"/,
    );
    await project.run("decision", "resolve", left, "2");
    const { stdout } = await project.run("decision", "list", "--all");
    assert.match(stdout, /Which editor first\? → vim, by policy "editor"/);
    assert.match(stdout, /Which editor then\? → emacs$/m);
    assert.match((await project.run("stats")).stdout, /answered +2, 1 by policies/);
  });

  also("asks about a place by its words as well, where the disk can't tell what they lead to", async () => {
    const project = await tempProject({ [FILE]: POLICIES });
    await project.run("policy", "accept");
    const file_path = `${path.join(project.dir, "missing")}/../db/migrations/1.sql`;
    const hook = { hook_event_name: "PermissionRequest", tool_name: "Write" };
    const body = { session_id: "s1", cwd: project.dir, ...hook, tool_input: { file_path, content: "x" } };
    const sent = call(project, "POST", "/hooks/session", { body });
    const [found] = await project.until(async () => {
      const all = (await call(project, "GET", "/decisions")).json<{ id: string; urgency: string }[]>();
      return all.length > 0 ? all : undefined;
    });
    assert.equal(found?.urgency, "high");
    await call(project, "POST", `/decisions/${found?.id}/resolve`, { body: { option: "deny" } });
    await sent;
  });
});
