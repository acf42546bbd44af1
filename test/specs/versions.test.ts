/** Several versions of oj on one state folder: each is a build of its own, as after an update while something waits. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, it, onTestFinished } from "vitest";
import { buildAs } from "../../scripts/build.mjs";
import { also, few } from "../everything.ts";
import type { Finished, Project, Running } from "./support/project.ts";
import { startOj, tempProject } from "./support/project.ts";

/** Beside the packages that the programs load. */
const FOLDER = path.join(import.meta.dirname, `../../node_modules/.cache/oddjobs/versions-${process.pid}`);
const BUILDS = { older: "0.8.9", rc: "0.9.0-rc.1", newer: "0.9.0", again: "0.9.0", next: "1.0.0" };
type Build = keyof typeof BUILDS;

beforeAll(() =>
  buildAs(
    Object.fromEntries(Object.entries(BUILDS).map(([name, version]) => [path.join(FOLDER, name), version])),
  ),
);
afterAll(() => fs.rmSync(FOLDER, { recursive: true, force: true }));

interface Meeting {
  project: Project;
  start(build: Build, ...args: string[]): Running;
  run(build: Build, ...args: string[]): Promise<Finished>;
  /** The versions of the daemons so far, in order. */
  daemons(): string[];
}

async function meeting(): Promise<Meeting> {
  const project = await tempProject();
  const start = (build: Build, ...args: string[]) => {
    const running = startOj(args, project.dir, project.env, path.join(FOLDER, build, "oj.cjs"));
    onTestFinished(() => running.kill("SIGKILL")); // if the test did not see it to its end
    return running;
  };
  const log = path.join(project.stateDir, "daemon.log");
  return {
    project,
    start,
    run: (build, ...args) => start(build, ...args).ended,
    daemons: () =>
      [...fs.readFileSync(log, "utf8").matchAll(/"message":"started".*?"version":"([^"]*)"/g)].map(
        ([, version]) => version ?? "",
      ),
  };
}

async function ask({ run }: Meeting, build: Build): Promise<string> {
  const asked = await run(build, "decision", "request", "--prompt", "Ship?", "--option", "Yes", "-o", "json");
  assert.equal(asked.code, 0, asked.stderr);
  return (JSON.parse(asked.stdout) as { id: string }).id;
}

const timesSaid = ({ stderr }: { stderr: string }, words: RegExp) =>
  stderr.split("\n").filter((line) => words.test(line)).length;
const OLDER = /is older than the running daemon/;

describe("an older and a newer oj at the same time", () => {
  const pairs = [
    ["older", "newer"],
    ["rc", "newer"],
  ] as const;
  for (const [older, newer] of few(pairs, 1))
    it(`replace the daemon once, whatever is waiting or calling: ${BUILDS[older]} and ${BUILDS[newer]}`, async () => {
      const them = await meeting();
      const { project, start, run, daemons } = them;
      const id = await ask(them, older);
      const waiting = [older, newer, older, newer].map((build) => start(build, "decision", "await", id));
      const watching = [older, newer].map((build) =>
        start(build, "decision", "watch", "--headless", "--after", "0"),
      );
      const told: Finished[] = [];
      await project.until(() => daemons().length > 1);
      for (let n = 0; n < 6; n++)
        told.push(...(await Promise.all([older, newer].map((it) => run(it, "decision", "list")))));
      for (const { code, stdout } of told) {
        assert.equal(code, 0);
        assert.match(stdout, new RegExp(id));
      }
      assert.equal((await run(older, "decision", "resolve", id, "1")).code, 0);
      const ended = await Promise.all(waiting.map((it) => it.ended));
      for (const it of ended) {
        assert.equal(it.code, 0, it.stderr);
        assert.match(it.stdout, /Yes/);
      }
      await project.until(() => watching.every((it) => it.stdout().includes(id)));
      for (const it of watching) it.kill("SIGINT");
      await Promise.all(watching.map((it) => it.ended));

      assert.deepEqual(daemons(), [BUILDS[older], BUILDS[newer]]);
      const all = [...ended, ...told];
      assert.ok(all.every((it) => timesSaid(it, OLDER) <= 1));
      assert.deepEqual(
        told.map((it) => timesSaid(it, OLDER)),
        told.map((_, n) => (n % 2 === 0 ? 1 : 0)),
        "the older one is told, the newer one has nothing to be told",
      );
    });

  also("replace it once, even if many newer ones come at the same moment", async () => {
    const them = await meeting();
    await ask(them, "older");
    const builds = Array.from({ length: 8 }, (_, n): Build => (n % 2 === 0 ? "newer" : "again"));
    for (const it of await Promise.all(builds.map((build) => them.run(build, "decision", "list"))))
      assert.equal(it.code, 0, it.stderr);
    assert.deepEqual(them.daemons(), [BUILDS.older, BUILDS.newer]);
  });
});

describe("two builds of the same version", () => {
  also("leave each other's daemon alone", async () => {
    const them = await meeting();
    const id = await ask(them, "newer");
    const waiting = (["newer", "again"] as const).map((build) => them.start(build, "decision", "await", id));
    for (let n = 0; n < 5; n++)
      for (const build of ["newer", "again"] as const)
        assert.doesNotMatch((await them.run(build, "decision", "list")).stderr, /version|daemon/);
    await them.run("again", "decision", "resolve", id, "1");
    for (const it of waiting) assert.equal((await it.ended).code, 0);
    assert.deepEqual(them.daemons(), [BUILDS.newer]);
  });
});

describe("an oj of an older major version", () => {
  it("is refused with what to do about it, and the daemon keeps running", async () => {
    const them = await meeting();
    await ask(them, "next");
    const { code, stderr, stdout } = await them.run("newer", "decision", "list");
    assert.deepEqual(
      { code, stdout, stderr },
      {
        code: 3,
        stdout: "",
        stderr: "✗ oj 0.9.0 is too old for the running daemon (1.0.0)\n  → npm install -g oddjobs@latest\n",
      },
    );
    assert.deepEqual(them.daemons(), [BUILDS.next]);
  });
});
