/**
 * Loads our other bundles, which lie next to the one that runs, from V8's code cache. Compiling one takes longer than
 * what most commands do afterwards; the cache keeps that work from one start to the next. Without a cache they just load.
 * The build makes each of them a function of what a module gets: put around it here, it would be in memory twice.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

/** By then, what is used all the time has been compiled. A program that ends earlier keeps what it has. */
const KEEP_AFTER_MS = 10_000;

const loaded = new Map<string, { exports: unknown }>();

type Env = Readonly<Record<string, string | undefined>>;

export function load(file: string, env: Env): unknown {
  const known = loaded.get(file);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  compile(file, env).runInThisContext()(module.exports, requireOf(file, env), module, file, dirname(file));
  return module.exports;
}

/** What one of our bundles requires of the others comes from the cache as well. */
function requireOf(file: string, env: Env): (name: string) => unknown {
  const others = createRequire(file);
  return (name) => (/^\.\/[\w-]+\.cjs$/.test(name) ? load(join(dirname(file), name), env) : others(name));
}

function compile(file: string, env: Env): Script {
  const { mtimeMs, size } = statSync(file);
  const source = readFileSync(file, "latin1"); // the build writes nothing but ASCII
  const home = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, ".cache"));
  if (!home) return new Script(source, { filename: file });
  const flags = process.execArgv.join("").replace(/[^\w=-]/g, ""); // V8 refuses what was compiled under others
  const name = `${basename(file, ".cjs")}-${process.version}-${process.arch}${flags}`.slice(0, 200);
  const cache = join(home, "oj", `${name}.bin`);
  const stamp = Buffer.from(`${size} ${mtimeMs} ${file}\n`);
  const cachedData = read(cache, stamp);
  const script = new Script(source, { filename: file, ...(cachedData ? { cachedData } : {}) });
  if (!cachedData || script.cachedDataRejected)
    keepLater(() => keep(cache, stamp, script.createCachedData()));
  return script;
}

function keepLater(keep: () => void): void {
  const once = () => {
    clearTimeout(timer);
    process.removeListener("exit", once);
    keep();
  };
  const timer = setTimeout(once, KEEP_AFTER_MS).unref();
  process.once("exit", once);
}

/**
 * V8 trusts the data it is given, and a flipped bit would crash it. So the data is stored twice, and both copies must
 * match. The second is only looked at, piece by piece: a daemon would hold on to it for long.
 */
function read(cache: string, stamp: Buffer): Buffer | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(cache, "r");
    const half = (fstatSync(opened).size - stamp.length) / 2;
    if (half <= 0 || !pieceAt(opened, 0, stamp.length).equals(stamp)) return undefined;
    const data = pieceAt(opened, stamp.length, half);
    for (let at = 0; at < half; at += PIECE) {
      const piece = data.subarray(at, at + PIECE);
      if (!pieceAt(opened, stamp.length + half + at, piece.length).equals(piece)) return undefined;
    }
    return data;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

const PIECE = 64 * 1024;

function pieceAt(opened: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(opened, bytes, 0, length, position));
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
