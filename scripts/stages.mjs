/** The stages of `check` and `test`: each has a name, a command, and a plain verdict. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} program     a file in node_modules
 * @property {string[]} args
 * @property {boolean} [vitest]   its tests are counted
 * @property {Record<string, string>} [env]
 * @property {Promise<unknown>} [after]  what has to be over before it starts
 */

const root = fileURLToPath(new URL("..", import.meta.url));

// Node reads such certificates at every start, for longer than most of our commands take; no test needs them.
const { NODE_EXTRA_CA_CERTS: _, ...given } = process.env;
const { FORCE_COLOR: __, ...plain } = given;
const env = process.stdout.isTTY ? given : { ...plain, NO_COLOR: "1" };

/** @type {Stage[]} */
export const checks = [
  { name: "format", program: "@biomejs/biome/bin/biome", args: ["format"] },
  {
    name: "lint",
    program: "@biomejs/biome/bin/biome",
    args: ["check", "--formatter-enabled=false", "--error-on-warnings"],
  },
  { name: "types", program: "typescript/bin/tsc", args: [] },
  { name: "types of the web", program: "typescript/bin/tsc", args: ["-p", "src/web"] },
  { name: "dead code", program: "knip/bin/knip.js", args: ["--no-progress"] },
  { name: "package", program: "publint/src/cli.js", args: ["--strict", "--pack", "false"] },
  vitest("layers and unit tests", "unit"),
];

/** The same, and what `npm test` leaves out. @param {Stage} stage  @returns {Stage} */
export const every = (stage) => ({ ...stage, env: { OJ_TEST_EVERYTHING: "1" } });

/**
 * If the client can't be installed, its tests are skipped and say why. A table with all its rows starts many clients
 * at once, so only two tables run at a time.
 */
const claude = vitest("the real Claude Code", "claude");
export const claudeTests = [claude];
export const claudeInFull = [every({ ...claude, args: [...claude.args, "--maxWorkers=2"] })];

/** The tests with agents in real terminals. @type {Stage[]} */
export const agentTests = [every(vitest("agents", "agents"))];

/** Faults of daemons, PostgreSQL and networks, as often and as fast as the specification says. @type {Stage[]} */
export const teamTests = [
  { ...vitest("a team's faults", "team"), env: { OJ_TEST_EVERYTHING: "1", OJ_TEAM: "full" } },
];

/** All of the real opencode, Gemini CLI and ACP adapters; `npm test` has one agent of each. @type {Stage[]} */
export const clientTests = [every(vitest("opencode, Gemini CLI, ACP", "opencode", "gemini", "acp"))];

/**
 * All at once: each kind spends much of its time waiting, and none has to wait for another's last file.
 * @type {Stage[]}
 */
export const longTests = [
  vitest(
    "contracts, specs, team, browser, agents, Claude Code, Codex, opencode, Gemini CLI, ACP",
    ...[
      "contracts",
      "specs",
      "slow",
      "team",
      "web",
      "agents",
      "claude",
      "codex",
      "opencode",
      "gemini",
      "acp",
    ],
  ),
];

/** @param {string} name  @param {string[]} projects  @returns {Stage} */
function vitest(name, ...projects) {
  const args = ["run", ...projects.flatMap((it) => ["--project", it])];
  return { name, program: "vitest/vitest.mjs", args, vitest: true };
}

/**
 * Runs every stage, even after a failure, and says at the end which ones failed. Those without tests use one core for
 * most of their time, so they run beside one another; what each printed is shown in order.
 * @param {Stage[]} stages
 */
export async function runStages(stages) {
  const total = { passed: 0, failed: 0 };
  const failedStages = [];
  const beside = new Map(stages.filter((it) => !it.vitest).map((it) => [it, runBeside(it)]));
  for (const stage of stages) {
    await stage.after;
    process.stdout.write(`\n▸ ${stage.name}\n`);
    const startedAt = performance.now();
    const waiting = beside.get(stage);
    const { ok, passed, failed, took, text } = waiting ? await waiting : runTests(stage);
    process.stdout.write(text);
    const seconds = ((took ?? performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${ok ? "✓" : "✗"} ${stage.name} (${seconds} s)\n`);
    if (!ok) failedStages.push(stage.name);
    total.passed += passed;
    total.failed += failed;
  }
  process.stdout.write(
    failedStages.length > 0 ? `\n✗ failed: ${failedStages.join(", ")}\n` : "\n✓ all stages passed\n",
  );
  return { ok: failedStages.length === 0, ...total };
}

/** @param {Stage} stage */
function lineOf({ program, args }) {
  return [path.join(root, "node_modules", program), ...args];
}

/** @param {Stage} stage */
async function runBeside(stage) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, lineOf(stage), { cwd: root, env: { ...env, ...stage.env } });
  let text = "";
  for (const it of [child.stdout, child.stderr]) it.setEncoding("utf8").on("data", (part) => (text += part));
  const [code] = await once(child, "close");
  return { ok: code === 0, passed: 0, failed: 0, took: performance.now() - startedAt, text };
}

/** @param {Stage} stage */
function runTests(stage) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oddjobs-stage-"));
  const report = path.join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  try {
    const args = [...lineOf(stage), ...reporters];
    const options = { cwd: root, env: { ...env, ...stage.env }, stdio: /** @type {const} */ ("inherit") };
    const ok = spawnSync(process.execPath, args, options).status === 0;
    const { passed, failed } = count(report);
    return {
      ok: ok && failed === 0,
      passed,
      failed: ok ? failed : Math.max(failed, 1),
      took: null,
      text: "",
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A test file that could not even be loaded counts as one failure. @param {string} report */
function count(report) {
  if (!fs.existsSync(report)) return { passed: 0, failed: 0 };
  /** @type {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(fs.readFileSync(report, "utf8"));
  const unloadable = testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + unloadable.length };
}
