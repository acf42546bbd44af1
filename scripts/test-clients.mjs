/** `npm run test:clients`: the real opencode, Gemini CLI and ACP adapters, offline against a scripted model; installed on demand. */
import { setup } from "./setup.mjs";
import { clientTests, runStages } from "./stages.mjs";

await setup();
const { ok, passed, failed } = await runStages(clientTests);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = ok ? 0 : 1;
