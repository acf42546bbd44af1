/** Whether clients run hooks here, for agents and for sessions that oj did not start; and which agents don't report now. */
import type { HookRule } from "../../agents/client-settings.ts";
import { setups } from "../../agents/known/setups.ts";
import type { ClientSetup } from "../../agents/setup.ts";
import { silentBriefly } from "../../core/text/hook-settings.ts";
import type { Context } from "../base/command.ts";
import { directClient } from "../base/patience.ts";
import { livingPid } from "../daemon/process.ts";
import { hooksHere } from "../init/switched-off.ts";
import type { Check } from "./check.ts";
import { ok, warning } from "./check.ts";

const ANSWERS_WITHIN_MS = 3000;

export async function checkHooks(context: Context): Promise<Check[]> {
  const rules = setups.map(async (it) => {
    const rule = await hooksHere(context.config, it);
    return rule === null ? [] : [checkRule(it, rule)];
  });
  const [checks, silent] = await Promise.all([Promise.all(rules), silentAgents(context)]);
  return [...checks.flat(), ...silent];
}

function checkRule(setup: ClientSetup, { door, by }: HookRule): Check {
  const name = `${setup.name} hooks`;
  if (door === "http" || by === null) return ok(name, `no ${setup.title} settings file switches them off`);
  const [setting = "", file = ""] = by.split(" in ");
  if (door === "command")
    return warning(
      name,
      `HTTP hooks are switched off by ${by}: agents report with curl, which adds about 20 ms to each hook of a tool call`,
      `allow http://127.0.0.1:* in ${setting} in ${file}`,
    );
  return warning(
    name,
    `switched off by ${by}: what agents ask is read from their screens, a few seconds late, and answered with keystrokes; sessions with the hooks of oj init ${setup.name} report nothing and get no answers`,
    `remove ${setting} from ${file}`,
  );
}

/** Asks a running daemon; starts none. */
async function silentAgents(context: Context): Promise<Check[]> {
  if (livingPid(context.config) === null) return [];
  const abort = AbortSignal.any([context.abort, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
  const agents = await directClient(context, abort)
    .agents({})
    .catch(() => []); // the daemon's own check says what is wrong
  return agents.flatMap(({ id, silent, status }) =>
    silent && status !== "ended"
      ? [warning("agent", `${id} does not report: ${silentBriefly(silent)}`, `oj agent show ${id}`)]
      : [],
  );
}
