/** Which hooks an agent's client will run, as its settings files say, and what people are told of that as it starts. */
import type { HookRule } from "../../../agents/client-settings.ts";
import { hookRuleAt } from "../../../client-settings.ts";
import { observe } from "../../../core/agent/agent.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import { commandNote } from "../../../core/text/hook-settings.ts";
import type { AgentWorld } from "./world.ts";

/** Says who reports. */
export const TOKEN_VARIABLE = "OJ_AGENT_TOKEN";
/** What keeps a client from reporting over HTTP, where none came from it before. */
const UNSEEN = "something that oj can't see, such as a company policy";

/** Null of a client that has no hooks. `given` is the environment that it will have. */
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

/** It was started: what its settings have switched off is noted, or stated. */
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
