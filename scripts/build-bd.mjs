/**
 * Builds a real `bd` from its Go module, once: the binary stays in the cache. It takes Go 1.26.5, a C compiler, 2 GB of
 * memory and about eight minutes of CPU, so it is niced and uses one core.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const MODULE = "github.com/steveyegge/beads";
const CACHE = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "oddjobs-tests/bd");

/**
 * The program, if it was built before.
 * @param {string} version
 */
export function cachedBd(version) {
  const file = path.join(CACHE, version, "bd");
  return fs.existsSync(file) ? file : null;
}

/**
 * The folder with the program, or why there is none.
 * @param {string} version
 * @returns {{ bin: string } | { problem: string }}
 */
export function builtBd(version) {
  const bin = path.join(CACHE, version);
  if (cachedBd(version) !== null) return { bin };
  const go = goVersion();
  if (go === null) return { problem: "Go is not installed" };
  fs.mkdirSync(bin, { recursive: true });
  process.stdout.write(`building bd ${version} with ${go}; this takes ten minutes or more, once\n`);
  const mod = path.join(CACHE, "mod");
  const env = {
    ...process.env,
    GOMODCACHE: mod,
    GOCACHE: path.join(CACHE, "build"),
    GOFLAGS: "-modcacherw",
    GOMAXPROCS: "1",
    CGO_ENABLED: "1",
  };
  try {
    execFileSync("go", ["mod", "download", `${MODULE}@v${version}`], { env, cwd: CACHE, stdio: "inherit" });
    const args = ["-n", "15", "go", "build", "-p", "1", "-buildvcs=false", "-tags", "gms_pure_go"];
    const made = path.join(bin, "bd.new");
    execFileSync("nice", [...args, "-o", made, "./cmd/bd"], {
      env,
      cwd: path.join(mod, `${MODULE}@v${version}`),
      stdio: "inherit",
    });
    fs.renameSync(made, path.join(bin, "bd"));
    return { bin };
  } catch (error) {
    return {
      problem: `bd ${version} could not be built: ${/** @type {Error} */ (error).message.split("\n")[0]}`,
    };
  }
}

function goVersion() {
  try {
    return execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}
