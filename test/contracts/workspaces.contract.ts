/** What every `Workspaces` keeps to, whatever makes the folders. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { JobId } from "../../src/core/model/ids.ts";
import type { Workspace } from "../../src/core/model/job-types.ts";
import type { Workspaces } from "../../src/ports.ts";

export interface WorkspacesUnderTest {
  workspaces: Workspaces;
  /** A folder in a git repository, and one that is in none. */
  repository: string;
  elsewhere: string;
  /** Somebody changes something there and commits nothing. */
  change(job_id: JobId, workspace: Workspace): Promise<void>;
}

export function workspacesContract(name: string, make: () => Promise<WorkspacesUnderTest>): void {
  describe(`workspaces, ${name}`, () => {
    it("are a folder of the job's own, the same when made twice", async () => {
      const { workspaces, elsewhere } = await make();
      const made = await workspaces.make("job-1", { type: "folder" }, elsewhere);
      const { path, ...rest } = made;
      assert.deepEqual(rest, { type: "folder", branch: null, repository: null, start: null });
      assert.deepEqual(await workspaces.make("job-1", { type: "folder" }, elsewhere), made);
      assert.notEqual((await workspaces.make("job-2", { type: "folder" }, elsewhere)).path, path);
    });

    it("are a git worktree on the branch that is named, or on one of the job's own", async () => {
      const { workspaces, repository } = await make();
      const named = await workspaces.make("job-1", { type: "git", branch: "feat/x" }, repository);
      assert.deepEqual([named.type, named.branch, named.repository], ["git", "feat/x", repository]);
      assert.match(named.start ?? "", /^[0-9a-f]{40}$/);
      assert.deepEqual(await workspaces.make("job-1", { type: "git", branch: "feat/x" }, repository), named);
      assert.equal((await workspaces.make("job-2", { type: "git" }, repository)).branch, "oj/job-2");
    });

    it("say what is wrong where there is no repository", async () => {
      const { workspaces, elsewhere } = await make();
      await assert.rejects(workspaces.make("job-1", { type: "git" }, elsewhere), {
        message: `${elsewhere} is not in a git repository`,
      });
    });

    it("are removed; twice is the same as once", async () => {
      const { workspaces, repository } = await make();
      for (const type of ["folder", "git"] as const) {
        const made = await workspaces.make("job-1", { type }, repository);
        assert.deepEqual(await workspaces.remove("job-1", made), { kept: null });
        assert.deepEqual(await workspaces.remove("job-1", made), { kept: null });
      }
    });

    it("tell where unsaved work of a worktree was put", async () => {
      const { workspaces, repository, change } = await make();
      const made = await workspaces.make("job-1", { type: "git" }, repository);
      await change("job-1", made);
      assert.deepEqual(await workspaces.remove("job-1", made), { kept: "refs/oj/job-1" });
      const folder = await workspaces.make("job-2", { type: "folder" }, repository);
      await change("job-2", folder);
      assert.deepEqual(await workspaces.remove("job-2", folder), { kept: null });
    });
  });
}
