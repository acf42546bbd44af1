/** Reads people, channels and routes from the person's config, again whenever the file has changed. */
import fs from "node:fs";
import { parse } from "smol-toml";
import type { Config } from "../config.ts";
import { personalFile } from "../config.ts";
import type { ReachConfig } from "../core/reach/config-types.ts";
import { checkReach, NOTHING } from "./check.ts";

export interface Reach {
  /** The same object until the file changes. While the file has problems: as it was before. */
  config: ReachConfig;
  /** What is wrong with the file, in sentences; null: nothing. */
  problem: string | null;
  file: string;
}

export type ReadReach = () => Reach;

/** Each call looks whether the file has changed; `told` hears of each new problem once. */
export function reachConfig(
  { env, home }: Pick<Config, "env" | "home">,
  told: (problem: string) => void = () => {},
): ReadReach {
  const file = personalFile(env, home);
  let mark: string | null = null;
  let reach: Reach = { config: NOTHING, problem: null, file };
  return () => {
    const now = markOf(file);
    if (now === mark) return reach;
    mark = now;
    const read = readFile(file);
    if ("problem" in read) {
      if (read.problem !== reach.problem) told(read.problem);
      reach = { ...reach, problem: read.problem };
    } else reach = { config: read.config, problem: null, file };
    return reach;
  };
}

/** Changes whenever the file does, also when it is replaced by another of the same size within the same second. */
function markOf(file: string): string {
  try {
    const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat ? [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(" ") : "none";
  } catch (error) {
    return (error as Error).message;
  }
}

function readFile(file: string): { config: ReachConfig } | { problem: string } {
  try {
    const { config, problems } = checkReach(parse(fs.readFileSync(file, "utf8")));
    return problems.length === 0 ? { config } : { problem: `${file}: ${problems.join("; ")}` };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { config: NOTHING };
    return { problem: code ? `${file} can't be read: ${message}` : `${file} is not TOML: ${message.trim()}` };
  }
}
