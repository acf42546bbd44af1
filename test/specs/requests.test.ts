/** Requests through the command line: what is checked, templates, what follows what, and who is told what. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { piped } from "./support/piped.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  title: string;
  state: string;
  template: string | null;
  context: string;
  fields: unknown;
  options: { label: string; description: string | null; recommended: boolean }[];
  supersedes: string | null;
  superseded_by: string | null;
  successor: string | null;
  ended: { by: string; reason: string } | null;
}

const ask = (project: Project, ...flags: string[]) =>
  project.json<Decision>("decision", "request", "--as", "bot", "--prompt", "Which?", ...flags);
const AB = ["--option", "A", "--option", "B"];
const CHECKPOINT = ["--template", "checkpoint", "--context", '{"progress":"half","next_steps":["rest"]}'];
const show = (project: Project, id: string) => project.json<Decision>("decision", "show", id);

async function refused(project: Project, ...flags: string[]): Promise<{ code: string; problems: string[] }> {
  const { stdout, code } = await project.run("decision", "request", "--as", "bot", ...flags, "-o", "json");
  const { error } = JSON.parse(stdout) as { error: { code: string; details: { problems: string[] } } };
  assert.equal(code, 1);
  return { code: error.code, problems: error.details.problems };
}

describe("a question", () => {
  const hostile = `# not a heading\n---\n{} \${var.x} \`$(id)\` 'one' "two" \\ %s \u{1f600} Ünïcödé é\r\n\tعربي עברית 漢字 \u{202e}‮ -- `;
  const prompt = hostile.repeat(60).slice(0, 1996).concat("\n{}\n");

  it("of 2,000 characters comes back byte for byte from show, list, await and events", async () => {
    const project = await tempProject();
    assert.equal(prompt.length, 2000);
    const { id, title } = await project.json<Decision>(
      "decision",
      "request",
      "--as",
      "bot",
      "--prompt",
      prompt,
      ...AB,
      "--no-file-check",
    );
    assert.equal(title, prompt);
    assert.equal((await show(project, id)).title, prompt);
    assert.equal((await project.json<Decision[]>("decision", "list"))[0]?.title, prompt);
    const awaiting = project.start("decision", "await", id, "-o", "json");
    const watching = project.start(
      "decision",
      "watch",
      "--headless",
      "--after",
      "0",
      "--types",
      "decision:created",
    );
    const event = await project.until(async () => watching.stdout().split("\n")[0] || null);
    assert.equal((JSON.parse(event) as Decision).title, prompt);
    watching.kill("SIGINT");
    await watching.ended;
    await project.run("decision", "resolve", id, "1");
    assert.equal((JSON.parse((await awaiting.ended).stdout) as Decision).title, prompt);
  });

  also("may have labels with colons, and context of any shape", async () => {
    const project = await tempProject();
    const labels = ["http://host:80/x: the old one", "at 12:30", "C:\\temp", "a:b"];
    const { options, id } = await ask(
      project,
      ...labels.flatMap((it) => ["--option", it]),
      "--recommend",
      "2",
    );
    assert.deepEqual(
      options.map((it) => [it.label, it.description, it.recommended]),
      [
        ["http://host:80/x", "the old one", false],
        ["at 12:30", null, true],
        ["C:\\temp", null, false],
        ["a:b", null, false],
      ],
    );
    for (const [context, text, fields] of [
      [
        '{"a":[1,{"b":null}]}',
        '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}',
        { a: [1, { b: null }] },
      ],
      ["[1,2]", "[\n  1,\n  2\n]", {}],
      ["just words: here", "just words: here", {}],
      ["42", "42", {}],
    ] as const) {
      const decision = await ask(project, ...AB, "--context", context);
      assert.deepEqual([decision.context, decision.fields], [text, fields]);
    }
    assert.equal((await show(project, id)).state, "superseded");
  });
});

describe("a refused request", () => {
  it("names everything that is wrong at once, and leaves the pending one alone", async () => {
    const project = await tempProject();
    const first = await ask(project, ...AB);
    const flags = [
      "--prompt",
      "The build failed",
      "--option",
      " : x",
      "--option",
      "Retry",
      "--recommend",
      "5",
    ];
    const more = [
      "--type",
      "stuck",
      "--context",
      '{"tried":"all"}',
      "--predecessor",
      first.id,
      "--parent",
      "zz",
    ];
    assert.deepEqual(await refused(project, ...flags, ...more, "--blocks", "job-zzzzzzzzzz"), {
      code: "decision.invalid",
      problems: [
        "option 1 has no label",
        "--recommend 5 is not one of its options (it has 2)",
        "--blocks job-zzzzzzzzzz is not a job",
        "--parent zz is not a decision in shop",
        'template "stuck" needs more context: "blocker" is missing',
        'it is about a failure ("failed"), but no option files it',
        `--predecessor ${first.id} is still pending`,
      ],
    });
    assert.equal((await show(project, first.id)).state, "pending");
    assert.equal((await project.json<Decision[]>("decision", "list", "--all")).length, 1);
    const second = await ask(project, ...AB, "--context", "now with more");
    assert.equal(second.supersedes, first.id);
    assert.equal((await show(project, first.id)).superseded_by, second.id);
  });

  also("is accepted with --no-file-check, or with an option that files a bug", async () => {
    const project = await tempProject();
    const about = ["--prompt", "Is this error fine?", ...AB];
    assert.equal((await refused(project, ...about)).code, "decision.file-option-missing");
    assert.equal((await project.run("decision", "request", ...about, "--no-file-check")).code, 0);
    assert.equal(
      (await project.run("decision", "request", ...about, "--option", "Later: file a bug")).code,
      0,
    );
    assert.equal(
      (await refused(project, ...about, "--no-file-check", "--recommend", "9")).problems.length,
      1,
    );
  });
});

describe("templates", () => {
  it("each have an example that can be pasted", async () => {
    const own = 'decision_template "own" {\n  required_context = { a = {}, b = { min = 3 } }\n}\n';
    const project = await tempProject({ ".oj/runbooks/own.hcl": own });
    const templates = await project.json<{ name: string; example: string }[]>("decision", "templates");
    assert.equal(templates.length, 9);
    const shell = promisify(execFile);
    const oj = `oj() { "${process.execPath}" "${path.resolve("dist/oj.cjs")}" "$@"; }`;
    for (const { name, example } of templates) {
      const { stdout } = await shell("bash", ["-c", `${oj}; ${example}`], {
        cwd: project.dir,
        env: project.env,
      });
      assert.equal((await show(project, stdout.trim())).template, name);
      assert.ok((await project.run("decision", "templates")).stdout.includes(example));
    }
  });

  it("of the project replace the built-in ones, and can switch them off", async () => {
    const project = await tempProject({
      ".oj/runbooks/a.hcl":
        'decision_template "stuck" {\n  required_context = ["why"]\n  option "ok" {}\n}\n',
    });
    const names = async () =>
      (await project.json<{ name: string }[]>("decision", "templates")).map((it) => it.name);
    assert.equal((await names()).filter((it) => it === "stuck").length, 1);
    assert.equal(
      (await ask(project, "--template", "stuck", "--context", '{"why":"x"}')).options[0]?.label,
      "ok",
    );
    project.write({
      ".oj/runbooks/b.hcl": "requests {\n  builtin_templates = false\n  file_check = false\n}\n",
    });
    assert.deepEqual(await names(), ["stuck"]);
    assert.equal((await refused(project, "--prompt", "p", ...AB, ...CHECKPOINT)).code, "template.not-found");
    assert.equal((await project.run("decision", "request", "--prompt", "It failed", ...AB)).code, 0);
    // A mistake elsewhere in the file does not bring them back.
    project.write({ ".oj/runbooks/b.hcl": "requests { builtin_templates = false }\njob {}\n" });
    assert.deepEqual(await names(), ["stuck"]);
  });

  also("can be used by a step if they are built in", async () => {
    const step = `decision {\n  template = "checkpoint"\n  text = "{\\"progress\\": \\"half\\", \\"next_steps\\": \\"rest\\"}"\n}`;
    const project = await tempProject({
      ".oj/runbooks/a.hcl": `command "go" { run = { job = "go" } }\njob "go" {\n  step "ask" {\n${step}\n}\n  step "on" { run = "true" }\n}\n`,
    });
    assert.equal((await project.run("runbook", "check")).code, 0);
    const { job_id } = await project.json<{ job_id: string }>("run", "go");
    const decision = await project.until(async () => (await project.json<Decision[]>("decision", "list"))[0]);
    assert.deepEqual(
      decision.options.map((it) => it.label),
      ["Continue", "Adjust", "Stop"],
    );
    await project.run("decision", "resolve", decision.id, "3");
    assert.equal((await project.run("job", "wait", job_id)).code, 4);
  });
});

describe("a request that follows another", () => {
  const policy =
    'decision_template "review" {\n  option "ok" {}\n  option "adjust" { successor = "checkpoint" }\n}\n';

  also("must have the template that the answer asked for, and the asker is told", async () => {
    const project = await tempProject({ ".oj/runbooks/a.hcl": policy });
    const first = await ask(project, "--template", "review");
    await project.run("decision", "resolve", first.id, "2");
    const { stdout, stderr } = await project.run("decision", "await", first.id);
    assert.equal(stdout, "adjust\n");
    assert.ok(stderr.endsWith(`→ oj decision request --template checkpoint --predecessor ${first.id} …\n`));
    assert.equal((await show(project, first.id)).successor, "checkpoint");
    const other = await refused(project, "--prompt", "p", ...AB, "--predecessor", first.id);
    assert.equal(other.code, "decision.predecessor");
    assert.equal((await ask(project, ...CHECKPOINT, "--predecessor", first.id.slice(4))).state, "pending");
  });

  also("is shown as part of a chain, which ends where nobody decided", async () => {
    const project = await tempProject();
    const first = await ask(project, ...AB);
    await project.run("decision", "resolve", first.id, "1");
    const second = await ask(project, ...AB, "--predecessor", first.id);
    const { stdout } = await project.run("decision", "chain", second.id);
    assert.match(
      stdout,
      new RegExp(
        `^${first.id}  Which\\?\n│  answered: A, by ana \\(cli\\) .*\n└─ ${second.id}  Which\\?\n {6}pending, asked .*\n$`,
      ),
    );
    const chain = await project.json<{ ancestors: Decision[]; is_cycle: boolean }>(
      "decision",
      "chain",
      second.id,
    );
    assert.deepEqual([chain.ancestors.map((it) => it.id), chain.is_cycle], [[first.id], false]);
    await project.run("decision", "cancel", second.id, "--reason", "found it");
    assert.deepEqual((await refused(project, "--prompt", "p", ...AB, "--predecessor", second.id)).problems, [
      `--predecessor ${second.id} was withdrawn (found it): nothing was decided`,
    ]);
  });
});

describe("pending work", () => {
  it("is on the dashboard; a store that can't be read is an error, not a row of zeros", async () => {
    const project = await tempProject();
    const high = await ask(project, ...AB, "--urgency", "high");
    const low = await project.json<Decision>(
      "decision",
      "request",
      "--prompt",
      "Mine?",
      ...AB,
      "--urgency",
      "low",
    );
    const settled = await project.json<Decision>("decision", "request", "--prompt", "Done?", ...AB);
    await project.run("decision", "resolve", settled.id, "1");
    const board = await project.json<{
      pending: number;
      by_urgency: Record<string, { count: number; decisions: Decision[] }>;
      stale: { count: number };
      recent: { decisions: Decision[] };
    }>("decision", "dashboard");
    assert.deepEqual([board.pending, board.stale.count], [2, 0]);
    assert.deepEqual(
      ["high", "medium", "low"].map((it) => board.by_urgency[it]?.decisions.map((one) => one.id)),
      [[high.id], [], [low.id]],
    );
    assert.deepEqual(
      board.recent.decisions.map((it) => it.id),
      [settled.id],
    );
    assert.match(
      (await project.run("decision", "dashboard")).stdout,
      /^2 decisions waiting for an answer\n\nhigh {2}1\n/,
    );

    await project.run("daemon", "stop");
    const file = path.join(project.stateDir, "events.db");
    for (const end of ["-wal", "-shm"]) fs.rmSync(file + end, { force: true });
    fs.writeFileSync(file, "no database");
    for (const name of ["dashboard", "check", "remind", "auto-close"]) {
      const { stdout, stderr, code } = await project.run("decision", name);
      assert.deepEqual([stdout, code], ["", 3], name);
      assert.match(stderr, /^✗ /);
    }
  });

  also("is shown to the asker, a name or a person", async () => {
    const project = await tempProject();
    assert.deepEqual(await project.run("decision", "check", "--as", "bot"), {
      stdout: "",
      stderr: "nothing you asked is pending or newly answered\n",
      code: 0,
    });
    const { id } = await ask(project, ...AB);
    const told = await project.run("decision", "check", "--as", "bot");
    assert.match(told.stdout, new RegExp(`^${id} \\(Which\\?\\) is pending, asked .*\n$`));
    assert.equal((await project.run("decision", "check")).stdout, "");
    assert.match(
      (await project.run("decision", "remind")).stdout,
      /^1 decision waiting for an answer: 1 medium\n$/,
    );
    assert.match(
      (await project.run("decision", "remind", "--as", "new")).stdout,
      /--as new .*\n[\s\S]*checkpoint: /,
    );
    await project.run("decision", "resolve", id, "2", "-m", "because");
    assert.match(
      (await project.run("decision", "check", "--as", "bot")).stdout,
      new RegExp(`^${id} \\(Which\\?\\): answered: B, by ana .*\n {2}they say: because\n$`),
    );
    await project.run("decision", "await", id);
    await project.until(async () => (await project.run("decision", "check", "--as", "bot")).stdout === "");
  });

  also("is put into a name's queue, and each pending question only once", async () => {
    const project = await tempProject();
    const { id } = await ask(project, ...AB);
    for (let time = 0; time < 3; time++)
      assert.equal((await project.run("decision", "check", "--as", "bot", "--inject")).code, 0);
    await project.run("decision", "remind", "--as", "bot", "--inject");
    const { stdout } = await project.run("inject", "drain", "--as", "bot");
    assert.equal(stdout.match(/\[reminder\]/g)?.length, 2);
    assert.match(stdout, new RegExp(`Wait for it: oj decision await ${id}`));
    assert.equal((await project.run("decision", "check", "--inject")).code, 2);
  });
});

describe("auto-close", () => {
  it("lets requests expire, and says exactly which", async () => {
    const project = await tempProject();
    const { id } = await ask(project, ...AB);
    const elsewhere = await ask(project, ...AB, "--project", "blog");
    const waiting = project.start("decision", "await", id);
    const tell = (words: string) => `1 request ${words}: pending for more than 0s\n  ${id}  bot  Which?\n`;
    const close = (...flags: string[]) => project.run("decision", "auto-close", ...flags);
    assert.equal((await close()).stdout, "no request in shop has been pending for more than 1d\n");
    assert.equal((await close("--threshold", "0s", "--dry-run")).stdout, tell("would expire"));
    assert.equal((await show(project, id)).state, "pending");
    assert.equal((await close("--threshold", "0s")).stdout, tell("expired"));
    assert.equal((await waiting.ended).code, 4);
    assert.deepEqual((await show(project, id)).ended?.by, "auto-close");
    assert.equal((await show(project, elsewhere.id)).state, "pending");
    assert.equal((await close("--threshold", "soon")).code, 2);
  });

  also("tells a session in its next message what it closed, except for its own requests", async () => {
    const project = await tempProject();
    const own = await ask(project, ...AB);
    const other = await ask(project, ...AB, "--as", "other");
    const close = (...flags: string[]) =>
      project.run("decision", "auto-close", "--threshold", "0s", "--inject", ...flags);
    assert.equal((await close()).code, 2, "for whom?");
    assert.match((await close("--as", "bot")).stderr, /queued as the next message/);
    const { stdout } = await project.run("inject", "drain", "--as", "bot");
    assert.match(stdout, new RegExp(`1 request expired: pending for more than 0s\\n +${other.id}  other`));
    assert.equal(stdout.match(new RegExp(own.id, "g"))?.length, 1, "once: that it has expired");
    assert.match((await close("--as", "bot")).stderr, /nothing was queued/);
  });
});

describe("the context of a request", () => {
  const request = [
    "decision",
    "request",
    "--as",
    "bot",
    "--option",
    "A",
    "--question",
    "Which?",
    "-o",
    "json",
  ];
  const contextOf = async (project: Project, given: string, input = "") => {
    const { stdout } = await piped(project, input, ...request, "--context", given);
    const { context, fields } = JSON.parse(stdout) as Decision;
    return { context, fields };
  };

  it("can come from a file or from stdin, as text or JSON", async () => {
    const project = await tempProject({ "notes.md": "# Notes\nünï\n", "facts.json": '{"risk": "low"}' });
    assert.equal((await contextOf(project, "@notes.md")).context, "# Notes\nünï\n");
    assert.deepEqual((await contextOf(project, "@facts.json")).fields, { risk: "low" });
    assert.equal((await contextOf(project, "-", "line\n".repeat(20_000))).context, "line\n".repeat(20_000));
    assert.equal((await contextOf(project, "-")).context, "");
    assert.equal((await contextOf(project, "@@ana, look")).context, "@ana, look");
  });

  it("is refused if it is missing, binary, a folder, or too big, and nothing is asked", async () => {
    const project = await tempProject({ "long.txt": "x".repeat(200_001), "in/a": "" });
    fs.writeFileSync(path.join(project.dir, "photo.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
    fs.writeFileSync(path.join(project.dir, "latin.txt"), Buffer.from([0x66, 0xfc, 0x72]));
    for (const [file, words] of [
      ["@nowhere.md", /nowhere\.md does not exist/],
      ["@photo.png", /photo\.png is not text/],
      ["@latin.txt", /latin\.txt is not text/],
      ["@in", /in can't be read: EISDIR/],
      ["@/dev/zero", /\/dev\/zero is too big: more than 4 MB/],
      ["@long.txt", /at most 200000 characters/],
    ] as const) {
      const { stderr, code } = await project.run(
        ...["decision", "request", "--prompt", "Which?", "--option", "A", "--context", file],
      );
      assert.notEqual(code, 0, file);
      assert.match(stderr, words);
    }
    assert.deepEqual(await project.json("decision", "list"), []);
  });
});
