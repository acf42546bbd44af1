/** What policies cost in a hook's path, how long a huge call takes to judge, and how fast runbook tests are played. */
import fs from "node:fs";
import path from "node:path";
import { realPaths } from "../../src/adapters/files/real-paths.ts";
import { emptyState } from "../../src/core/model/state/state.ts";
import { fittingOn, policiesInForce } from "../../src/core/policy/ruling.ts";
import { startPolicies } from "../../src/daemon/runbooks/policies.ts";
import { test } from "../../src/trial/main.ts";
import type { Row } from "./rows.ts";
import { median, ms, quantile, row } from "./rows.ts";

const POLICIES = 200;
const CALLS = 2000;
const WARM_UP = 200;
const TESTS = 1000;
const DECISIONS = 10;
const GROUP = "policies";

export async function measurePolicy(dir: string): Promise<Row[]> {
  fs.mkdirSync(path.join(dir, ".oj/runbooks"), { recursive: true });
  fs.mkdirSync(path.join(dir, ".oj/tests"), { recursive: true });
  return [...(await judging(dir)), await playing(dir)];
}

const PROJECT = "bench";
const ASKED: Omit<Parameters<typeof fittingOn>[1], "action"> = {
  project: PROJECT,
  source: "approval",
  title: "Bash",
  questions: [],
  blocks: [],
  options: (["approve", "deny"] as const).map((key) => ({
    key,
    label: key,
    description: null,
    recommended: false,
    action: { type: key },
  })),
};

/** From the call to the policies that fit it, as the hook does it: files read, paths followed, words judged. */
async function judging(dir: string): Promise<Row[]> {
  const file = path.join(dir, "policy.hcl"); // the person's own: it counts as it is
  const policies = startPolicies({ realPaths }, { own: file, home: dir });
  const state = emptyState();
  const judge = async (command: string) => {
    const call = { tool: "Bash", input: { command }, sha256: "" }; // every hook hashes its call, policies or not
    const look = await policies.look({ root: dir, cwd: dir, workspace: dir }, call);
    if (!look) return [];
    const rules = policiesInForce(look.files, state.policies.get(PROJECT), "job-1").map((it) => it.policy);
    return fittingOn(state, { ...ASKED, action: call }, look, rules);
  };
  const sample = async (commandOf: (n: number) => string, count: number) => {
    const taken: number[] = [];
    let cpu = process.cpuUsage();
    for (let n = 0; n < count + WARM_UP; n++) {
      if (n === WARM_UP) cpu = process.cpuUsage();
      const began = performance.now();
      await judge(commandOf(n));
      if (n >= WARM_UP) taken.push(performance.now() - began);
    }
    return { taken, user_ms: process.cpuUsage(cpu).user / 1000 / count };
  };
  const usual = (n: number) => `git diff --stat src/file${n % 50}.ts && npm test -- --grep cart${n % 7}`;
  fs.rmSync(file, { force: true });
  const without = await sample(usual, CALLS);
  fs.writeFileSync(file, Array.from({ length: POLICIES }, (_, n) => policy(n)).join("\n"));
  const withAll = await sample(usual, CALLS);
  const more = median(withAll.taken) - median(without.taken);
  const huge: number[] = [];
  for (const text of [
    `echo ${"a".repeat(4_000_000)}`,
    "ls a; ".repeat(650_000),
    `cat <<'E'\n${"x y\n".repeat(1e6)}E`,
  ]) {
    const began = performance.now();
    await judge(text);
    huge.push(performance.now() - began);
  }
  return [
    row(GROUP, `a hook with ${POLICIES} policies, p50 over none`, {
      measured: ms(more),
      floor: ms(median(without.taken)),
      target: "≤ 0.3 ms",
      ok: more <= 0.3,
      values: {
        over_ms: more,
        over_user_ms: withAll.user_ms - without.user_ms, // of the processor: the same on a busy machine
        p50_ms: median(withAll.taken),
        p99_ms: quantile(withAll.taken, 0.99),
      },
    }),
    row(GROUP, "4 MB of input judged, the slowest of three", {
      measured: ms(Math.max(...huge)),
      target: "≤ 30 ms",
      ok: Math.max(...huge) <= 30,
      values: { slowest_ms: Math.max(...huge) },
    }),
  ];
}

function policy(n: number): string {
  const kind = n % 4 === 0 ? "deny" : n % 4 === 1 ? "ask" : "approve";
  const [git, npm] = n === POLICIES - 1 ? ["diff **", "test **"] : [`push ** --force${n}`, `run task${n} **`];
  const command = `["tool${n} **", "git ${git}", "npm ${npm}"]`;
  return `policy "p${n}" {\n  ${kind} = { tool = "Bash", command = ${command} }\n}`;
}

/** Tests of a job that asks ten times in a row. */
async function playing(dir: string): Promise<Row> {
  const steps = Array.from(
    { length: DECISIONS },
    (_, n) =>
      `  step "s${n}" {\n    decision {\n      prompt = "Go on ${n}?"\n      option "yes" {}\n      option "no" {}\n    }\n  }`,
  );
  fs.writeFileSync(
    path.join(dir, ".oj/runbooks/job.hcl"),
    `command "go" { run = { job = "go" } }\njob "go" {\n${steps.join("\n")}\n}\n`,
  );
  const answers = Array.from({ length: DECISIONS }, () => `  answer { choice = "yes" }`).join("\n");
  const tests = Array.from(
    { length: TESTS },
    (_, n) => `test "t${n}" {\n  run = "go"\n${answers}\n  expect { job = "completed" }\n}`,
  );
  fs.writeFileSync(path.join(dir, ".oj/tests/many.hcl"), tests.join("\n"));
  const settings = {
    max_entries: 50,
    context_timeout_ms: 1000,
    context_max_bytes: 1000,
    hung_after_ms: 600_000,
  };
  const began = performance.now();
  const run = await test({ root: dir, cwd: dir, project: "bench", env: {}, settings }, []);
  const took = performance.now() - began;
  const good = run.tests.filter((it) => it.ok).length;
  return row(GROUP, `${TESTS} runbook tests of ${DECISIONS} decisions, ${good} passed`, {
    measured: ms(took),
    target: "< 10 s",
    ok: took < 10_000 && good === TESTS,
    values: { took_ms: took, passed: good },
  });
}
