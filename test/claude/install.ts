/**
 * Installs the real Claude Code for tests: the one version that Oddjobs is tested with, fetched from the registry on
 * demand into a cache that git ignores. It is proprietary and large, so it is never part of the repository.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { TESTED_VERSION } from "../../src/agents/claude/version.ts";
import { root } from "../torture/daemon.ts";

const cache = path.join(root, `node_modules/.cache/oddjobs/claude-${TESTED_VERSION}`);

export type Installed = { bin: string; reason: null } | { bin: null; reason: string };

/** A folder for PATH that contains `claude`, or the reason why there is none. */
export function installClaude(): Installed {
  if (process.env.OJ_TEST_CLAUDE === "0") return missing("OJ_TEST_CLAUDE=0");
  if (spawnSync("tmux", ["-V"]).status !== 0) return missing("tmux is not installed");
  const bin = path.join(cache, "bin");
  if (isSound(bin)) return { bin, reason: null };
  const spec = `@anthropic-ai/claude-code@${TESTED_VERSION}`;
  process.stderr.write(`installing ${spec} (350 MB, once)\n`);
  const staging = `${cache}-${process.pid}`;
  fs.mkdirSync(staging, { recursive: true });
  const args = [
    "install",
    "--prefix",
    staging,
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    spec,
  ];
  const { status, stderr, error } = spawnSync("npm", args, {
    cwd: staging,
    encoding: "utf8",
    timeout: 600_000,
  });
  const program = status === 0 ? nativeProgram(staging) : null;
  if (program === null) {
    fs.rmSync(staging, { recursive: true, force: true });
    return missing(`${spec} can't be installed: ${error?.message ?? stderr?.trim().split("\n").at(-1)}`);
  }
  fs.mkdirSync(path.join(staging, "bin"));
  fs.symlinkSync(path.join("..", program), path.join(staging, "bin/claude"));
  fs.rmSync(cache, { recursive: true, force: true });
  fs.renameSync(staging, cache);
  return isSound(bin) ? { bin, reason: null } : missing(`${spec} does not run on this machine`);
}

function missing(reason: string): Installed {
  return { bin: null, reason };
}

/** The path of the native program within the package's folder. */
function nativeProgram(folder: string): string | null {
  const scope = path.join(folder, "node_modules/@anthropic-ai");
  const name = fs.readdirSync(scope).find((it) => it.startsWith("claude-code-"));
  return name === undefined ? null : path.join("node_modules/@anthropic-ai", name, "claude");
}

function isSound(bin: string): boolean {
  const { status, stdout } = spawnSync(path.join(bin, "claude"), ["--version"], {
    encoding: "utf8",
    timeout: 60_000,
  });
  return status === 0 && stdout.startsWith(TESTED_VERSION);
}
