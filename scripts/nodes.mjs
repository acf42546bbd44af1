/**
 * `npm run test:nodes`: the tests under the other supported Node versions, which come from the registry's own packages.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nodeOf } from "./node-versions.mjs";
import { setup } from "./setup.mjs";

const versions = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ["22", "24", "26"];
const root = fileURLToPath(new URL("..", import.meta.url));

await setup();
const results = versions.map((version) => ({ version, ok: testUnder(version) }));
for (const { version, ok } of results) process.stdout.write(`${ok ? "✓" : "✗"} Node ${version}\n`);
process.exitCode = results.every((it) => it.ok) ? 0 : 1;

/** @param {string} version */
function testUnder(version) {
  const node = nodeOf(root, version);
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  process.stdout.write(`\n━━ Node ${stdout.trim()}\n`);
  return spawnSync(node, ["scripts/test.mjs"], { cwd: root, stdio: "inherit", env }).status === 0;
}
