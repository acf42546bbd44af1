/** A decision that only tries a channel: it goes by this one alone, whatever the routes say, and can be answered. */
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { requestDecision } from "../request/request.ts";
import { oweNotices } from "./notices.ts";
import type { Plan } from "./plan.ts";

export function testMessage(
  state: State,
  { channel, plan, by, project }: { channel: string; plan: Plan; by: string; project: string },
  moment: Moment,
): Fact[] {
  const draft = draftOn(state, moment);
  const input = {
    project,
    requester: { name: by, is_agent: false, agent_id: null, session: null },
    prompt: `Test of ${channel}: does this message reach you?`,
    options: [
      { label: "Yes", description: "It reaches me, and this button works" },
      { label: "Not quite", description: "It reaches me, but something is wrong with it" },
    ],
    recommend: null,
    context: `${by} tries the channel ${channel}. Nothing depends on your answer.`,
    fields: {},
    urgency: "high" as const, // so that nobody's hours delay it
    template: null,
    blocks: [],
    on_cancel: null,
    parent: null,
    predecessor: null,
    file_check: false,
    request_key: null,
    runbook: { templates: [], requests: { file_check: null } },
    runbook_problems: 0,
  };
  for (const fact of requestDecision(draft.state, input, moment)) draft.emit(fact);
  const created = draft.facts.find((it) => it.type === "decision:created");
  if (created) for (const fact of oweNotices(created, plan)) draft.emit(fact);
  return draft.facts;
}
