/** The runbooks and the config of the project that a folder belongs to. Read again only if something about them has changed. */
import { loadConfig } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Loaded } from "../../runbook/load.ts";
import { loadRunbooks } from "../../runbook/load.ts";
import { ConfigError } from "../../settings.ts";
import { keepWhile } from "./keep.ts";

export function runbooksOf(cwd: string): Promise<Loaded> {
  return runbooksAt(configIn(cwd).root);
}

/** Those of a project's folder. A file that can't be read now may be in a moment, though nothing about it changes. */
export const runbooksAt = keepWhile(
  (root, saw) => loadRunbooks(root, undefined, undefined, undefined, (it) => saw(it, "text")),
  (loaded) => loaded.problems.length === 0,
);

type Config = ReturnType<typeof loadConfig>;

/** As the environment of whoever calls says. */
export function configOf(env: Record<string, string>, cwd: string): Config {
  return orRefusal(() => loadConfig(env, cwd));
}

/** As the files say. */
export function configIn(cwd: string): Config {
  return orRefusal(() => filesIn(cwd));
}

const filesIn = keepWhile((cwd, saw) => loadConfig({}, cwd, { saw }));

/** The same for a session: a mistake in its settings is no reason not to hear it, and a person's own don't matter. */
export const sessionConfigIn = keepWhile(
  (cwd, saw) => loadConfig({ HOME: "/" }, cwd, { lenient: true, saw }),
  ({ problem }) => problem === null,
);

/** Those of the project around a folder, whatever is wrong with its settings: somebody waits for an answer there. */
export async function runbooksAround(folder: string): Promise<Loaded> {
  return runbooksAt(sessionConfigIn(folder).root);
}

function orRefusal(load: () => Config): Config {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError) throw new Refusal("config.invalid", error.message, "oj doctor");
    throw error;
  }
}
