/** `npm run fmt`: formats, sorts imports and applies the safe lint fixes. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setup } from "./setup.mjs";

await setup({ build: false });
const root = fileURLToPath(new URL("..", import.meta.url));
const biome = path.join(root, "node_modules/@biomejs/biome/bin/biome");
const { status } = spawnSync(process.execPath, [biome, "check", "--write"], { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
