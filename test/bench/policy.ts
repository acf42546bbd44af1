/** What policies cost in a hook's path, how long a huge call takes to judge, and how fast runbook tests are played. */
import fs from "node:fs";
import path from "node:path";
import { realPaths } from "../../src/adapters/files/real-paths.ts";
import { judgeCall } from "../../src/core/policy/judge.ts";
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

/** From the call to every policy's finding, as the hook does it: files read, paths followed, words judged. */
async function judging(dir: string): Promise<Row[]> {
  const file = path.join(dir, ".oj/runbooks/policy.hcl");
  const policies = startPolicies({ realPaths }, { own: path.join(dir, "none.hcl"), home: dir });
  const judge = async (command: string) => {
    const call = { tool: "Bash", input: { command }, sha256: "" }; // every hook hashes its call, policies or not
    const look = await policies.look({ root: dir, cwd: dir, workspace: dir }, call);
    const rules = look?.files.flatMap((it) => it.policies) ?? [];
    return look?.call ? judgeCall(rules, look.call.call, look.place, []) : [];
  };
  const sample = async (commandOf: (n: number) => string, count: number) => {
    const taken: number[] = [];
    for (let n = 0; n < count + WARM_UP; n++) {
      const began = performance.now();
      await judge(commandOf(n));
      if (n >= WARM_UP) taken.push(performance.now() - began);
    }
    return taken;
  };
  const usual = (n: number) => `git diff --stat src/file${n % 50}.ts && npm test -- --grep cart${n % 7}`;
  fs.rmSync(file, { force: true });
  const without = await sample(usual, CALLS);
  fs.writeFileSync(file, Array.from({ length: POLICIES }, (_, n) => policy(n)).join("\n"));
  const withAll = await sample(usual, CALLS);
  const more = median(withAll) - median(without);
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
      floor: ms(median(without)),
      target: "≤ 0.3 ms",
      ok: more <= 0.3,
      values: { over_ms: more, p50_ms: median(withAll), p99_ms: quantile(withAll, 0.99) },
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
  const command = `["tool${n} **", "git push ** --force${n}", "npm run task${n} **"]`;
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
