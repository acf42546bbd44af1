/** A program that is there, or the reason why it is not. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export type Found = { file: string; version: string } | { reason: string };

/** The original in Rust, `oj` and `ojd` in one folder. */
export function findOriginal(folder: string | undefined): Found {
  if (!folder) return { reason: "OJ_PEER names no folder with its oj and ojd" };
  const missing = ["oj", "ojd"].filter((it) => !isProgram(path.join(folder, it)));
  if (missing.length > 0) return { reason: `there is no program ${missing.join(" and no ")} in OJ_PEER` };
  const file = path.resolve(folder, "oj");
  const { status, stdout } = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 10_000 });
  const version = /\d+\.\d+\S*/.exec(stdout ?? "")?.[0];
  return status === 0 && version
    ? { file, version }
    : { reason: "`oj --version` in OJ_PEER says no version" };
}

export function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

const TELLING = [/\bE[A-Z]{6,}\b/, /\b(Could not|Unable to|Failed to)\b/, /\b[Ee]rror\b/, /\bfailed\b/, /\S/];
const MOST = 120;

/** What a failed program says, in one line: the one that tells most, from where it does. */
export function why(ended: {
  error?: Error | undefined;
  signal: string | null;
  stderr: string | null;
}): string {
  if (ended.error) return ended.error.message;
  if (ended.signal) return "it took too long";
  const lines = (ended.stderr ?? "")
    .split("\n")
    .filter((it) => !/^npm warn/i.test(it))
    .map((it) => it.replace(/^(npm (error|ERR!)|E:) ?/, "").trim());
  for (const telling of TELLING) {
    const line = lines.find((it) => telling.test(it));
    if (line !== undefined) return line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line;
  }
  return "it says nothing";
}
