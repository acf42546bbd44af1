/**
 * The port `Workspaces` in memory: it creates no folders and remembers the ones it was asked for. Passes the contract
 * of workspaces.
 */
import path from "node:path";
import type { JobId } from "../../src/core/model/ids.ts";
import type { Workspace } from "../../src/core/model/job-types.ts";
import type { Workspaces } from "../../src/ports.ts";

export interface FakeWorkspaces extends Workspaces {
  /** The workspaces that exist now. */
  made: Map<JobId, Workspace>;
  /** Makes an uncommitted change there. */
  change(job_id: JobId): void;
  /** Whether the folder is in a git repository. By default every folder is. */
  isRepository(root: string): boolean;
}

export function fakeWorkspaces(dir = "/workspaces"): FakeWorkspaces {
  const changed = new Set<JobId>();
  const view: FakeWorkspaces = {
    made: new Map(),
    change: (job_id) => void changed.add(job_id),
    isRepository: () => true,
    async make(job_id, def, root) {
      if (def.type === "git" && !view.isRepository(root))
        throw new Error(`${root} is not in a git repository`);
      const its = { path: path.join(dir, job_id), branch: null, repository: null, start: null };
      const git = { branch: "", repository: root, start: "0".repeat(40) };
      const made: Workspace =
        def.type === "git"
          ? { type: "git", ...its, ...git, branch: def.branch ?? `oj/${job_id}` }
          : { type: "folder", ...its };
      view.made.set(job_id, made);
      return { ...made };
    },
    async remove(job_id, { type }) {
      view.made.delete(job_id);
      const isUnsaved = changed.delete(job_id) && type === "git";
      return { kept: isUnsaved ? `refs/oj/${job_id}` : null };
    },
  };
  return view;
}
