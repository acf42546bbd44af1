import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

async function ask(project: Project, prompt: string, label = "Yes"): Promise<string> {
  const { stdout } = await project.run("decision", "request", "--prompt", prompt, "--option", label);
  return stdout.trim();
}

describe("a list of what was settled", () => {
  it("has the last settled first, with its answer, person, date and delivery", async () => {
    const project = await tempProject();
    const [first, second, third] = [
      await ask(project, "First?"),
      await ask(project, "Second?"),
      await ask(project, "Third?"),
    ];
    await ask(project, "Waits?");
    await project.run("decision", "cancel", second, "--reason", "found it");
    await project.run("decision", "resolve", first, "1");
    await project.run("decision", "resolve", third, "-m", "neither");
    const { stdout } = await project.run("decision", "list", "--since", "1h");
    const date = String.raw`\d\d-\d\d \d\d:\d\d`;
    const rows = stdout.split("\n");
    assert.match(
      rows[1] ?? "",
      new RegExp(`^${date}  ${third}  neither +ana \\(cli\\)  not yet +request  Third`),
    );
    assert.match(
      rows[2] ?? "",
      new RegExp(`^${date}  ${first}  Yes +ana \\(cli\\)  not yet +request  First`),
    );
    assert.match(
      rows[3] ?? "",
      new RegExp(`^${date}  ${second}  withdrawn: found it +ana +– +request  Second`),
    );
    assert.deepEqual(rows.slice(4), ["", "3 decisions, the last settled first", ""]);
    const newest = await project.run("decision", "list", "--since", "1h", "-n", "1");
    assert.match(newest.stdout, /the last 1 decision; there are more/);
    assert.match(newest.stderr, /-o csv and -o json have them all/);
    const before = await project.json<unknown[]>("decision", "list", "--until", "yesterday");
    assert.deepEqual(before, []);
  });

  also("is CSV that no spreadsheet runs", async () => {
    const project = await tempProject();
    const id = await ask(project, '=HYPERLINK("http://x","y")', "@SUM(1)");
    await project.run("decision", "resolve", id, "1", "-m", "-1\r\n+2");
    const { stdout } = await project.run("decision", "list", "--since", "1h", "-o", "csv");
    const [head, row] = stdout.split("\r\n");
    assert.equal(
      head,
      "id,project,source,urgency,title,action,asked_by,asked_at,outcome,answer,message,by,via,settled_at,delivery,delivered_at",
    );
    assert.match(row ?? "", /,"'=HYPERLINK\(""http:\/\/x"",""y""\)",,ana,/);
    assert.match(row ?? "", /,answered,'@SUM\(1\),"'-1\n\+2",ana,cli,/);
  });

  also("says which name was meant, and refuses what it can't read", async () => {
    const project = await tempProject();
    await project.run("decision", "resolve", await ask(project, "Ship?"), "1");
    const missed = await project.run("decision", "list", "--by", "anna");
    assert.deepEqual([missed.code, missed.stdout], [0, "no settled decision matches\n"]);
    assert.match(missed.stderr, /did you mean --by ana\?/);
    for (const [flag, value, words] of [
      ["--outcome", "aproved", /did you mean --outcome approved\?/],
      ["--via", "phone", /--via must be one of cli, tui, web/],
      ["--since", "last week", /--since takes 7d, 2026-11-10/],
      ["-o", "xml", /-o takes json, csv or text, not "xml"/],
    ] as const) {
      const refused = await project.run("decision", "list", flag, value);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, words);
    }
  });

  it("prints every decision of a long history, each once", async () => {
    const project = await tempProject({}, { env: { OJ_USER: "ana" } });
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(project, `Question ${n}?`)));
    await project.run("decision", "resolve", ...ids, "1");
    const all = await project.json<{ id: string }[]>("decision", "list", "--outcome", "answered");
    assert.deepEqual(new Set(all.map((it) => it.id)), new Set(ids));
    assert.equal(all.length, 30);
  });
});
