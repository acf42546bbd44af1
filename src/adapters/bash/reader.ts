/** Asks bash whether it can read scripts, without running them: one process for all the new ones, and never twice for the same text. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { ReadScripts, ScriptProblem } from "../../core/script/script-check.ts";
import { bashProblem } from "../../core/script/script-check.ts";

/** Texts whose outcome is remembered. */
const MOST_KNOWN = 10_000;
const READS_WITHIN_MS = 20_000;

const RESERVED = new Set(
  "if then elif else fi do done case esac while until for in function select time coproc".split(" "),
);

/**
 * Reads each file with the bash that would run it. What `shopt -s extglob` allows is only known once that line has run, so such
 * a script may have it. A NUL ends each outcome, as no message has one.
 */
const READ_ALL = `
for file in "$@"; do
  said=$(bash -n -- "$file" 2>&1) && said= || {
    if grep -q extglob -- "$file" && bash -O extglob -n -- "$file" 2>/dev/null; then said=; fi
  }
  printf '%s\\0' "$said"
done`;

/** `dir` has the scripts while they are read; leftovers of a daemon that died are removed. */
export function bashReader(input: { dir: string; env: Readonly<Record<string, string>> }): ReadScripts {
  const { dir, env } = input;
  const ready = fs.rm(dir, { recursive: true, force: true }).catch(() => {});
  const known = new Map<string, ScriptProblem | null>();
  return async (scripts) => {
    const keys = scripts.map((it) => createHash("sha256").update(it).digest("base64"));
    const unread = new Map<string, string>();
    for (const [index, key] of keys.entries()) {
      const script = scripts[index] ?? "";
      if (!known.has(key) && !isPlain(script)) unread.set(key, script);
    }
    if (known.size + unread.size > MOST_KNOWN) known.clear();
    const outcomes = unread.size === 0 ? [] : await ready.then(() => read([...unread.values()], dir, env));
    // If bash could not be asked, nothing is known: the script may run, and fail by itself.
    const fresh = new Map([...unread.keys()].map((key, index) => [key, outcomes?.[index] ?? null]));
    if (outcomes) for (const [key, it] of fresh) known.set(key, it);
    return keys.map((key) => known.get(key) ?? fresh.get(key) ?? null);
  };
}

/** One command of plain words: whatever it does, bash can read it. Most scripts in a runbook are like that. */
function isPlain(script: string): boolean {
  return /^[\w./=:@%+, -]*$/.test(script) && !script.split(" ").some((it) => RESERVED.has(it));
}

/** Null: bash could not be asked, or did not get to the end. */
async function read(
  scripts: readonly string[],
  dir: string,
  env: Readonly<Record<string, string>>,
): Promise<(ScriptProblem | null)[] | null> {
  const folder = await fs
    .mkdir(dir, { recursive: true, mode: 0o700 })
    .then(() => fs.mkdtemp(path.join(dir, "read-")))
    .catch(() => null);
  if (folder === null) return null;
  try {
    const files = scripts.map((_, index) => path.join(folder, String(index)));
    for (const [index, file] of files.entries())
      await fs.writeFile(file, scripts[index] ?? "", { mode: 0o600 });
    const said = await saidOf(files, env);
    return said?.length === scripts.length ? said.map((it) => (it === "" ? null : bashProblem(it))) : null;
  } catch {
    return null;
  } finally {
    await fs.rm(folder, { recursive: true, force: true }).catch(() => {});
    await fs.rmdir(dir).catch(() => {}); // others may be reading
  }
}

async function saidOf(
  files: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string[] | null> {
  // Nothing of the caller's may run here: BASH_ENV and exported functions stay out.
  const own = { PATH: env.PATH ?? "/usr/bin:/bin", LC_ALL: "C.UTF-8" };
  const child = spawn("bash", ["--norc", "--noprofile", "-c", READ_ALL, "bash", ...files], {
    stdio: ["ignore", "pipe", "ignore"],
    env: own,
  });
  const late = setTimeout(() => child.kill("SIGKILL"), READS_WITHIN_MS);
  const parts: Buffer[] = [];
  child.stdout?.on("data", (part: Buffer) => parts.push(part));
  const isOver = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
  clearTimeout(late);
  return isOver ? Buffer.concat(parts).toString("utf8").split("\0").slice(0, -1) : null;
}
