/** Decisions as beads, as a person sees them: `[beads] mirror = true`, a double of `bd`, and a repository that stays as it is. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { doubledBd } from "../fakes/bd/doubled.ts";
import { killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Bead {
  id: string;
  status: string;
  labels: string[];
  close_reason: string;
  description: string;
}

interface Decision {
  id: string;
  bead: string | null;
  parent: string | null;
}

const ON = { ".oj/config.toml": "[beads]\nmirror = true\n", "a.txt": "one\n" };

/** The folder of programs comes first in the PATH of the daemon. */
async function beadsProject(): Promise<{ project: Project; bin: string; bd(...args: string[]): string }> {
  const bin = fs.mkdtempSync(path.join(fs.realpathSync(process.env.TMPDIR ?? "/tmp"), "oj-bd-"));
  onTestFinished(() => fs.rmSync(bin, { recursive: true }));
  const project = await tempProject(ON, { env: { PATH: `${bin}:${process.env.PATH}` } });
  const bd = (...args: string[]) =>
    execFileSync(path.join(bin, "bd"), args, { cwd: project.dir, encoding: "utf8" });
  return { project, bin, bd };
}

const git = ({ dir }: Project, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: dir, encoding: "utf8" });

const ask = (project: Project, ...flags: string[]) =>
  project.json<Decision>(
    "decision",
    "request",
    "--prompt",
    "--ship 'it'?",
    "--option",
    "Yes",
    "--option",
    "No",
    ...flags,
  );

describe("decisions as beads", () => {
  it("are mirrored into the database that is there, and the repository stays as it was", async () => {
    const { project, bin, bd } = await beadsProject();
    git(project, "init", "--quiet");
    project.write({ ".gitignore": ".beads/\n", "staged.txt": "staged\n" });
    git(project, "add", "a.txt", ".gitignore", ".oj");
    git(project, "commit", "--quiet", "-m", "first");
    git(project, "add", "staged.txt");
    doubledBd(bin);
    bd("init", "--prefix=shop");
    bd("create", "--title=work", "--id=shop-7");
    bd("create", "--title=epic", "--id=shop-9");
    const before = [
      git(project, "status", "--porcelain"),
      git(project, "rev-parse", "HEAD"),
      git(project, "ls-files", "-s"),
    ];

    const gate = () => (JSON.parse(bd("list", "--label=decision:pending", "--json")) as Bead[]).length > 0;
    const beadOf = (id: string) => (JSON.parse(bd("show", `shop-${id}`, "--json")) as Bead[])[0] as Bead;
    const mirrored = (id: string) =>
      project.until(
        async () => (await project.json<Decision>("decision", "show", id)).bead,
        `the bead of ${id}`,
      );
    assert.equal(gate(), false);
    const { id, parent } = await ask(
      project,
      "--blocks",
      "shop-7",
      "--parent",
      "shop-9",
      "--urgency",
      "high",
    );
    assert.equal(parent, "shop-9");
    assert.equal(await mirrored(id), `shop-${id}`);
    assert.ok(gate());
    assert.deepEqual(beadOf(id).labels.sort(), ["decision:pending", "gt:decision", "urgency:high"]);
    assert.match(beadOf(id).description, /^--ship 'it'\?[\s\S]*1\. Yes\n2\. No/);
    assert.deepEqual(
      JSON.parse(bd("ready", "--json")).map((it: Bead) => it.id),
      ["shop-9"],
    );

    await killDaemon(project);
    await project.run("decision", "resolve", id, "2", "-m", "not today");
    await project.until(async () => beadOf(id).status === "closed", "the closed bead");
    assert.match(beadOf(id).close_reason, /^resolved: option 2, No by ana \(cli\)\s+not today$/);
    assert.deepEqual(
      JSON.parse(bd("ready", "--json")).map((it: Bead) => it.id),
      ["shop-7", "shop-9"],
    );
    assert.equal(gate(), false);

    bd("reopen", `shop-${id}`);
    const sync = await project.run("beads", "sync");
    assert.deepEqual([sync.code, sync.stderr], [0, ""]);
    assert.match(sync.stdout, /^1 decision compared\n✓ shop .*up to date\n$/);
    assert.equal(beadOf(id).status, "closed");
    const after = [
      git(project, "status", "--porcelain"),
      git(project, "rev-parse", "HEAD"),
      git(project, "ls-files", "-s"),
    ];
    assert.deepEqual(after, before);
  });

  it("harm nothing while bd is missing: the answer counts, and every view says what is wrong", async () => {
    const { project, bin, bd } = await beadsProject();
    fs.mkdirSync(path.join(project.dir, ".beads"));
    const { id } = await ask(project);
    assert.equal((await project.run("decision", "resolve", id, "1")).code, 0);
    const words = async (...args: string[]) => (await project.run(...args)).stdout;
    await project.until(
      async () => /not mirrored as beads yet: bd is not on the PATH/.test(await words("status")),
      "the trouble",
    );
    assert.match(await words("doctor"), /✗ bd .*not found[\s\S]*✗ beads of shop .*bd is not on the PATH/);
    const stuck = await project.run("beads", "sync");
    assert.equal(stuck.code, 1);
    assert.match(stuck.stdout, /absent: bd is not on the PATH/);

    doubledBd(bin, "1.0.5");
    bd("init", "--prefix=shop");
    assert.equal((await project.run("beads", "sync")).code, 0);
    const [bead] = JSON.parse(bd("show", `shop-${id}`, "--json")) as Bead[];
    assert.deepEqual([bead?.status, bead?.labels.includes("decision:resolved")], ["closed", true]);
    assert.match(await words("beads", "status"), /✓ shop .*up to date/);
    assert.doesNotMatch(await words("status"), /beads/);
  });
});
