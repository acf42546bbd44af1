/** `npm run demo`: the product's own tour, from this clone. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setup } from "./setup.mjs";

await setup();
const oj = fileURLToPath(new URL("../dist/oj.cjs", import.meta.url));
const { status } = spawnSync(process.execPath, [oj, "demo", ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
