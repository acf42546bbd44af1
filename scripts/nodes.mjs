/**
 * `npm run test:nodes`: the tests under the other supported Node versions, which come from the registry's own packages.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setup } from "./setup.mjs";

const versions = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ["22", "24"];
const root = fileURLToPath(new URL("..", import.meta.url));

await setup();
const results = versions.map((version) => ({ version, ok: testUnder(version) }));
for (const { version, ok } of results) process.stdout.write(`${ok ? "✓" : "✗"} Node ${version}\n`);
process.exitCode = results.every((it) => it.ok) ? 0 : 1;

/** @param {string} version */
function testUnder(version) {
  const node = nodeOf(version);
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  process.stdout.write(`\n━━ Node ${stdout.trim()}\n`);
  return spawnSync(node, ["scripts/test.mjs"], { cwd: root, stdio: "inherit", env }).status === 0;
}

/** The path of that Node version, installed next to our packages the first time. @param {string} version */
function nodeOf(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = path.join(root, "node_modules/.cache/oddjobs", `node-${version}`);
  const node = path.join(folder, "node_modules", name, "bin/node");
  if (!fs.existsSync(node)) {
    fs.mkdirSync(folder, { recursive: true });
    // in a package of its own; with --prefix, npm would not read the machine's settings
    fs.writeFileSync(path.join(folder, "package.json"), "{}\n");
    const args = ["install", "--no-save", "--no-audit", "--no-fund", `${name}@${version}`];
    spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
  }
  if (!fs.existsSync(node)) throw new Error(`${name}@${version} could not be installed`);
  return node;
}
