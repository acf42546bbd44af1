/** What there is to say about an agent that asks nothing: what it has not received, or what it waits for. */
import type { AgentView } from "../../api/api.ts";
import { silentBriefly } from "../../core/text/hook-settings.ts";
import { shortAge } from "../../core/text/words.ts";
import { safeLine } from "../../text/safe.ts";

/** "answered, not delivered yet: dec-… (3 attempts)". Null if it has everything it is owed. */
function undelivered({ owed }: Pick<AgentView, "owed">): string | null {
  const waiting = owed.filter((it) => it.state === "owed");
  const [first] = waiting;
  if (!first) return null;
  const tries =
    first.attempts > 0 ? ` (${first.attempts} ${first.attempts === 1 ? "attempt" : "attempts"})` : "";
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : "";
  return first.decision_id
    ? `answered, not delivered yet: ${first.decision_id}${more}${tries}`
    : `a message is not delivered yet${more}${tries}`;
}

/** Text that was typed to it without any reaction: a client that waits for text has not heard it. */
function unheard({ id, status, owed }: AgentView): string | null {
  const first = owed.find((it) => it.state === "delivered");
  if (!first || (status !== "idle" && status !== "errored")) return null;
  const what = first.decision_id ? `the answer to ${first.decision_id}` : "a message";
  return `has not acknowledged ${what}; look with oj agent peek ${id}, or send it again with oj agent send ${id}`;
}

/** What there is to say about an agent that asks nothing: what it has not received, what it waits for, or nothing. */
export function agentRemark(agent: AgentView, now: number): string {
  const owed = undelivered(agent) ?? unheard(agent);
  if (owed !== null) return owed;
  if (agent.gate !== null) return `running its gate: ${safeLine(agent.gate)}`;
  if (agent.cooling_until_ms !== null)
    return `retries in ${shortAge(Math.max(5000, agent.cooling_until_ms - now))}`;
  if (agent.dismissed) return "its decision was dismissed";
  return agent.silent ? safeLine(silentBriefly(agent.silent)) : "";
}
