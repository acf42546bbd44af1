/** Gets the programs of others into a cache that git ignores, without installing anything on the machine. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { cachedBd } from "../../../scripts/build-bd.mjs";
import { root } from "../../torture/daemon.ts";
import type { Found } from "./found.ts";
import { isProgram, why } from "./found.ts";

const CACHE = path.join(root, "node_modules/.cache/oddjobs/peers");
/** For one that can be reached. Whether it can is asked first, in half a minute. */
const LIMIT_MS = 300_000;

const PM2 = "7.0.4";
const BD = "1.3.0";

export function findPm2(): Found {
  return fromNpm("pm2", PM2, "node_modules/pm2/bin/pm2", ["--ignore-scripts"]);
}

/** The one that `npm run test:beads` has built, else the package, which fetches it from GitHub. */
export function findBd(): Found {
  const built = cachedBd(BD);
  if (built !== null) return { file: built, version: BD };
  const found = fromNpm("@beads/bd", BD, "node_modules/@beads/bd/bin/bd", []);
  return "reason" in found ? { reason: `${found.reason}; \`npm run test:beads\` would build it` } : found;
}

function fromNpm(name: string, version: string, program: string, flags: string[]): Found {
  const spec = `${name}@${version}`;
  return kept(`${path.basename(name)}-${version}`, program, version, (folder) => {
    const view = ["view", spec, "name", "--fetch-retries=0", "--fetch-timeout=20000"];
    const asked = spawnSync("npm", view, { encoding: "utf8", timeout: 30_000 });
    if (asked.status !== 0) return `the registry does not give ${spec}: ${why(asked)}`;
    fs.writeFileSync(path.join(folder, "package.json"), "{}\n"); // else npm looks for a package above
    const args = ["install", "--no-save", "--no-audit", "--no-fund", "--fetch-retries=1", ...flags, spec];
    const made = spawnSync("npm", args, { cwd: folder, encoding: "utf8", timeout: LIMIT_MS });
    return made.status === 0 ? null : `${spec} can't be installed: ${why(made)}`;
  });
}

/** Debian's package, unpacked and not installed. Which version that is, the machine's lists say. */
export function findTsp(): Found {
  const known = spawnSync("apt-cache", ["policy", "task-spooler"], { encoding: "utf8", timeout: 30_000 });
  const version = /Candidate: (\d\S*)/.exec(known.stdout ?? "")?.[1];
  if (version === undefined)
    return {
      reason: known.error ? "there is no apt-cache on this machine" : "apt does not know task-spooler",
    };
  return kept(`tsp-${version}`, "usr/bin/tsp", version.replace(/[+-].*/, ""), (folder) => {
    const how = { cwd: folder, encoding: "utf8", timeout: LIMIT_MS } as const;
    const loaded = spawnSync("apt-get", ["download", "-qq", "task-spooler"], how);
    const [packed] = fs.readdirSync(folder).filter((it) => it.endsWith(".deb"));
    if (loaded.status !== 0 || packed === undefined) return `apt-get can't download it: ${why(loaded)}`;
    const unpacked = spawnSync("dpkg", ["-x", packed, "."], how);
    return unpacked.status === 0 ? null : `dpkg can't unpack it: ${why(unpacked)}`;
  });
}

/** From the cache, or made in a folder that becomes part of it when it is whole. @param make  returns what went wrong */
function kept(
  name: string,
  program: string,
  version: string,
  make: (folder: string) => string | null,
): Found {
  const [folder, staging] = [path.join(CACHE, name), path.join(CACHE, `${name}-${process.pid}`)];
  const file = path.join(folder, program);
  if (isProgram(file)) return { file, version };
  fs.mkdirSync(staging, { recursive: true });
  process.stderr.write(`bench: fetching ${name} (once)\n`);
  try {
    const problem = make(staging);
    if (problem !== null) return { reason: problem };
    if (!isProgram(path.join(staging, program))) return { reason: `${name} has no ${program}` };
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(staging, folder);
    return { file, version };
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}
