/** `npm run test:agents`: only the tests with agents in real tmux terminals, end to end. */
import { setup } from "./setup.mjs";
import { agentTests, runStages } from "./stages.mjs";

await setup();
const { ok, passed, failed } = await runStages(agentTests);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = ok ? 0 : 1;
