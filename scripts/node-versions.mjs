/** Other versions of Node, from the registry's own packages, kept beside ours. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** The path of that Node, installed the first time. @param {string} root @param {string} version such as "24" */
export function nodeOf(root, version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = path.join(root, "node_modules/.cache/oddjobs", `node-${version}`);
  const node = path.join(folder, "node_modules", name, "bin/node");
  if (!fs.existsSync(node)) {
    fs.mkdirSync(folder, { recursive: true });
    // in a package of its own; with --prefix, npm would not read the machine's settings
    fs.writeFileSync(path.join(folder, "package.json"), "{}\n");
    const args = ["install", "--no-save", "--no-audit", "--no-fund", `${name}@${version}`];
    spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  if (!fs.existsSync(node)) throw new Error(`${name}@${version} could not be installed`);
  return node;
}
