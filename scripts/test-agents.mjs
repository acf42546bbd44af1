/** `npm run test:agents`: agents in real tmux sessions, end to end, alone. */
import { setup } from "./setup.mjs";
import { agentTests, runStages } from "./stages.mjs";

await setup();
const { ok, passed, failed } = runStages(agentTests);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = ok ? 0 : 1;
