/** Where a trial plays: the project and the settings that a job there would have. */
import type { Config } from "../../config.ts";
import { hungAfterMs } from "../../settings.ts";
import type { Place } from "../../trial/main.ts";

export function placeOf({ root, cwd, project, env, settings }: Readonly<Config>): Place {
  return {
    root,
    cwd,
    project,
    env,
    settings: {
      max_entries: settings.jobs.max_entries,
      context_timeout_ms: settings.jobs.context_timeout_s * 1000,
      context_max_bytes: settings.jobs.context_max_kb * 1024,
      hung_after_ms: hungAfterMs(settings),
    },
  };
}
