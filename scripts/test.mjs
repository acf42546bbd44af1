/** `npm test`: everything `check` does, then contracts, specs, the inbox in a browser, agents in real terminals and the real clients; the last line counts the tests. */
import { setup } from "./setup.mjs";
import { checks, longTests, runStages } from "./stages.mjs";

await setup({ browser: true });
const { ok, passed, failed } = runStages([...checks, ...longTests]);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = ok ? 0 : 1;
