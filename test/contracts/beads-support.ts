/** A repository with beads, kept by the `bd` in a folder for programs: the double, or the real one. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { bdBeads } from "../../src/adapters/beads/bd.ts";
import type { BeadsUnderTest } from "./beads.contract.ts";

interface Issue {
  id: string;
  title: string;
  description: string;
  issue_type: string;
  priority: number;
  external_ref: string;
}

interface Given {
  bin: string;
  /** A folder of our own. */
  dir: string;
  /** Holds the lock of the database in this folder until it is called. */
  hold(dotBeads: string): Promise<() => void>;
}

export function bdUnderTest({ bin, dir, hold }: Given): BeadsUnderTest {
  const repo = path.join(dir, "repo");
  const dotBeads = path.join(repo, ".beads");
  const env = {
    HOME: path.join(dir, "home"),
    PATH: `${bin}:/usr/bin:/bin`,
    GIT_CONFIG_GLOBAL: "/dev/null",
    BD_DISABLE_METRICS: "1",
    BD_NON_INTERACTIVE: "1",
  };
  fs.mkdirSync(repo, { recursive: true });
  fs.mkdirSync(env.HOME);
  execFileSync("git", ["init", "--quiet"], { cwd: repo, env });
  const bd = (...args: string[]) => {
    const text = execFileSync(path.join(bin, "bd"), args, {
      cwd: repo,
      env,
      encoding: "utf8",
      maxBuffer: 64e6,
    });
    return text.trim() === "" ? [] : (JSON.parse(text) as Issue[]);
  };
  const init = ["init", "--stealth", "--quiet", "--prefix=shop"];
  execFileSync(path.join(bin, "bd"), init, { cwd: repo, env, stdio: "ignore" });
  const beads = bdBeads({ env, withinMs: 60_000 });
  const impatient = bdBeads({ env, firstWithinMs: 2000 });
  return {
    beads,
    at: { dir: dotBeads, abort: new AbortController().signal },
    async texts(id) {
      const { title, description, issue_type, priority, external_ref } = bd("show", id, "--json")[0] as Issue;
      return { title, body: description, type: issue_type, priority, ref: external_ref };
    },
    ready: async () => bd("ready", "--json").map((it) => it.id),
    labelled: async (label) => bd("list", `--label=${label}`, "--json").map((it) => it.id),
    lock: async () => ({ beads: impatient, release: await hold(dotBeads) }),
  };
}
