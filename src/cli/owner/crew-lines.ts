/** A crew as a person reads it: what it is, what its agent does, what it waits for, and what to type next. */

import type { AgentView, CrewView, DecisionView } from "../../api/api.ts";
import { resolveHint } from "../../core/text/resolve-hint.ts";
import { shortAge } from "../../core/text/words.ts";
import { agentRemark } from "../../inbox/fleet/agent-remark.ts";
import { hang } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { agentMark } from "./agent-words.ts";
import type { Look } from "./timeline.ts";
import { failureLines, headLines, questionLines } from "./timeline.ts";

/** What is shown with a crew but is not part of it. */
interface Surroundings {
  decision: DecisionView | null;
  agent: AgentView | null;
  tail: string;
}

export function linesOf(crew: CrewView, around: Surroundings, look: Look): string[] {
  return [
    ...headLines(crew, look),
    ...agentLines(crew, around.agent, look),
    ...failureLines(crew, around, look),
    ...questionLines(around.decision, look),
    "",
    ...nextCommands(crew, around).map((it) => `  ${look.out.style.cyan("→")} ${it}`),
  ];
}

function agentLines(crew: CrewView, agent: AgentView | null, { out, now }: Look): string[] {
  if (!agent || crew.finished_at_ms !== null) return [];
  const remark = agentRemark(agent, now());
  const about = `${agent.status} ${shortAge(now() - agent.changed_at_ms)}${remark && `; ${remark}`}`;
  const said = agent.last_message
    ? hang("    ", `it said: ${safeLine(agent.last_message)}`, out.width).slice(0, 3)
    : [];
  return ["", `  ${agentMark(agent.status, out.style)} ${safeLine(agent.name)}  ${about}`, ...said];
}

function nextCommands({ id, status }: CrewView, { decision, agent }: Surroundings): string[] {
  if (decision) return [resolveHint(decision), `oj decision show ${decision.id}`];
  switch (status) {
    case "waiting":
      return [`oj crew resume ${id}`, `oj crew cancel ${id}`];
    case "failed":
      return [`oj crew logs ${id}`, `oj crew resume ${id}`];
    case "running":
      return [agent?.status === "exited" ? `oj agent send ${id} "…"` : `oj crew peek ${id}`];
    default:
      return [`oj crew logs ${id}`];
  }
}
