/**
 * `npm run test:claude [times]`: only the tests with the real Claude Code, as often as you like; the last line says how
 * often they passed. A single run walks every answer by every route; several runs have what `npm test` has.
 */
import { setup } from "./setup.mjs";
import { claudeInFull, claudeTests, runStages } from "./stages.mjs";

const times = Number(process.argv[2] ?? 1);
const stages = times === 1 ? claudeInFull : claudeTests;
await setup();
let good = 0;
for (let n = 1; n <= times; n++) {
  const { ok, passed, failed } = await runStages(stages);
  if (ok) good += 1;
  process.stdout.write(`run ${n} of ${times}: ${passed} passed, ${failed} failed\n`);
}
process.stdout.write(`${good} of ${times} runs passed\n`);
process.exitCode = good === times ? 0 : 1;
