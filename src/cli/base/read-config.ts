/** The config, or a refusal that says what is wrong with it. */
import { callerAbove } from "../../client/ancestry.ts";
import type { Config } from "../../config.ts";
import { loadConfig } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import { ConfigError } from "../../settings.ts";

export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  project: string | undefined,
  lenient = false,
): Readonly<Config> {
  try {
    const config = loadConfig(env, process.cwd(), { project, lenient });
    if (config.agentToken) return config;
    const { token, run } = callerAbove(config.stateDir);
    return Object.freeze({ ...config, agentToken: token ?? undefined, run: run ?? config.run });
  } catch (error) {
    if (error instanceof ConfigError) throw new Refusal("config.invalid", error.message, "oj doctor");
    const isGone = (error as NodeJS.ErrnoException).syscall === "uv_cwd";
    throw isGone
      ? new Refusal("usage", "the folder you are in no longer exists", "cd to one that does")
      : error;
  }
}
