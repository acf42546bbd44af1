/**
 * An agent that should be working but has neither printed nor reported anything for too long. A person is asked once
 * for each such silence; whatever the agent does next withdraws the question.
 */

import { hasQuestion, ownerGoesOn, withdrawFor } from "../flow/owner.ts";
import type { Agent } from "../model/agent-types.ts";
import { isHung } from "../model/agent-types.ts";
import type { AgentId } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { awaitedRequests } from "../request/outcome.ts";
import { roughly } from "../text/duration.ts";
import { askPerson } from "./ask-person.ts";

/** Whether silence would mean anything: it is at work, and nobody has to answer it first. */
export function shouldBeHeard(agent: Agent): boolean {
  return agent.status === "working" && agent.spawned && !agent.stopping && !agent.gate && !isHung(agent);
}

export function hangs(
  draft: Draft,
  id: AgentId,
  { quiet_ms, tail, last_message }: { quiet_ms: number; tail: string; last_message?: string },
): void {
  const agent = draft.agent(id);
  if (!shouldBeHeard(agent) || hasQuestion(draft, id) || awaitedRequests(draft, id).length > 0) return;
  const what = `no output and no report for ${roughly(quiet_ms)}`;
  draft.emit({ type: "agent:hung", id, project: agent.project, quiet_ms });
  askPerson(
    draft,
    id,
    {
      trigger: "on_idle",
      source: "idle",
      title: `Hung: ${what}`,
      what: `The agent seems to hang: ${what}`,
      said: null,
      tail,
      last: last_message,
      failure: `You were interrupted: there was ${what}.`,
      expected: "restart",
    },
    null,
  );
}

/** The agent did something: the question about its silence is withdrawn, and its job or crew continues. */
export function stirs(draft: Draft, id: AgentId): void {
  const agent = draft.agent(id);
  if (!isHung(agent)) return;
  withdrawFor(draft, id, "the agent went on by itself");
  draft.emit({ type: "agent:working", id, project: agent.project });
  ownerGoesOn(draft, draft.agent(id));
}

/** Some observations are about an agent, but not of anything it did. */
export function endsSilence(type: string): boolean {
  return !["hung", "spawned", "noted", "unheard", "missed", "exited"].includes(type);
}
