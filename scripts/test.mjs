/**
 * `npm test`: everything `check` does, then contracts, specs, the inbox in a browser, agents in real terminals and the
 * real clients; the last line counts the tests. With `--everything`, each table is walked whole.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setup } from "./setup.mjs";
import { checks, every, longTests, runStages } from "./stages.mjs";

await setup({ browser: true });
// mostly waits for the network, so it takes hardly anything from the checks; what it can't install, the tests say
const run = fileURLToPath(new URL("run.mjs", import.meta.url));
const after = once(spawn(process.execPath, [run, "clients"], { stdio: "ignore" }), "close");
const stages = [...checks, ...longTests.map((it) => ({ ...it, after }))];
const { ok, passed, failed } = await runStages(
  process.argv.includes("--everything") ? stages.map(every) : stages,
);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = ok ? 0 : 1;
