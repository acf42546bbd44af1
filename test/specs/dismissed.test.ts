/** A request that a person puts aside: each asker hears that there is no answer, wherever they wait for it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { call } from "./support/http.ts";
import { atStdio, connected, idIn } from "./support/mcp.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  state: string;
  outcome: string;
  answer: { chosen: number | null; labels: string[]; message: string | null };
}

const ASK = ["--prompt", "Which way?", "--option", "Left", "--option", "Right"];
const ask = async (project: Project, ...flags: string[]) =>
  (await project.json<Decision>("decision", "request", ...ASK, ...flags)).id;
const dismiss = async (project: Project, id: string) => {
  const { code, stderr } = await project.run("decision", "resolve", id, "dismiss", "-m", "not now");
  assert.equal(code, 0, stderr);
};
const pending = (project: Project) =>
  project.until(async () => (await project.json<Decision[]>("decision", "list"))[0]?.id, "the question");
const OJ = `${process.execPath} ${path.join(import.meta.dirname, "../../dist/oj.cjs")}`;
const runbook = (step: string) => ({
  ".oj/runbooks/a.hcl": `command "go" { run = { job = "go" } }\njob "go" {\nstep "ask" {\n${step}\n}\n}\n`,
});
const TOLD = (id: string) =>
  new RegExp(`${id} \\(Which way\\?\\) was dismissed by ana\\. There is no answer\\. They say: not now`);

describe("a request that is dismissed", () => {
  it("is recorded as such, with who, and none of its options counts as chosen", async () => {
    const project = await tempProject();
    const id = await ask(project);
    await dismiss(project, id);
    const { state, outcome, answer } = await project.json<Decision>("decision", "show", id);
    assert.deepEqual([state, outcome], ["dismissed", "dismissed"]);
    assert.deepEqual([answer.chosen, answer.labels, answer.message], [null, ["Dismiss"], "not now"]);
    assert.deepEqual(await project.json("decision", "list"), []);
    const again = await project.run("decision", "resolve", id, "1");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /already answered: Dismiss, by ana/);
  });

  it.each([
    ["await", (id: string) => ["decision", "await", id]],
    ["await, with JSON", (id: string) => ["decision", "await", id, "-o", "json"]],
  ])("ends %s with exit code 4, before or after", async (_, words) => {
    const project = await tempProject();
    const id = await ask(project);
    const waiting = project.start(...words(id));
    await dismiss(project, id);
    const [during, after] = [await waiting.ended, await project.run(...words(id))];
    assert.deepEqual([during.code, after.code], [4, 4]);
    for (const { stdout, stderr } of [during, after]) assert.match(`${stdout}${stderr}`, /dismissed/);
  });

  also("ends request --wait with exit code 4", async () => {
    const project = await tempProject();
    const waiting = project.start("decision", "request", ...ASK, "--wait");
    await dismiss(project, await pending(project));
    const { code, stderr } = await waiting.ended;
    assert.equal(code, 4);
    assert.match(stderr, /dismissed/);
  });

  it("is told to a name through its queue, once", async () => {
    const project = await tempProject();
    const id = await ask(project, "--as", "bot");
    await dismiss(project, id);
    assert.match((await project.run("inject", "drain", "--as", "bot")).stdout, TOLD(id));
    assert.equal((await project.run("inject", "drain", "--as", "bot")).stdout, "");
    assert.equal(
      (await project.run("decision", "request", ...ASK, "--as", "bot")).code,
      0,
      "it may ask again",
    );
  });

  also("is told to a session with its next hook", async () => {
    const project = await tempProject();
    const hook = (hook_event_name: string) =>
      call(project, "POST", "/hooks/session", {
        body: { session_id: "s1", cwd: project.dir, hook_event_name },
      });
    await project.run("daemon", "start");
    await hook("UserPromptSubmit");
    const asked = await call(project, "POST", "/decisions", {
      body: {
        ...{ project: "shop", cwd: project.dir, as: null, session: "s1", prompt: "Which way?" },
        options: [{ label: "Left" }, { label: "Right" }],
      },
    });
    const { id } = asked.json<Decision>();
    await dismiss(project, id);
    assert.match((await hook("PostToolUse")).text, TOLD(id));
    assert.doesNotMatch((await hook("PostToolUse")).text, TOLD(id));
  });

  also("is told to an MCP client that waits or looks", async () => {
    const project = await tempProject();
    const mcp = await connected(atStdio(project, { args: ["--as", "planner"] }));
    const input = { prompt: "Which way?", options: [{ label: "Left" }, { label: "Right" }] };
    const id = idIn(await mcp.ask("request_decision", input));
    const waiting = mcp.ask("await_decision", { id });
    await dismiss(project, id);
    assert.match(await waiting, /was put aside without an answer: not now\. That is not a yes/);
    assert.match(await mcp.ask("check_decision", { id }), /put aside/);
    assert.equal(await mcp.ask("list_my_decisions"), "You have no decisions here.");
  });

  also("lets the script of a step go on, which waits for it", async () => {
    const script = `${OJ} decision request --prompt "Which way?" --option Left --wait || echo code $? > code`;
    const project = await tempProject(runbook(`run = ${JSON.stringify(script)}`));
    const { job_id } = await project.json<{ job_id: string }>("run", "go");
    await dismiss(project, await pending(project));
    assert.equal((await project.run("job", "wait", job_id)).code, 0);
    assert.equal(fs.readFileSync(path.join(project.dir, "code"), "utf8"), "code 4\n");
  });
});

it("a step's question can be dismissed too: its job keeps waiting, and a resume asks again", async () => {
  const project = await tempProject(runbook(`decision {\nprompt = "Which?"\noption "a" { label = "A" }\n}`));
  const { job_id } = await project.json<{ job_id: string }>("run", "go");
  const first = await pending(project);
  await dismiss(project, first);
  assert.match((await project.run("status")).stdout, /dismissed; continue with oj job resume/);
  assert.equal((await project.run("job", "resume", job_id)).code, 0);
  assert.notEqual(await pending(project), first);
});
