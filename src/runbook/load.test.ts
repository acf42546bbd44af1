import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, it } from "vitest";
import { messagesOf } from "../../test/fakes/marked-runbook.ts";
import { BUILTIN_TEMPLATES } from "../core/template/builtin-templates.ts";
import { checkFiles, loadRunbooks } from "./load.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** A project with these files; a name without a folder is a runbook. */
function project(files: Record<string, string | Buffer>): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "oj-runbooks-"));
  folders.push(root);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name.includes("/") ? name : `.oj/runbooks/${name}`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return root;
}

async function problemsOf(files: Record<string, string | Buffer>): Promise<string[]> {
  return messagesOf((await loadRunbooks(project(files))).problems);
}

const job = (name: string, run = '"x"') => `job "${name}" { step "s" { run = ${run} } }\n`;

describe("loading a project's runbooks", () => {
  it("takes the .hcl files of one folder, by name", async () => {
    const root = project({
      "b.hcl": job("b"),
      "a.hcl": job("a"),
      "c.txt": "?",
      ".hidden.hcl": "?",
      ".oj/runbooks/sub/d.hcl": "?",
      ".oj/runbooks/dir.hcl/x": "",
    });
    const { runbook, problems, files } = await loadRunbooks(root);
    assert.deepEqual(files, [".oj/runbooks/a.hcl", ".oj/runbooks/b.hcl"]);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      runbook.jobs.map((it) => `${it.path}:${it.line} ${it.kind}`),
      [".oj/runbooks/a.hcl:1 a", ".oj/runbooks/b.hcl:1 b"],
    );
  });

  it("finds nothing if there is nothing", async () => {
    assert.deepEqual(await loadRunbooks(project({})), {
      runbook: {
        commands: [],
        jobs: [],
        agents: [],
        templates: BUILTIN_TEMPLATES,
        escalations: [],
        requests: { file_check: {} },
      },
      policies: [],
      irreversible: [],
      problems: [],
      warnings: [],
      broken: [],
      files: [],
    });
    assert.deepEqual((await loadRunbooks("/nowhere/at/all")).files, []);
  });

  it("leaves out a file with problems and keeps the others", async () => {
    const root = project({
      "a.hcl": `command "a" { run = { job = "b" } }\n${job("a")}`,
      "b.hcl": `${job("b")}nonsense`,
      "c.hcl": job("c", '{ job = "bb" }'),
    });
    const { runbook, problems } = await loadRunbooks(root);
    assert.deepEqual(
      runbook.jobs.map((it) => it.kind),
      ["a"],
    );
    assert.deepEqual(messagesOf(problems), [
      ".oj/runbooks/b.hcl:2 expected = or { after nonsense, not the end of the file",
      '.oj/runbooks/c.hcl:1 job "bb" does not exist',
    ]);
  });

  it("reports a name that two files declare in the later one", async () => {
    const { problems, runbook } = await loadRunbooks(project({ "a.hcl": job("x"), "b.hcl": job("x") }));
    assert.deepEqual(messagesOf(problems), ['.oj/runbooks/b.hcl:1 job "x" is declared twice']);
    assert.equal(problems[0]?.hint, "first in .oj/runbooks/a.hcl:1");
    assert.deepEqual(
      runbook.jobs.map((it) => it.path),
      [".oj/runbooks/a.hcl"],
    );
  });

  it("knows the built-in templates, and lets a project replace them", async () => {
    const builtIn = [
      { path: "built in", line: 1, name: "checkpoint", required_context: [], options: [{ key: "go" }] },
    ];
    const uses = 'job "j" { step "s" { decision { template = "checkpoint" } } }\n';
    const declares = 'decision_template "checkpoint" { option "x" {} }\n';
    assert.deepEqual((await loadRunbooks(project({ "a.hcl": uses }), undefined, builtIn)).problems, []);
    assert.deepEqual(
      (await loadRunbooks(project({ "a.hcl": uses + declares }), undefined, builtIn)).problems,
      [],
    );
  });

  it("lets decision steps use the built-in templates, unless the project has switched them off", async () => {
    const fields = 'fields = { progress = "half", next_steps = ["the rest"] }';
    const uses = `job "j" { step "s" { decision { template = "checkpoint" ${fields} } } }\n`;
    const { problems, runbook } = await loadRunbooks(project({ "a.hcl": uses }));
    assert.deepEqual([problems, runbook.templates], [[], BUILTIN_TEMPLATES]);
    const off = { "a.hcl": uses, "b.hcl": "requests { builtin_templates = false }" };
    assert.deepEqual(await problemsOf(off), ['.oj/runbooks/a.hcl:1 template "checkpoint" does not exist']);
    assert.deepEqual((await loadRunbooks(project(off))).runbook.templates, []);
  });

  it("puts a project's template in place of the built-in one, even if it can't be read", async () => {
    const own = 'decision_template "stuck" { required_context = ["why"] }\n';
    const names = async (text: string) =>
      (await loadRunbooks(project({ "a.hcl": text }))).runbook.templates.map((it) => `${it.path}:${it.name}`);
    const others = BUILTIN_TEMPLATES.filter((it) => it.name !== "stuck").map((it) => `:${it.name}`);
    assert.deepEqual(await names(own), [".oj/runbooks/a.hcl:stuck", ...others]);
    assert.deepEqual(await names(`${own}nonsense`), others);
  });

  it("keeps what a project requires of requests even if another part of the file has a problem", async () => {
    const policy = async (text: string) =>
      (await loadRunbooks(project({ "a.hcl": text, "b.hcl": job("b") }))).runbook.requests.file_check;
    assert.deepEqual(await policy(""), {});
    assert.deepEqual(await policy("requests { file_check = true }"), {});
    assert.deepEqual(await policy('requests { file_check { failure = ["x y"] } }'), { failure: ["x y"] });
    assert.equal(await policy("requests { file_check = false }\nnonsense"), null);
    assert.deepEqual(await policy('requests { file_check = "no" }'), {});
  });

  it("shows a problem as people read it", async () => {
    const template =
      'decision_template "checkpoint" { option "x" {} }\njob "j" {\n  step "s" {\n    decision { template = "checkpont" }\n  }\n}\n';
    const { problems } = await loadRunbooks(project({ "feature.hcl": template }));
    const [{ message, path: file, line, column, length, hint } = assert.fail("no problem")] = problems;
    assert.deepEqual(
      { message, file, line, column, length, hint },
      {
        message: 'template "checkpont" does not exist',
        file: ".oj/runbooks/feature.hcl",
        line: 4,
        column: 27,
        length: 11,
        hint: 'did you mean "checkpoint"?',
      },
    );
  });
});

