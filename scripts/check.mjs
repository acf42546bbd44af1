/**
 * `npm run check`: format, lint, types, dead code, package, layers and unit tests. It runs all of them, even after a
 * failure.
 */
import { setup } from "./setup.mjs";
import { checks, runStages } from "./stages.mjs";

await setup();
const { ok } = await runStages(checks);
process.exitCode = ok ? 0 : 1;
