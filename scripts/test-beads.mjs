/**
 * `npm run test:beads [double] [VERSION…]`: the mirror with the real `bd`, 1.3.0 and 1.0.5 unless others are named. The
 * contract that its double passes too, then OJ_BEADS decisions (200) through all outcomes while `bd` and the daemon are
 * killed and the database is locked at random. `double`: the same with the double, in minutes.
 */
import { execFileSync } from "node:child_process";
import { builtBd } from "./build-bd.mjs";

const given = process.argv.slice(2);
const versions = given.length > 0 ? given.filter((it) => it !== "double") : ["1.3.0", "1.0.5"];
const built = versions.map((version) => ({ version, ...builtBd(version) }));
for (const it of built)
  if ("problem" in it) process.stdout.write(`skipped: bd ${it.version}: ${it.problem}\n`);
const real = built.flatMap((it) => ("bin" in it ? [[it.version, it.bin]] : []));
const all = [...(given.includes("double") ? [["double", ""]] : []), ...real];
if (all.length === 0) process.exit(1);
execFileSync("npm", ["run", "build"], { stdio: "inherit" });
execFileSync("npx", ["vitest", "run", "--project", "beads"], {
  stdio: "inherit",
  env: { ...process.env, OJ_BD: JSON.stringify(all) },
});
