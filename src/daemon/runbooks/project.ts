/** Loads the runbooks and the config of the project that a folder belongs to. */
import { ConfigError, loadConfig } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Loaded } from "../../runbook/load.ts";
import { loadRunbooks } from "../../runbook/load.ts";

export function runbooksOf(cwd: string): Promise<Loaded> {
  return loadRunbooks(configOf({}, cwd).root);
}

export function configOf(env: Record<string, string>, cwd: string): ReturnType<typeof loadConfig> {
  try {
    return loadConfig(env, cwd);
  } catch (error) {
    if (error instanceof ConfigError) throw new Refusal("config.invalid", error.message, "oj doctor");
    throw error;
  }
}
