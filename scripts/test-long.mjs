/** `npm run test:long`: the tests that repeat something, as often as it takes to trust them. An hour, on two cores. */
import { setup } from "./setup.mjs";
import { longTests, runStages } from "./stages.mjs";

const COUNTS = {
  OJ_ABANDONED: "500",
  OJ_AGENTS: "20",
  OJ_ASKED: "160",
  OJ_DESK_SESSIONS: "2000",
  OJ_DOCUMENTS: "2000",
  OJ_FLOOD_MB: "100",
  OJ_FOUGHT_OVER: "200",
  OJ_LOOKS: "10000",
  OJ_POLICY_LINES: "100000",
  OJ_RACE_ROUNDS: "200",
  OJ_SEED: "random",
  OJ_SHELL_CONTEXTS: "20000",
  OJ_STEPS: "500",
  OJ_TEST_EVERYTHING: "1",
  OJ_TMUX_KILLS: "40",
  OJ_TORTURE_ROUNDS: "200",
  OJ_WALK: "full",
  OJ_WEB_SESSIONS: "500",
};

const FILES = [
  "src/cli/fleet/screen.test.ts",
  "src/cli/watch/sessions.test.ts",
  "src/daemon/reach/links.test.ts",
  "test/contracts/policy-bash.test.ts",
  "test/contracts/shell-guard.test.ts",
  "test/contracts/tmux-output.test.ts",
  "test/contracts/tmux-restarts.test.ts",
  "test/slow/agents.test.ts",
  "test/slow/inbox-race.test.ts",
  "test/slow/torture.test.ts",
  "test/specs/agents/abandoned.test.ts",
  "test/specs/agents/every-door.test.ts",
  "test/specs/asked-once.test.ts",
  "test/specs/many-steps.test.ts",
  "test/specs/race.test.ts",
  "test/slow/ways-out.test.ts",
  "test/web/race.test.ts",
  "test/web/sessions.test.ts",
];

await setup({ browser: true });
const stages = longTests.map((it) => ({
  ...it,
  name: "repetitions",
  args: [...it.args, "--project", "unit", ...FILES],
  env: COUNTS,
}));
const { ok, passed, failed } = await runStages(stages);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = ok ? 0 : 1;
