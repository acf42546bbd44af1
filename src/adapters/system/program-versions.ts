/** The versions of programs: each file is asked once, and again when it has changed. */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import type { Programs } from "../../ports.ts";

const TIMEOUT_MS = 10_000;
const MOST = 100;

export function programVersions(): Programs {
  const known = new Map<string, { state: string; version: Promise<string | null> }>();

  return {
    async version(name, { cwd, env }) {
      const found = await find(name, cwd, env.PATH ?? "");
      if (!found) return null;
      const { file, state } = found;
      const before = known.get(file);
      if (before?.state === state) return before.version;
      const version = ask(file, cwd, env);
      known.delete(file);
      known.set(file, { state, version });
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
      return version;
    },
  };
}

async function find(
  name: string,
  cwd: string,
  searchPath: string,
): Promise<{ file: string; state: string } | null> {
  const folders = name.includes("/") ? [""] : searchPath.split(path.delimiter);
  for (const folder of folders) {
    const file = path.resolve(cwd, folder, name);
    try {
      await fs.access(file, fs.constants.X_OK);
      const { mtimeMs, size, ino } = await fs.stat(file);
      return { file, state: `${mtimeMs} ${size} ${ino}` };
    } catch {
      // not here
    }
  }
  return null;
}

function ask(file: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  return new Promise((resolve) => {
    const limits = { timeout: TIMEOUT_MS, killSignal: "SIGKILL", maxBuffer: 64 * 1024 } as const;
    const options = { cwd, env: { ...env }, ...limits };
    execFile(file, ["--version"], options, (_error, stdout) =>
      resolve(/\d+(\.\d+)+\S*/.exec(stdout)?.[0] ?? null),
    ).stdin?.end();
  });
}
