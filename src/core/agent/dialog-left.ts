/** A dialog that nobody is asked about: words don't reach its agent, so whoever lets it continue must be asked. */
import type { Agent, Prompt } from "../model/agent-types.ts";
import type { AgentId } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { askPerson } from "./ask-person.ts";
import type { Occasion } from "./occasion.ts";
import { prompts } from "./occasion.ts";

/**
 * Asks about the dialog again, with what was said meanwhile. False if there is none, if it is already asked about, or
 * if its answer is on its way.
 */
export function askIfLeft(
  draft: Draft,
  id: AgentId,
  said: Occasion["said"],
  before: string | null = null,
): boolean {
  const agent = draft.agent(id);
  const { prompt } = agent;
  if (!prompt || agent.outbox.some((it) => it.prompt_key === prompt.key) || isAsked(draft, agent, prompt))
    return false;
  askPerson(draft, id, { ...prompts(draft, agent, prompt, ""), said }, before);
  return true;
}

function isAsked(draft: Draft, { id }: Agent, { key }: Prompt): boolean {
  return [...draft.state.pending].some((it) => {
    const decision = draft.state.decisions.get(it);
    return decision?.agent_id === id && decision.prompt_key === key;
  });
}
