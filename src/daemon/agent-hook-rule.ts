/** Which hooks an agent's client will run, as its settings files say, and what people are told of that as it starts. */
import { hookRuleAt } from "../claude-settings.ts";
import { observe } from "../core/agent.ts";
import type { Agent } from "../core/agent-types.ts";
import type { HookRule } from "../core/hook-settings.ts";
import { commandNote } from "../core/hook-settings.ts";
import type { AgentWorld } from "./agent-world.ts";

/** Says who reports. */
export const TOKEN_VARIABLE = "OJ_AGENT_TOKEN";
/** What keeps a client from reporting over HTTP, where none came from it before. */
const UNSEEN = "something that oj can't see, such as a company's policy";

/** `given` is the environment that the client will have. */
export async function hookRuleFor(
  { hookUrl, reports }: Pick<AgentWorld, "hookUrl" | "reports">,
  { kind, cwd, root, def }: Agent,
  given: Readonly<Record<string, string>>,
): Promise<HookRule> {
  if (kind === "program") return { door: "http", by: null };
  const place = { env: given, home: given.HOME ?? "", folders: [cwd, root] };
  const rule = await hookRuleAt(place, { url: hookUrl(), variable: TOKEN_VARIABLE });
  return rule.door === "http" && reports.refusesHttp(def.run) ? { door: "command", by: UNSEEN } : rule;
}

/** It was started: what its settings have switched off is noted, or stated. */
export async function tellHookRule(
  { engine, reports }: Pick<AgentWorld, "engine" | "reports">,
  { id, kind }: Agent,
  { door, by }: HookRule,
): Promise<void> {
  if (kind === "program") return;
  if (door === "command" && by !== null) {
    const seen = { type: "noted", note: commandNote(by) } as const;
    await engine.run((state, moment) => observe(state, { id, seen }, moment));
  }
  await reports.started(id, by);
}
