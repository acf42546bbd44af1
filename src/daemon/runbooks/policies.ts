/**
 * The policies that may count, as their files are at every judgement: those of a project's runbooks, and the person's own.
 * Which of them do count is decided in core/policy, by what was accepted.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { homeOf, personalFile } from "../../config.ts";
import type { Fact } from "../../core/model/events.ts";
import type { Moment } from "../../core/model/ids.ts";
import type { State } from "../../core/model/state/state.ts";
import { readCall, wantedPaths } from "../../core/policy/call.ts";
import type { Look, PolicyFile } from "../../core/policy/files.ts";
import type { Asking } from "../../core/policy/ruling.ts";
import { underStandingPolicies } from "../../core/policy/ruling.ts";
import type { Ports } from "../../ports.ts";
import { readPolicies } from "../../runbook/policies.ts";
import type { Saw } from "./keep.ts";
import { keepWhile } from "./keep.ts";

/** Where a call would run. */
export interface CallPlace {
  /** The project's folder; null if it is not known. */
  root: string | null;
  cwd: string;
  /** The folder that the asker works in. */
  workspace: string;
}

export interface Policies {
  /** Null if nothing could answer it; a call may fit what was remembered for its asker, whatever the files say. */
  look(place: CallPlace, call: { tool: string; input: unknown; sha256: string } | null): Promise<Look | null>;
  /** All files that may have policies, and what is wrong with them. */
  files(root: string | null): Promise<PolicyFile[]>;
  /** Lets policies answer what a job asks, in the turn in which it asks. */
  review(state: State, facts: Fact[], moment: Moment): Fact[];
}

/** The person's own policies are beside their config. */
export function policyPlace(env: Readonly<Record<string, string | undefined>>): {
  own: string;
  home: string;
} {
  const home = homeOf(env);
  return { own: path.join(path.dirname(personalFile(env, home)), "policy.hcl"), home };
}

export const POLICY_FOLDER = ".oj/runbooks";
const LARGEST = 1024 * 1024;
const MOST_FILES = 500;

/** There, but not readable now, say for want of descriptors: it may be in a moment, though nothing about it changes. */
const UNREADABLE = "unreadable";

export function startPolicies(
  { realPaths }: Pick<Ports, "realPaths">,
  { own, home, now }: { own: string; home: string | null; now?: () => number },
): Policies {
  const known = new Map<string, PolicyFile>();
  const projects = keepWhile(
    (folder, saw) => {
      saw(folder, "text");
      const names = listed(folder);
      return names === UNREADABLE ? [names] : names.map((file) => read(file, saw));
    },
    (found) => !found.includes(UNREADABLE),
    now,
  );
  const owns = keepWhile(read, (found) => found !== UNREADABLE, now);

  /** A file that says what it said before is not parsed again. */
  function parsed(file: string, text: string, personal: PolicyFile["personal"]): PolicyFile {
    const before = known.get(file);
    if (before?.text === text && before.personal?.since_ms === personal?.since_ms) return before;
    const { policies, irreversible, escalations } = readPolicies(file, text);
    const now = { path: file, text, personal, policies, irreversible, escalations };
    if (known.size > MOST_FILES) known.clear();
    known.set(file, now);
    return now;
  }

  function read(file: string, saw: Saw): PolicyFile | null | typeof UNREADABLE {
    saw(file, "text");
    const found = readSmall(file);
    if (found === null || found === UNREADABLE) return found;
    return parsed(file, found.text, file === own ? { since_ms: found.changed_ms } : null);
  }

  /** Looked at in one go: a few small files, and an agent waits. */
  function files(root: string | null): PolicyFile[] {
    const found = [...(root === null ? [] : projects(path.join(root, POLICY_FOLDER))), owns(own)];
    return found.filter((it) => it !== null && it !== UNREADABLE);
  }

  function lookNow(root: string | null): Look | null {
    try {
      const found = files(root).filter((it) => it.policies.length > 0);
      return { files: found, call: null, place: { cwd: "/", workspace: null, home, real: new Map() } };
    } catch {
      return null;
    }
  }

  return {
    files: async (root) => files(root),
    async look({ root, cwd, workspace }, call) {
      const found = files(root).filter(matters);
      if (call === null) {
        if (!found.some((it) => it.policies.length > 0)) return null;
        return { files: found, call: null, place: { cwd, workspace: null, home, real: new Map() } };
      }
      const read = readCall(call, { cwd, home });
      const real = await realPaths([workspace, ...wantedPaths(read)]);
      const place = { cwd, workspace: real.get(workspace) ?? null, home, real };
      return { files: found, call: { call: read, sha256: call.sha256 }, place };
    },
    review: (state, facts, moment) =>
      underStandingPolicies(state, facts, (asked, all) => lookNow(rootOf(state, asked, all)), moment),
  };
}

/** Also a file that only declares what policies of other files name. */
function matters({ policies, irreversible, escalations }: PolicyFile): boolean {
  return policies.length + irreversible.length + escalations.length > 0;
}

/** The folder of the project whose job or agent asks; the job may begin with these very facts. */
function rootOf(state: State, { owner, agent_id }: Asking, facts: readonly Fact[]): string | null {
  const agent = agent_id === undefined ? undefined : state.agents.get(agent_id);
  if (agent) return agent.root;
  if (owner.kind !== "job") return null;
  const begun = facts.find((it) => it.type === "job:created" && it.id === owner.id);
  return begun?.type === "job:created" ? begun.root : (state.jobs.get(owner.id)?.root ?? null);
}

/** What it says; null if it is no file that we read. Opening what an agent has put there, say a pipe, must not wait. */
function readSmall(file: string): { text: string; changed_ms: number } | null | typeof UNREADABLE {
  let opened: number | null = null;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(opened);
    if (!stats.isFile() || stats.size > LARGEST) return null;
    return { text: readFileSync(opened, "utf8"), changed_ms: stats.mtimeMs };
  } catch (error) {
    return isAbsent(error) ? null : UNREADABLE;
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

function listed(folder: string): string[] | typeof UNREADABLE {
  try {
    return namesIn(folder, readdirSync(folder));
  } catch (error) {
    return isAbsent(error) ? [] : UNREADABLE;
  }
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code));
}

function namesIn(folder: string, names: readonly string[]): string[] {
  return names
    .filter((it) => /^[^.].*\.hcl$/.test(it))
    .sort()
    .slice(0, MOST_FILES)
    .map((it) => path.join(folder, it));
}
