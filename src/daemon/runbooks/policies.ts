/**
 * Reads the policies that may count, anew for every judgement: those of a project's runbooks, and the person's own. Which
 * of them do count is decided in core/policy, by what was accepted.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { personalFile } from "../../config.ts";
import { readCall, wantedPaths } from "../../core/policy/call.ts";
import type { Look, PolicyFile } from "../../core/policy/ruling.ts";
import type { Ports } from "../../ports.ts";
import { readPolicies } from "../../runbook/policies.ts";

/** Where a call would run. */
export interface CallPlace {
  /** The project's folder; null if it is not known. */
  root: string | null;
  cwd: string;
  /** The folder that the asker works in. */
  workspace: string;
}

export interface Policies {
  look(place: CallPlace, call: { tool: string; input: unknown; sha256: string } | null): Promise<Look | null>;
  /** All files that may have policies, and what is wrong with them. */
  files(root: string | null): Promise<PolicyFile[]>;
}

/** The person's own policies are beside their config. */
export function policyPlace(env: Readonly<Record<string, string | undefined>>): {
  own: string;
  home: string;
} {
  const home = env.HOME || os.homedir();
  return { own: path.join(path.dirname(personalFile(env, home)), "policy.hcl"), home };
}

const FOLDER = ".oj/runbooks";
const LARGEST = 1024 * 1024;
const MOST_FILES = 500;

export function startPolicies(
  { realPaths }: Pick<Ports, "realPaths">,
  { own, home }: { own: string; home: string | null },
): Policies {
  const known = new Map<string, PolicyFile>();

  async function files(root: string | null): Promise<PolicyFile[]> {
    const names = root === null ? [] : await listed(path.join(root, FOLDER));
    const all = await Promise.all([...names.map((it) => read(it, false)), read(own, true)]);
    return all.filter((it) => it !== null);
  }

  /** A file that says what it said before is not parsed again. */
  async function read(file: string, isOwn: boolean): Promise<PolicyFile | null> {
    try {
      const stats = await fs.stat(file);
      if (!stats.isFile() || stats.size > LARGEST) return null;
      const text = await fs.readFile(file, "utf8");
      const personal = isOwn ? { since_ms: stats.mtimeMs } : null;
      const before = known.get(file);
      if (before?.text === text && before.personal?.since_ms === personal?.since_ms) return before;
      const { policies, irreversible, escalations } = readPolicies(file, text);
      const now = { path: file, text, personal, policies, irreversible, escalations };
      if (known.size > MOST_FILES) known.clear();
      known.set(file, now);
      return now;
    } catch {
      return null;
    }
  }

  return {
    files,
    async look({ root, cwd, workspace }, call) {
      const found = (await files(root)).filter((it) => it.policies.length + it.irreversible.length > 0);
      if (!found.some((it) => it.policies.length > 0)) return null;
      if (call === null)
        return { files: found, call: null, place: { cwd, workspace: null, home, real: new Map() } };
      const read = readCall(call, { cwd, home });
      const real = await realPaths([workspace, ...wantedPaths(read)]);
      const place = { cwd, workspace: real.get(workspace) ?? null, home, real };
      return { files: found, call: { call: read, sha256: call.sha256 }, place };
    },
  };
}

async function listed(folder: string): Promise<string[]> {
  try {
    const names = await fs.readdir(folder);
    return names
      .filter((it) => /^[^.].*\.hcl$/.test(it))
      .sort()
      .slice(0, MOST_FILES)
      .map((it) => path.join(folder, it));
  } catch {
    return [];
  }
}
