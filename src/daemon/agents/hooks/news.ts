/** Which reports change something. Most tool calls don't: they must not cost a commit. */
import type { Seen } from "../../../agents/client.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";

export interface News {
  /** Notes, for as long as `work` takes, that something about the agent is on its way to be recorded. */
  recording<T>(id: AgentId, work: () => Promise<T>): Promise<T>;
  /**
   * Whether a report changes something. If not everything that was seen before it is recorded yet, only the rule can
   * tell: a dialog whose end is reported may be one that the disk is still writing.
   */
  isNews(id: AgentId, seen: Seen): Promise<boolean>;
}

export function startNews(agentNow: (id: AgentId) => Promise<Agent | null>): News {
  const underWay = new Map<AgentId, number>();
  return {
    async recording(id, work) {
      underWay.set(id, (underWay.get(id) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (underWay.get(id) ?? 1) - 1;
        if (left > 0) underWay.set(id, left);
        else underWay.delete(id);
      }
    },
    async isNews(id, seen) {
      const isUnderWay = underWay.has(id); // before we look: what is recorded meanwhile is seen then
      const agent = await agentNow(id);
      return agent !== null && (isUnderWay || saysSomething(agent, seen));
    },
  };
}

/**
 * Keeps what was reported of a call's end and could not be recorded (the disk was full): only that report says whose
 * answer the call got. Whatever else is seen of the agent would make it ours, so this is recorded before. What the
 * screen showed is true only while it shows it (`isLasting`), and looked at again.
 */
export function startUnrecorded(
  /** Called when something was not recorded. */
  lost: (id: AgentId, error: unknown) => void,
) {
  const ends = new Map<AgentId, Seen[]>();
  return {
    async inOrder(
      id: AgentId,
      seen: Seen,
      isLasting: boolean,
      write: (seen: Seen) => Promise<void>,
    ): Promise<void> {
      try {
        for (const end of ends.get(id) ?? []) {
          await write(end);
          forget(id, end);
        }
        await write(seen);
      } catch (error) {
        if (seen.type === "answered" && isLasting)
          ends.set(id, [...(ends.get(id) ?? []), seen].slice(-MOST_ENDS));
        lost(id, error);
        throw error;
      }
    },
  };

  function forget(id: AgentId, end: Seen): void {
    const left = (ends.get(id) ?? []).filter((it) => it !== end);
    if (left.length > 0) ends.set(id, left);
    else ends.delete(id);
  }
}

const MOST_ENDS = 50;

function saysSomething(agent: Agent, seen: Seen): boolean {
  if (seen.type === "worked") return agent.status === "idle" || agent.status === "errored";
  if (seen.type === "answered")
    return agent.prompt?.key === seen.key || agent.outbox.some((it) => it.prompt_key === seen.key);
  return true;
}
