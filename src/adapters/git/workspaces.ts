/** Folders that jobs work in: an empty one, or a git worktree on a branch of its own. */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { JobId } from "../../core/model/ids.ts";
import type { Workspace } from "../../core/model/job-types.ts";
import type { Workspaces } from "../../ports.ts";

export function folderWorkspaces(input: { dir: string; env: Readonly<Record<string, string>> }): Workspaces {
  const git = gitIn(input.env);
  const pathOf = (job_id: JobId) => path.join(input.dir, job_id);

  async function makeWorktree(
    job_id: JobId,
    def: { branch?: string; ref?: string },
    root: string,
  ): Promise<Workspace> {
    const folder = pathOf(job_id);
    const repository = await git(root, "rev-parse", "--show-toplevel").catch(() => {
      throw new Error(`${root} is not in a git repository`);
    });
    const ref = def.ref ?? "HEAD";
    const start = await git(
      repository,
      "rev-parse",
      "--verify",
      "--quiet",
      "--end-of-options",
      `${ref}^{commit}`,
    ).catch(() => {
      throw new Error(
        def.ref ? `"${ref}" is not a commit of ${repository}` : `${repository} has no commit to start from`,
      );
    });
    const branch = def.branch ?? `oj/${job_id}`;
    await git(repository, "check-ref-format", "--branch", branch).catch(() => {
      throw new Error(`"${branch}" can't be the name of a branch`);
    });
    const made: Workspace = { type: "git", path: folder, branch, repository, start };
    if (await isWorktree(folder)) return made; // created before a crash, and not yet recorded
    await git(repository, "worktree", "prune");
    const exists = await git(repository, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`).then(
      () => true,
      () => false,
    );
    await fs.mkdir(input.dir, { recursive: true, mode: 0o700 });
    if (exists) await git(repository, "worktree", "add", "--quiet", folder, branch);
    else await git(repository, "worktree", "add", "--quiet", "-b", branch, folder, start);
    return made;
  }

  async function isWorktree(folder: string): Promise<boolean> {
    const top = await git(folder, "rev-parse", "--show-toplevel").catch(() => null);
    return top !== null && path.resolve(top) === (await fs.realpath(folder).catch(() => folder));
  }

  async function removeWorktree(
    job_id: JobId,
    { path: folder, repository, branch, start }: Workspace,
  ): Promise<string | null> {
    if (repository === null || !(await isThere(repository))) {
      await fs.rm(folder, { recursive: true, force: true });
      return null;
    }
    const kept = (await isThere(folder)) ? await keepUnsaved(folder, job_id) : null;
    await git(repository, "worktree", "remove", "--force", folder).catch(() =>
      fs.rm(folder, { recursive: true, force: true }),
    );
    await git(repository, "worktree", "prune");
    if (branch !== null && branch === `oj/${job_id}`) {
      // Our own branch without commits of its own says nothing; one with commits is the job's work and stays.
      const tip = await git(repository, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`).catch(
        () => null,
      );
      if (tip === start) await git(repository, "branch", "-D", "--quiet", branch);
    }
    return kept;
  }

  /** Uncommitted work must not vanish with the folder: it is kept as a commit that no branch points to. */
  async function keepUnsaved(folder: string, job_id: JobId): Promise<string | null> {
    const changes = await git(folder, "status", "--porcelain").catch(() => "");
    if (changes === "") return null;
    const ref = `refs/oj/${job_id}`;
    await git(folder, "add", "--all");
    const tree = await git(folder, "write-tree");
    const commit = await git(
      folder,
      "commit-tree",
      tree,
      "-p",
      "HEAD",
      "-m",
      `uncommitted work of ${job_id}`,
    );
    await git(folder, "update-ref", ref, commit);
    return ref;
  }

  return {
    async make(job_id, def, root) {
      if (def.type === "git") return makeWorktree(job_id, def, root);
      await fs.mkdir(pathOf(job_id), { recursive: true, mode: 0o700 });
      return { type: "folder", path: pathOf(job_id), branch: null, repository: null, start: null };
    },
    async remove(job_id, workspace) {
      if (workspace.type === "git") return { kept: await removeWorktree(job_id, workspace) };
      await fs.rm(workspace.path, { recursive: true, force: true });
      return { kept: null };
    },
  };
}

async function isThere(folder: string): Promise<boolean> {
  return fs.stat(folder).then(
    (it) => it.isDirectory(),
    () => false,
  );
}

/** Git, with nothing leaking in from the caller's repository, and with a name for the commits that we make. */
function gitIn(env: Readonly<Record<string, string>>): (cwd: string, ...args: string[]) => Promise<string> {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")));
  const identity = {
    GIT_AUTHOR_NAME: "oj",
    GIT_AUTHOR_EMAIL: "oj@localhost",
    GIT_COMMITTER_NAME: "oj",
    GIT_COMMITTER_EMAIL: "oj@localhost",
    // hooks and filters in a repository where an agent works may be the agent's own: they run as nobody, not as a person
    OJ_AGENT: "git",
    OJ_AGENT_TOKEN: "what-git-runs-is-nobody",
  };
  const run = promisify(execFile);
  return async (cwd, ...args) => {
    try {
      const { stdout } = await run("git", args, {
        cwd,
        env: { ...clean, ...identity, LC_ALL: "C" },
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout.trimEnd();
    } catch (error) {
      const { code, stderr } = error as { code?: string; stderr?: string };
      if (code === "ENOENT") throw new Error("git is not installed, or the folder is gone");
      throw new Error(`git ${args[0]}: ${(stderr ?? String(error)).trim()}`);
    }
  };
}
