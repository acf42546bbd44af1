/** The config, or a refusal that says what is wrong with it. */
import type { Config } from "../config.ts";
import { ConfigError, loadConfig } from "../config.ts";
import { Refusal } from "../core/errors.ts";

export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  project: string | undefined,
  lenient = false,
): Readonly<Config> {
  try {
    return loadConfig(env, process.cwd(), { project, lenient });
  } catch (error) {
    if (error instanceof ConfigError) throw new Refusal("config.invalid", error.message, "oj doctor");
    const isGone = (error as NodeJS.ErrnoException).syscall === "uv_cwd";
    throw isGone
      ? new Refusal("usage", "the folder you are in does not exist any more", "cd to one that does")
      : error;
  }
}
