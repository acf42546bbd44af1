/** `npm run check`: format, lint, types, dead code, package, layers and unit tests; all of them, whatever fails. */
import { setup } from "./setup.mjs";
import { checks, runStages } from "./stages.mjs";

await setup();
process.exitCode = runStages(checks).ok ? 0 : 1;
