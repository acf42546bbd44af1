/** `npm run test:team`: daemons, PostgreSQL and networks fail, as often as it takes to trust them. Seven minutes on a quiet machine. */
import { setup } from "./setup.mjs";
import { runStages, teamTests } from "./stages.mjs";

await setup({ browser: true });
const { ok, passed, failed } = await runStages(teamTests);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = ok ? 0 : 1;
