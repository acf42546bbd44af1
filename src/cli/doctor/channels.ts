/** The channels and the people they reach, as the running daemon sees them. */
import { Refusal } from "../../core/model/errors.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import { reachConfig } from "../../reach-config/read.ts";
import type { Context } from "../base/command.ts";
import { directClient } from "../base/patience.ts";
import type { Check } from "./check.ts";
import { ok, problem, warning } from "./check.ts";

/** Longer than a service may take to say how it is. */
const ANSWERS_WITHIN_MS = 15_000;

/** Nothing at all if nobody is configured, as for most people. */
export async function checkChannels(context: Context): Promise<Check[]> {
  const { config, problem: wrong } = reachConfig(context.config)();
  if (wrong !== null)
    return [problem("people", wrong, "fix that file; until then what it said before counts")];
  if (config.people.size === 0 && config.channels.size === 0) return [];
  const abort = AbortSignal.any([context.abort, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
  try {
    const client = directClient(context, abort);
    const [{ suggestions }, channels] = await Promise.all([client.who(), client.channels()]);
    return [
      ...suggestions.map((it) => warning("people", it, "oj who")),
      ...channels.flatMap(({ name, trouble, room, people }) => {
        if (trouble === null) return [ok(name, `reaches ${room ?? (people.join(", ") || "nobody yet")}`)];
        return isWanted(config, name) ? [problem(name, trouble, `oj channel test ${name}`)] : [];
      }),
    ];
  } catch (error) {
    if (error instanceof Refusal)
      return [warning("channels", `not checked: ${error.message}`, "oj channel list")];
    return [warning("channels", "not checked: the daemon does not answer", "oj daemon start")];
  }
}

/** Whether somebody counts on it: those that need no section are there for everybody. */
function isWanted({ channels, routes }: ReachConfig, name: string): boolean {
  const hasSettings = Object.keys(channels.get(name)?.settings ?? {}).length > 0;
  return hasSettings || routes.some((it) => it.via?.includes(name));
}
