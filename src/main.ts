/**
 * The binary: starts the command line, a file next to this one, from V8's code cache. Compiling it takes longer than
 * everything `oj` does afterwards; the cache keeps that work from one call to the next. Without a cache it just starts.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import type { Start } from "./cli/base/program.ts";
import { findFrequent } from "./cli/is-frequent.ts";

interface Cli {
  main(start: Start): Promise<never>;
}

const { env } = process;
const folder = dirname(__filename);
const start: Start = { argv: process.argv.slice(2), env, daemonFile: join(folder, "daemon.cjs") };
void load(join(folder, findFrequent(start.argv) ? "frequent.cjs" : "cli.cjs")).main(start);

function load(file: string): Cli {
  const module = { exports: {} as Cli };
  compile(file).runInThisContext()(module.exports, createRequire(file), module, file, folder);
  return module.exports;
}

function compile(file: string): Script {
  const { mtimeMs, size } = statSync(file);
  const source = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, "utf8")}\n})`;
  const home = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, ".cache"));
  if (!home) return new Script(source, { filename: file });
  const cache = join(home, "oj", `${basename(file, ".cjs")}-${process.version}-${process.arch}.bin`);
  const stamp = Buffer.from(`${size} ${mtimeMs} ${file}\n`);
  const cachedData = read(cache, stamp);
  const script = new Script(source, { filename: file, ...(cachedData ? { cachedData } : {}) });
  if (!cachedData || script.cachedDataRejected) {
    process.once("exit", () => keep(cache, stamp, script.createCachedData()));
  }
  return script;
}

/**
 * V8 trusts the data it is given, and a flipped bit would crash it. So the data is stored twice, and both copies must
 * match.
 */
function read(cache: string, stamp: Buffer): Buffer | undefined {
  try {
    const all = readFileSync(cache);
    const half = (all.length - stamp.length) / 2;
    const data = all.subarray(stamp.length, stamp.length + half);
    const isSound =
      half > 0 && all.subarray(0, stamp.length).equals(stamp) && data.equals(all.subarray(-half));
    return isSound ? data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Called at the end of a run, when V8 has compiled what it needed. If the cache can't be written, the next call is just
 * slower.
 */
function keep(cache: string, stamp: Buffer, data: Buffer): void {
  const folder = dirname(cache);
  // Not `recursive`: where nothing can be created (below /proc), Node would try forever.
  for (const it of [dirname(folder), folder]) attempt(() => mkdirSync(it, { mode: 0o700 }));
  attempt(() => {
    writeFileSync(`${cache}.${process.pid}`, Buffer.concat([stamp, data, data]), { mode: 0o600 });
    renameSync(`${cache}.${process.pid}`, cache);
  });
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {}
}