describe("files that are not valid text", () => {
  const bad = (bytes: number[]) =>
    Buffer.concat([Buffer.from('# é\njob "ü'), Buffer.from(bytes), Buffer.from('" {}\n')]);

  it.each<[what: string, bytes: number[]]>([
    ["a stray byte", [0xff]],
    ["half a character", [0xe2, 0x82]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["an overlong form", [0xc0, 0xaf]],
  ])("are reported at the place of %s", async (_, bytes) => {
    const { problems } = await loadRunbooks(project({ "a.hcl": bad(bytes) }));
    assert.deepEqual(
      problems.map((it) => [it.line, it.column, it.message]),
      [[2, 7, "this file is not UTF-8 text"]],
    );
  });

  it("are reported if they are binary", async () => {
    const { problems } = await loadRunbooks(project({ "a.hcl": "\uFEFFa\0b" }));
    assert.deepEqual(
      problems.map((it) => [it.line, it.column, it.message]),
      [[1, 2, "this is not text: it contains a NUL character"]],
    );
    assert.deepEqual(await problemsOf({ "a.hcl": fs.readFileSync(process.execPath).subarray(0, 100_000) }), [
      ".oj/runbooks/a.hcl:1 this file is not UTF-8 text",
    ]);
  });

  it("are reported if they end within a character", async () => {
    const { problems } = await loadRunbooks(project({ "a.hcl": Buffer.from([0x23, 0xe2, 0x82]) }));
    assert.deepEqual(
      problems.map((it) => [it.line, it.column]),
      [[1, 2]],
    );
  });

  it("are reported, unread, if they are too large", async () => {
    assert.deepEqual(
      await problemsOf({ "a.hcl": "#".repeat(1024 * 1024 + 1), "b.hcl": Buffer.alloc(10_000_000) }),
      [
        ".oj/runbooks/a.hcl:1 this file is larger than 1024 KB",
        ".oj/runbooks/b.hcl:1 this file is larger than 1024 KB",
      ],
    );
    assert.deepEqual(await problemsOf({ "a.hcl": "#".repeat(1024 * 1024) }), []);
  });

  it("are reported if they are not files, or lead nowhere", async () => {
    const root = project({ "a.hcl": "" });
    fs.symlinkSync("/dev/null", path.join(root, ".oj/runbooks/null.hcl"));
    fs.symlinkSync("nowhere", path.join(root, ".oj/runbooks/gone.hcl"));
    fs.symlinkSync("loop.hcl", path.join(root, ".oj/runbooks/loop.hcl"));
    fs.symlinkSync(root, path.join(root, ".oj/runbooks/root.hcl"));
    assert.deepEqual(messagesOf((await loadRunbooks(root)).problems), [
      ".oj/runbooks/gone.hcl:1 this file does not exist",
      ".oj/runbooks/loop.hcl:1 this file is a link that goes in circles",
      ".oj/runbooks/null.hcl:1 this file is not a regular file",
      ".oj/runbooks/root.hcl:1 this file is a folder",
    ]);
  });

  it("are reported if their folder is not a folder", async () => {
    assert.deepEqual(messagesOf((await loadRunbooks(project({ ".oj/runbooks": "?" }))).problems), [
      ".oj/runbooks:1 the runbooks folder is not a folder",
    ]);
  });
});

describe("file() in a project", () => {
  const uses = (file: string) => `agent "a" {\n run = "x"\n prompt = file("${file}")\n}\n`;

  it("reads from the root, through folders and links inside it", async () => {
    const root = project({ "a.hcl": uses("docs/link.md"), "docs/real.md": "\uFEFFhello" });
    fs.symlinkSync("real.md", path.join(root, "docs/link.md"));
    assert.equal((await loadRunbooks(root)).runbook.agents[0]?.prompt, "hello");
  });

  it("never leaves the project", async () => {
    const outside = project({ "out/secret": "s" });
    const root = project({ "a.hcl": uses("../secret") });
    fs.symlinkSync(path.join(outside, "out"), path.join(root, "linked"));
    const cases = [
      `../${path.basename(outside)}/out/secret`,
      `${outside}/out/secret`,
      "linked/secret",
      "/etc/passwd",
      ".",
      "",
    ];
    for (const file of cases) {
      fs.writeFileSync(path.join(root, ".oj/runbooks/a.hcl"), uses(file));
      const { problems } = await loadRunbooks(root);
      assert.match(problems[0]?.message ?? "", /is outside the project$/, file);
    }
  });

  it("reports what is wrong with a file at the place that asks for it", async () => {
    const root = project({
      "a.hcl": uses("x"),
      "docs/big": "x".repeat(256 * 1024 + 1),
      "docs/bin": Buffer.from([0xff]),
      "docs/nul": "\0",
      "docs/edge": "x".repeat(256 * 1024),
    });
    const messageFor = async (file: string) => {
      fs.writeFileSync(path.join(root, ".oj/runbooks/a.hcl"), uses(file));
      return (await loadRunbooks(root)).problems[0]?.message;
    };
    assert.equal(await messageFor("docs/none"), 'file "docs/none" does not exist');
    assert.equal(await messageFor("docs"), 'file "docs" is a folder');
    assert.equal(await messageFor("docs/big"), 'file "docs/big" is larger than 256 KB');
    assert.equal(await messageFor("docs/bin"), 'file "docs/bin" is not UTF-8 text');
    assert.equal(await messageFor("docs/nul"), 'file "docs/nul" is not UTF-8 text');
    assert.equal(await messageFor("a\\u0001"), 'file "a\u0001" does not exist');
    assert.match((await messageFor("x".repeat(5000))) ?? "", /^file "x{294}…$/);
    assert.equal(await messageFor("docs/edge"), undefined);
  });

  it("reads a bounded number of files", async () => {
    const many = Array.from({ length: 501 }, (_, index) => `"\${file("f${index}")}"`).join(", ");
    const problems = await problemsOf({ "a.hcl": `agent "a" {\n run = "x"\n prime = [${many}]\n}` });
    assert.equal(problems.length, 51);
  });
});

describe("checking files", () => {
  it("reports the problems of those files alone, with the rest of the project known", async () => {
    const root = project({ "a.hcl": job("a", '{ job = "b" }'), "b.hcl": job("b"), "c.hcl": "nonsense" });
    const { problems, files, runbook } = await checkFiles(root, [".oj/runbooks/a.hcl"]);
    assert.deepEqual([problems, files], [[], [".oj/runbooks/a.hcl"]]);
    assert.deepEqual(
      runbook.jobs.map((it) => it.kind),
      ["a"],
    );
    assert.equal((await checkFiles(root, [path.join(root, ".oj/runbooks/c.hcl")])).problems.length, 1);
  });

  it("takes a file from elsewhere as a draft", async () => {
    const root = project({
      "a.hcl": job("a"),
      "drafts/a.hcl": job("a", '{ job = "b" }') + job("b", '{ job = "d" }'),
    });
    const { problems } = await checkFiles(root, ["drafts/a.hcl"]);
    assert.deepEqual(messagesOf(problems), ['drafts/a.hcl:2 job "d" does not exist']);
  });

  it("reports what can't be read", async () => {
    const root = project({});
    const elsewhere = path.join(os.tmpdir(), "oj-none.hcl");
    const { problems, files } = await checkFiles(root, ["none.hcl", elsewhere, "none.hcl", "."]);
    assert.deepEqual(files, ["none.hcl", elsewhere, root]);
    assert.deepEqual(messagesOf(problems), [
      "none.hcl:1 this file does not exist",
      `${elsewhere}:1 this file does not exist`,
      `${root}:1 this file is a folder`,
    ]);
  });

  it("reports a name that another file has already", async () => {
    const root = project({ "a.hcl": job("x"), "b.hcl": job("x") });
    assert.equal((await checkFiles(root, [".oj/runbooks/b.hcl"])).problems.length, 1);
  });
});
