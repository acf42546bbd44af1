/**
 * Installs a real agent client for tests, in the one version that Oddjobs is tested with: fetched from the registry on
 * demand, into a cache that git ignores. Clients are large, so none is ever part of the repository.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../..");

export interface ClientPackage {
  /** The program's name on PATH. */
  name: string;
  /** The package, with its version. */
  spec: string;
  size: string;
  /** Why it must not be used. */
  isOff: string | null;
  /** The path of its native program, among all files of the packages. */
  program: RegExp;
  /** Whether `--version` says that it is the version we want. */
  says(output: string): boolean;
}

export type Installed = { bin: string; reason: null } | { bin: null; reason: string };

/**
 * A folder for PATH that contains the program, or the reason why there is none. Looked into once in a run: the workers
 * are started later and inherit what came of it. On a busy machine, even its version takes a client half a minute.
 */
export function installClient(client: ClientPackage): Installed {
  const known = process.env[noted(client)];
  if (known !== undefined) return JSON.parse(known) as Installed;
  const found = install(client);
  process.env[noted(client)] = JSON.stringify(found);
  return found;
}

const noted = ({ name }: ClientPackage) => `OJ_TEST_INSTALLED_${name.toUpperCase().replaceAll("-", "_")}`;

function install(client: ClientPackage): Installed {
  const { name, spec, size } = client;
  if (client.isOff !== null) return missing(client.isOff);
  if (spawnSync("tmux", ["-V"]).status !== 0) return missing("tmux is not installed");
  const cache = path.join(root, `node_modules/.cache/oddjobs/${name}-${spec.split("@").at(-1)}`);
  const bin = path.join(cache, "bin");
  if (isSound(client, bin)) return { bin, reason: null };
  const away = unreachable(spec);
  if (away !== null) return missing(away);
  process.stderr.write(`installing ${spec} (${size}, once)\n`);
  const staging = `${cache}-${process.pid}`;
  fs.mkdirSync(staging, { recursive: true });
  // in a package of its own: with --prefix, npm would not read the machine's settings (its registry, its certificates)
  fs.writeFileSync(path.join(staging, "package.json"), "{}\n");
  const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"];
  const { status, stderr, error } = spawnSync("npm", ["install", ...flags, spec], {
    cwd: staging,
    encoding: "utf8",
    timeout: 600_000,
  });
  const program = status === 0 ? nativeProgram(client, staging) : undefined;
  if (program === undefined) {
    fs.rmSync(staging, { recursive: true, force: true });
    return missing(`${spec} can't be installed: ${error?.message ?? stderr?.trim().split("\n").at(-1)}`);
  }
  fs.mkdirSync(path.join(staging, "bin"));
  fs.symlinkSync(path.join("..", program), path.join(staging, "bin", name));
  fs.rmSync(cache, { recursive: true, force: true });
  fs.renameSync(staging, cache);
  return isSound(client, bin) ? { bin, reason: null } : missing(`${spec} does not run on this machine`);
}

function missing(reason: string): Installed {
  return { bin: null, reason };
}

/** Asks the registry for the package's name alone: an installation that can't succeed takes minutes to fail. */
function unreachable(spec: string): string | null {
  const args = ["view", spec, "name", "--fetch-retries=0", "--fetch-timeout=20000"];
  const { status, stderr } = spawnSync("npm", args, { encoding: "utf8", timeout: 30_000 });
  if (status === 0) return null;
  const why = stderr?.split("\n").find((it) => /^npm (error|ERR!) (code|network) /.test(it)) ?? "no answer";
  return `the registry does not give ${spec}: ${why.replace(/^npm (error|ERR!) /, "")}`;
}

/** Relative to the folder. */
function nativeProgram({ program }: ClientPackage, folder: string): string | undefined {
  const files = fs.readdirSync(path.join(folder, "node_modules"), { encoding: "utf8", recursive: true });
  return files.map((it) => path.join("node_modules", it)).find((it) => program.test(it));
}

function isSound({ name, says }: ClientPackage, bin: string): boolean {
  const own = path.dirname(bin); // some write files even now
  const { status, stdout } = spawnSync(path.join(bin, name), ["--version"], {
    env: { PATH: process.env.PATH, HOME: own, TMPDIR: own },
    encoding: "utf8",
    timeout: 240_000,
  });
  return status === 0 && says(stdout);
}
