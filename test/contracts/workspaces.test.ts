import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { describe, it } from "vitest";
import { folderWorkspaces } from "../../src/adapters/git/workspaces.ts";
import type { JobId } from "../../src/core/model/ids.ts";
import { fakeWorkspaces } from "../fakes/fake-workspaces.ts";
import { tempFolder } from "./temp.ts";
import { workspacesContract } from "./workspaces.contract.ts";

async function setup(input: { commit?: boolean } = {}) {
  const root = await tempFolder();
  const repository = path.join(root, "repo");
  const env = { PATH: process.env.PATH ?? "", HOME: root, GIT_DIR: "/nowhere" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: repository,
      encoding: "utf8",
      env: { PATH: env.PATH, HOME: root },
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  await fs.mkdir(repository);
  git("init", "--quiet", "--initial-branch=main");
  if (input.commit ?? true) {
    await fs.writeFile(path.join(repository, "a.txt"), "one\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "first");
  }
  return { root, repository, git, workspaces: folderWorkspaces({ dir: path.join(root, "ws"), env }) };
}

workspacesContract("of git", async () => {
  const { root, repository, workspaces } = await setup();
  const change = (_: unknown, made: { path: string }) => fs.writeFile(path.join(made.path, "new.txt"), "x\n");
  return { workspaces, repository, elsewhere: root, change };
});

workspacesContract("the fake", async () => {
  const workspaces = fakeWorkspaces();
  workspaces.isRepository = (root) => root === "/repo";
  const change = async (job_id: JobId) => workspaces.change(job_id);
  return { workspaces, repository: "/repo", elsewhere: "/elsewhere", change };
});

const exists = (file: string) =>
  fs.access(file).then(
    () => true,
    () => false,
  );

describe("a folder", () => {
  it("is created empty, the same on a second call, and removed", async () => {
    const { workspaces, root } = await setup();
    const made = await workspaces.make("job-1", { type: "folder" }, root);
    assert.deepEqual(await workspaces.make("job-1", { type: "folder" }, root), made);
    await fs.writeFile(path.join(made.path, "x"), "");
    await workspaces.remove("job-1", made);
    assert.equal(await exists(made.path), false);
    await workspaces.remove("job-1", made);
  });
});

describe("a git worktree", () => {
  it("is a checkout on a branch of its own", async () => {
    const { workspaces, repository, git } = await setup();
    const made = await workspaces.make("job-1", { type: "git", branch: "feat/x" }, repository);
    assert.equal(made.branch, "feat/x");
    assert.equal(await fs.readFile(path.join(made.path, "a.txt"), "utf8"), "one\n");
    assert.equal(git("rev-parse", "feat/x"), made.start);
    assert.deepEqual(await workspaces.make("job-1", { type: "git", branch: "feat/x" }, repository), made);
  });

  it("is removed, and its branch stays if it has commits", async () => {
    const { workspaces, repository, git } = await setup();
    const made = await workspaces.make("job-1", { type: "git" }, repository);
    execFileSync(
      "git",
      ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--allow-empty", "-m", "work"],
      { cwd: made.path },
    );
    assert.deepEqual(await workspaces.remove("job-1", made), { kept: null });
    assert.equal(await exists(made.path), false);
    assert.equal(git("log", "-1", "--format=%s", "oj/job-1"), "work");
    assert.doesNotMatch(git("worktree", "list"), /ws/);
  });

  it("leaves no empty branch of ours behind, but never removes one that was named", async () => {
    const { workspaces, repository, git } = await setup();
    await workspaces.remove("job-1", await workspaces.make("job-1", { type: "git" }, repository));
    await workspaces.remove(
      "job-2",
      await workspaces.make("job-2", { type: "git", branch: "mine" }, repository),
    );
    assert.equal(git("branch", "--format=%(refname:short)"), "main\nmine");
  });

  it("keeps uncommitted work as a commit when it is removed", async () => {
    const { workspaces, repository, git } = await setup();
    const made = await workspaces.make("job-1", { type: "git" }, repository);
    await fs.writeFile(path.join(made.path, "new.txt"), "precious\n");
    const { kept } = await workspaces.remove("job-1", made);
    assert.equal(kept, "refs/oj/job-1");
    assert.equal(git("show", `${kept}:new.txt`), "precious");
  });

  it("starts from a ref and reuses an existing branch", async () => {
    const { workspaces, repository, git } = await setup();
    git("branch", "old");
    git("commit", "--quiet", "--allow-empty", "-m", "second");
    const made = await workspaces.make("job-1", { type: "git", branch: "x", ref: "old" }, repository);
    assert.equal(git("log", "-1", "--format=%s", "x"), "first");
    await workspaces.remove("job-1", made);
    const again = await workspaces.make("job-2", { type: "git", branch: "x" }, repository);
    assert.equal(again.branch, "x");
  });

  it("says what is wrong: no repository, no commit, no such ref, no such name, a branch in use", async () => {
    const { workspaces, repository, root } = await setup();
    const refuses = (def: { branch?: string; ref?: string }, at: string, words: RegExp) =>
      assert.rejects(workspaces.make("job-9", { type: "git", ...def }, at), words);
    await refuses({}, root, /not in a git repository/);
    await refuses({ ref: "nope" }, repository, /"nope" is not a commit/);
    await refuses({ ref: "--upload-pack=evil" }, repository, /is not a commit/);
    await refuses({ branch: "a..b" }, repository, /can't be the name of a branch/);
    await refuses({ branch: "main" }, repository, /main/);
    const empty = await setup({ commit: false });
    await assert.rejects(empty.workspaces.make("job-9", { type: "git" }, empty.repository), /has no commit/);
  });

  it("copes if somebody removed its folder, or the whole repository", async () => {
    const { workspaces, repository } = await setup();
    const made = await workspaces.make("job-1", { type: "git" }, repository);
    await fs.rm(made.path, { recursive: true });
    await workspaces.remove("job-1", made);
    const other = await workspaces.make("job-2", { type: "git" }, repository);
    await fs.rm(repository, { recursive: true });
    await workspaces.remove("job-2", other);
    assert.equal(await exists(other.path), false);
  });
});
