/**
 * Finds out from an agent client's settings files which hooks it will run, and tells people about it when the agent
 * starts.
 */
import type { HookRule } from "../../../agents/client-settings.ts";
import { hookRuleAt } from "../../../client-settings.ts";
import { observe } from "../../../core/agent/agent.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import { commandNote } from "../../../core/text/hook-settings.ts";
import type { AgentWorld } from "./world.ts";

/** Carries the token that proves which agent is reporting. */
export const TOKEN_VARIABLE = "OJ_AGENT_TOKEN";
/** Shown as the reason when a client with the same command line did not report over HTTP before. */
const UNSEEN = "something that oj can't see, such as a company policy";

/** Null for a client without hooks. `given` is the environment the client will have. */
export async function hookRuleFor(
  { hookUrl, reports, agentClientOf }: Pick<AgentWorld, "hookUrl" | "reports" | "agentClientOf">,
  agent: Agent,
  given: Readonly<Record<string, string>>,
): Promise<HookRule | null> {
  const { cwd, root, def } = agent;
  const { hooks, settings } = agentClientOf(agent);
  const [best, other] = hooks;
  if (best === undefined) return null;
  const place = { env: given, home: given.HOME ?? "", folders: [cwd, root] };
  const report = { url: hookUrl(), variable: TOKEN_VARIABLE };
  const rule = settings ? await hookRuleAt(settings, place, report) : { door: best, by: null };
  const isRefused = rule.door === "http" && other !== undefined && reports.refusesHttp(def.run);
  return isRefused ? { door: other, by: UNSEEN } : rule;
}

/**
 * Called once the agent has started. Records a note if its settings switched hooks off, or that it will not report at
 * all.
 */
export async function tellHookRule(
  { engine, reports }: Pick<AgentWorld, "engine" | "reports">,
  { id }: Agent,
  { door, by }: HookRule,
): Promise<void> {
  if (door === "command" && by !== null) {
    const seen = { type: "noted", note: commandNote(by) } as const;
    await engine.run((state, moment) => observe(state, { id, seen }, moment));
  }
  await reports.started(id, by);
}
