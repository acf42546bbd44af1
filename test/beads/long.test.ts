/** Many decisions through all outcomes while everything is killed and locked: the beads end as the log says. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, it, onTestFinished } from "vitest";
import type { Project } from "../specs/support/project.ts";
import { tempProject } from "../specs/support/project.ts";
import type { BdProgram } from "./programs.ts";
import { PROGRAMS } from "./programs.ts";

const DECISIONS = Number(process.env.OJ_BEADS ?? 200);

interface Decision {
  id: string;
  state: string;
}

interface Bead {
  status: string;
  labels: string[];
  external_ref: string;
  close_reason?: string;
}

const OUTCOMES = ["resolved", "dismissed", "withdrawn", "expired", "superseded", "pending"] as const;

describe("decisions and their beads", () => {
  for (const program of PROGRAMS)
    it(`are the same in the end, with bd ${program.version}`, async () => {
      const dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "oj-bd-"));
      onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
      const bin = program.bin(dir);
      const project = await tempProject(
        { ".oj/config.toml": "[beads]\nmirror = true\n", "a.txt": "one\n" },
        { env: { PATH: `${bin}:${process.env.PATH}` } },
      );
      const bd = (...args: string[]) => {
        const env = { ...project.env, BD_DISABLE_METRICS: "1", BD_NON_INTERACTIVE: "1" };
        return execFileSync(path.join(bin, "bd"), args, {
          cwd: project.dir,
          env,
          encoding: "utf8",
          maxBuffer: 256e6,
        });
      };
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
          cwd: project.dir,
          encoding: "utf8",
        });
      git("init", "--quiet");
      git("add", "a.txt", ".oj");
      git("commit", "--quiet", "-m", "first");
      bd("init", "--stealth", "--quiet", "--prefix=shop");
      for (const id of ["shop-w1", "shop-w2"]) bd("create", `--title=${id}`, `--id=${id}`);
      project.write({ "staged.txt": "staged\n", "new.txt": "new\n" });
      git("add", "staged.txt");
      const repository = () => [
        git("status", "--porcelain"),
        git("rev-parse", "HEAD"),
        git("ls-files", "-s"),
      ];
      const before = repository();

      const chaos = startChaos(project, program);
      for (let n = 0; n < DECISIONS; n++) await live(project, n);
      const times = await chaos.stop();

      await project.run("daemon", "restart"); // ends the pause that the last trouble led to; nothing is compared anew
      const owed = async () => (await project.json<{ owed: number }[]>("beads", "status"))[0]?.owed;
      await untilPaid(owed);
      const decisions = await project.json<Decision[]>("decision", "list", "--all");
      const beads = JSON.parse(bd("list", "--all", "--limit=0", "--label=gt:decision", "--json")) as Bead[];
      assert.deepEqual(
        beads.map((it) => [it.external_ref, it.status === "closed", stateIn(it)]).sort(),
        decisions.map((it) => [it.id, it.state !== "pending", it.state]).sort(),
      );
      const seen = new Set(decisions.map((it) => it.state));
      for (const state of OUTCOMES) assert.ok(seen.has(state), `none was ${state}`);
      assert.deepEqual(repository(), before);
      process.stdout.write(
        `bd ${program.version}: ${decisions.length} decisions, ${JSON.stringify(times)}\n`,
      );
    });
});

function stateIn({ labels }: Bead): string {
  return labels
    .filter((it) => it.startsWith("decision:"))
    .map((it) => it.slice(9))
    .join(" and ");
}

/** However slow the machine is: it gives up only if nothing is paid for many looks in a row. */
async function untilPaid(owed: () => Promise<number | undefined>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let left = 300; left > 0; left--) {
    const now = (await owed()) ?? assert.fail("no mirror");
    if (now === 0) return;
    if (now < least) [least, left] = [now, 300];
    await sleep(1000);
  }
  assert.fail(`${least} are still owed`);
}

/** One decision, from its request to the outcome that is its turn. A daemon that was just killed is asked again. */
async function live(project: Project, n: number): Promise<void> {
  const outcome = OUTCOMES[n % OUTCOMES.length];
  const by = outcome === "superseded" ? ["--as", `bot ${n}`] : [];
  const links = n % 3 === 0 ? ["--blocks", `shop-w${1 + (n % 2)}`] : [];
  const ask = (more = "") =>
    insist(
      project,
      "decision",
      "request",
      "--prompt",
      `-- '${n}'\n"?"${more}`,
      "--option",
      "Yes",
      "--option",
      "No",
      ...by,
      ...links,
    );
  const id = (JSON.parse(await ask()) as Decision).id;
  if (outcome === "resolved") await insist(project, "decision", "resolve", id, "1", "-m", `because $(${n})`);
  if (outcome === "dismissed") await insist(project, "decision", "dismiss", id);
  if (outcome === "withdrawn") await insist(project, "decision", "cancel", id);
  if (outcome === "superseded") await ask(" Or not?"); // the same words would be the same decision
  if (outcome === "expired") {
    await sleep(1100);
    await insist(project, "decision", "auto-close", "--threshold", "1s");
  }
}

async function insist(project: Project, ...args: string[]): Promise<string> {
  for (let left = 20; ; left--) {
    const { code, stdout, stderr } = await project.run(...args, "-o", "json");
    if (code === 0) return stdout;
    if (/already/.test(stdout)) return stdout; // the daemon was killed after it had recorded the answer
    assert.ok(left > 0, `oj ${args.join(" ")}: ${stdout}${stderr}`);
    await sleep(200);
  }
}

/** Kills `bd` and the daemon, and locks the database, at random. */
function startChaos(project: Project, program: BdProgram): { stop(): Promise<Record<string, number>> } {
  const times = { bd: 0, daemon: 0, lock: 0 };
  const dotBeads = path.join(project.dir, ".beads");
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      await sleep(200 + Math.random() * 2000);
      const what = Math.random();
      if (what < 0.5) for (const pid of bdOf(dotBeads)) times.bd += kill(pid);
      else if (what < 0.8) {
        const release = await program.lock(dotBeads);
        await sleep(Math.random() * 3000);
        release();
        times.lock++;
      } else times.daemon += kill((await project.daemonPid()) ?? 0);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await going;
      return times;
    },
  };
}

/** The processes that were started for this very database, ours alone. */
function bdOf(dotBeads: string): number[] {
  return fs.readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const isOurs = fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(`BEADS_DIR=${dotBeads}\0`);
      return isOurs ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

function kill(pid: number): number {
  try {
    if (pid > 0) process.kill(pid, "SIGKILL");
    return pid > 0 ? 1 : 0;
  } catch {
    return 0;
  }
}
